import type { EnforcementLevel, PolicyResource } from "@pulumi/policy";

import { z } from "zod";

import { asMap, type PlainMap } from "./plainValue.ts";
import { ready } from "./policies.ts";
import { unknownSettings } from "./refuseUnknownSettings.ts";

/** A resource as a program registers it. */
export interface TrialResource {
  readonly type: string;
  readonly name: string;
  readonly urn: string;
  readonly inputs: PlainMap;
  /** Of a component what it registers; defaults to the inputs. */
  readonly outputs?: PlainMap;
  readonly protect: boolean;
  /** URNs of what it waits for. */
  readonly waitsFor: readonly string[];
}

export interface TrialViolation {
  readonly policy: string;
  readonly mandatory: boolean;
  readonly message: string;
  /** Empty for one of the stack as a whole. */
  readonly urn: string;
}

/** Levels and settings as `--policy-pack-config` takes them; `all` is the level of those that state none. */
export type TrialConfig = Readonly<Record<string, unknown>>;

const levels: readonly unknown[] = ["mandatory", "advisory", "disabled", "remediate"];

/** What is wrong with levels and settings, as Pulumi and the policies say it, so that nothing is taken for configured which is not. */
export function configFaults(config: TrialConfig): string[] {
  const policies = new Map(ready.map((policy) => [policy.name, policy]));
  return Object.entries(config).flatMap(([name, value]) => {
    const policy = policies.get(name);
    if (policy === undefined && name !== "all")
      return [`${name} is not a policy of the pack; docs/guide/policies.md lists them.`];
    const level = typeof value === "string" ? value : asMap(value)?.["enforcementLevel"];
    // Of `all` there is nothing but the level.
    const isSound =
      level === undefined && policy !== undefined ? asMap(value) !== undefined : levels.includes(level);
    if (!isSound) return [`${name} has no level that there is; write ${levels.join(", ")}.`];
    return policy === undefined ? [] : settingFaults(policy, asMap(value) ?? {});
  });
}

/** What of the settings is not as their schema has it. */
function settingFaults(policy: (typeof ready)[number], settings: PlainMap): string[] {
  const { name, configSchema } = policy;
  const unknown = unknownSettings(
    policy,
    Object.keys(settings).filter((key) => key !== "enforcementLevel"),
  );
  if (unknown !== undefined) return [`${unknown}.`];
  // Besides them stands the level.
  const schema = { type: "object", ...configSchema } as Parameters<typeof z.fromJSONSchema>[0];
  const { error } = z.fromJSONSchema(schema).safeParse(settings);
  return (error?.issues ?? []).map(
    ({ path, message }) => `${name}.${path.join(".")}: ${message}; docs/guide/policies.md has the settings.`,
  );
}

/** Runs the pack as Pulumi does: each resource with its inputs, then the stack with what came of them. */
export async function runPolicies(
  resources: readonly TrialResource[],
  config: TrialConfig = {},
): Promise<TrialViolation[]> {
  const found: TrialViolation[] = [];
  const inPack = ready.map((policy) => ({ policy, ...settingsOf(policy, config) }));
  const active = inPack.filter(({ level }) => level !== "disabled");
  const reporter =
    ({ policy, level }: (typeof active)[number], byDefault: string) =>
    (message: string, urn = byDefault): void =>
      void found.push({ policy: policy.name, mandatory: level !== "advisory", message, urn });

  for (const { type, name, urn, inputs, protect } of resources) {
    for (const one of active) {
      const { validateResource: validate } = one.policy;
      if (typeof validate !== "function") continue;
      const args = { ...common(one.settings), type, name, urn, props: inputs, opts: options(protect) };
      await validate(args as Parameters<typeof validate>[0], reporter(one, urn));
    }
  }
  const all = inStack(resources);
  for (const one of active) {
    const args = { ...common(one.settings), resources: all };
    await one.policy.validateStack?.(args as never, reporter(one, ""));
  }
  return found;
}

function settingsOf({ name, enforcementLevel }: (typeof ready)[number], config: TrialConfig) {
  const own = config[name];
  const { enforcementLevel: stated, ...settings } = asMap(own) ?? {};
  const level = typeof own === "string" ? own : (stated ?? config["all"] ?? enforcementLevel ?? "mandatory");
  return { level: level as EnforcementLevel, settings };
}

function common(settings: PlainMap) {
  return {
    stackTags: new Map<string, string>(),
    getConfig: () => settings,
    isType: () => false,
    asType: () => undefined,
    notApplicable: (): never => {
      throw new Error("A policy of the pack says that it is not applicable.");
    },
  };
}

function options(protect: boolean): PolicyResource["opts"] {
  const customTimeouts = { createSeconds: 0, updateSeconds: 0, deleteSeconds: 0 };
  return { protect, ignoreChanges: [], aliases: [], customTimeouts, additionalSecretOutputs: [] };
}

function inStack(resources: readonly TrialResource[]): PolicyResource[] {
  const made = new Map<string, PolicyResource>();
  for (const { type, name, urn, inputs, outputs = inputs, protect } of resources)
    made.set(urn, {
      ...{ type, name, urn, props: outputs, opts: options(protect), dependencies: [] },
      ...{ propertyDependencies: {}, isType: () => false, asType: () => undefined },
    });
  for (const { urn, waitsFor } of resources)
    made.get(urn)!.dependencies = waitsFor.flatMap((other) => made.get(other) ?? []);
  return [...made.values()];
}
