import type { ResourceValidationPolicy, StackValidationPolicy } from "@pulumi/policy";

import { asMap, asText, type PlainMap } from "./plainValue.ts";
import type { About } from "./about.ts";
import type { Tell } from "./fleetPolicy.ts";
import { isGitFiles } from "./resourceTypes.ts";

/** One entry of the setting `exempt`. */
interface Exemption {
  readonly cluster: string;
  /** A day (to its end), or a time, in UTC. */
  readonly until: number;
  readonly reason: string;
  readonly by: string | undefined;
  /** `minimum-interval: cluster store-7 is exempt until 2026-12-31T23:59Z (INC-4711, by Ada)` */
  readonly shown: string;
}

/** The setting that every policy has. */
export const exemptSetting = {
  type: "array",
  items: {
    type: "object",
    properties: {
      cluster: { type: "string", minLength: 1 },
      until: { type: "string", pattern: String.raw`^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2})?Z)?$` },
      reason: { type: "string", pattern: String.raw`\S` },
      by: { type: "string", pattern: String.raw`\S` },
    },
    required: ["cluster", "until", "reason"],
    additionalProperties: false,
  },
  default: [],
  description:
    'Clusters that the policy leaves alone for a time: [{ cluster, until, reason, by }]; cluster "*" is all of them.',
} as const;

/** An exemption without an end in sight is the rule, and then the policy's level should say so. */
const mostDays = 366;

/** In place of a cluster's name: every cluster, and what is of the fleet as a whole. */
export const everyCluster = "*";

/** Exemptions that hold, with how many violations they left out in this operation, for exemptionsShown. */
export const exempted = new Map<string, number>();

/** Names of resources are that of their cluster with one of these behind it. */
const suffix = /-(files|flux|configuration|key|connected|agents|provider)$/;

/** The cluster that a resource of the program is of, by its name. */
export function clusterOfResource(name: string): string {
  return name.replace(suffix, "");
}

type Checked = ResourceValidationPolicy & Partial<StackValidationPolicy> & About;

/**
 * The same policy with exemptions: a violation of an exempt cluster is not reported but counted, and an exemption that is over
 * or against the rules is a violation itself. `now` is the clock.
 */
export function withExemptions<T extends Checked>(policy: T, now: () => number = Date.now): T {
  const { validateResource: validate, validateStack } = policy;
  const told = new Set<string>();
  const filtered =
    (exemptions: readonly Exemption[], report: Tell, byDefault?: string): Tell =>
    (message, urn, cluster = byDefault) => {
      const name = cluster ?? clusterOfUrn(urn);
      const exemption = exemptions.find((one) => one.cluster === name || one.cluster === everyCluster);
      if (exemption === undefined) return report(message, urn);
      const { shown } = exemption;
      exempted.set(shown, (exempted.get(shown) ?? 0) + 1);
    };
  return {
    ...policy,
    configSchema: {
      ...policy.configSchema,
      properties: { ...policy.configSchema?.properties, exempt: exemptSetting },
    },
    ...(typeof validate === "function" && {
      validateResource: (args, report) => {
        const { valid, faults } = read(policy, args.getConfig<PlainMap>(), now());
        for (const { shown } of valid) if (!exempted.has(shown)) exempted.set(shown, 0);
        for (const fault of faults.filter((one) => !told.has(one))) {
          told.add(fault);
          // Of no resource: the one that happens to be judged first is not to blame.
          report(fault, "");
        }
        if (valid.length === 0) return validate(args, report);
        const delivery = isGitFiles(args.type)
          ? asText(asMap(args.props["delivery"])?.["cluster"])
          : undefined;
        return validate(args, filtered(valid, report, delivery ?? clusterOfResource(args.name)));
      },
    }),
    ...(validateStack && {
      validateStack: (args, report) => {
        const { valid } = read(policy, args.getConfig<PlainMap>(), now());
        return validateStack(args, filtered(valid, report));
      },
    }),
  };
}

function clusterOfUrn(urn: string | undefined): string | undefined {
  const name = urn?.split("::").at(-1);
  return name === undefined ? undefined : clusterOfResource(name);
}

/** The exemptions that hold, and what is wrong with the others. */
function read(
  { name, exemption: { mostHours = mostDays * 24, needsPerson } = {} }: Checked,
  settings: PlainMap,
  now: number,
): { readonly valid: Exemption[]; readonly faults: string[] } {
  const valid: Exemption[] = [];
  const faults: string[] = [];
  const list = Array.isArray(settings["exempt"]) ? (settings["exempt"] as unknown[]) : [];
  for (const entry of list) {
    const { cluster = "", until = "", reason = "", by } = (asMap(entry) ?? {}) as Record<string, string>;
    const end = Date.parse(until.includes("T") ? until : `${until}T23:59:59Z`);
    const who = `the exemption of cluster '${cluster}' from ${name}`;
    const renew = "take it out of the policy's settings, or renew it with a new reason.";
    const most = mostHours < 48 ? `${mostHours} hours` : `${mostHours / 24} days`;
    if (!isTime(until, end))
      faults.push(`${who} ends at '${until}', which is not a day; write one such as 2026-12-24.`);
    else if (end < now) faults.push(`${who} ended at ${until} (${reason}); ${renew}`);
    else if (end > now + mostHours * 3_600_000)
      faults.push(`${who} ends at ${until}, in more than ${most}; write a time that is sooner.`);
    else if (reason.trim() === "") faults.push(`${who} has no reason; write reason: why, or a ticket.`);
    else if (needsPerson === true && (by ?? "").trim() === "")
      faults.push(`${who} does not say who has decided it; write by: NAME.`);
    else {
      const person = by === undefined ? "" : `, by ${by}`;
      const shown = `${name}: cluster ${cluster} is exempt until ${textOf(end)} (${reason}${person})`;
      valid.push({ cluster, until: end, reason, by, shown });
    }
  }
  return { valid, faults };
}

/** Not one that JavaScript moves into the next month, such as 31 February. */
function isTime(until: string, end: number): boolean {
  return !Number.isNaN(end) && new Date(end).toISOString().startsWith(until.slice(0, 10));
}

function textOf(time: number): string {
  return `${new Date(time).toISOString().slice(0, 16)}Z`;
}
