import { isAbsolute, relative, resolve } from "node:path";

import * as pulumi from "@pulumi/pulumi";

import type { Fleet, Kubeconfig, Repository } from "../fleet/model.ts";
import { isBroughtByUpdate } from "../fleet/management.ts";
import type { Selection } from "../fleet/select.ts";
import { type AgentsChart, publicAgentsChart } from "../components/agentsChart.ts";
import type { KubernetesAccess } from "../components/kubernetesProvider.ts";
import type { RepositoryAccess } from "../components/repositoryAccess.ts";
import { readAuthorities } from "./authorities.ts";
import { parseSelection } from "./selection.ts";

/** Stack config of the program, all of it optional. The environment may stand in for two of its keys. */
export interface StackSettings {
  /** `arcflux:fleet`: path of the fleet file, from the folder of Pulumi.yaml; here as seen from the current folder. */
  readonly fleetFile: string;
  /** `arcflux:repositoryUrl` or ARCFLUX_REPOSITORY_URL: in place of the fleet file's repository.url. */
  readonly repositoryUrl?: string;
  /** Which of the two that is, for messages. */
  readonly repositoryUrlFrom?: string;
  /** `arcflux:agentsChart` or ARCFLUX_AGENTS_CHART: in place of Microsoft's chart of the Arc agents. */
  readonly agentsChart: AgentsChart;
  /** `arcflux:clusters`: the part of the fleet that this stack manages. */
  readonly selection?: Selection;
  /** `arcflux:adopt`, `drift`, `onDelete`, `takeFrom`: decisions about files that others wrote or changed, or that go. */
  readonly conflicts: Conflicts;
  /** `arcflux:protect`: whether Pulumi refuses to destroy what the stack made. */
  readonly protect: boolean;
  /** `arcflux:compliance`: whether to read from Azure how Flux fares on each cluster. */
  readonly compliance: boolean;
}

/** What to do about files in the repository, as the inputs of GitFiles say; each defaults to the careful choice. */
export interface Conflicts {
  readonly adopt?: "same" | "overwrite";
  readonly drift?: "stop" | "restore";
  readonly onDelete?: "delete" | "keep";
  /** `PROJECT/STACK` whose folders are taken over. */
  readonly takeFrom?: string;
}

const config = new pulumi.Config("arcflux");

/** Reads the stack config. Throws a `pulumi.RunError` that names the key when a value is not understood. */
export function readStackSettings(env: NodeJS.ProcessEnv = process.env): StackSettings {
  const agentsChart = config.get("agentsChart") ?? nonEmpty(env["ARCFLUX_AGENTS_CHART"]);
  const clusters = config.get("clusters");
  return {
    fleetFile: fromProject(config.get("fleet") ?? "fleet.yaml"),
    ...readRepositoryUrl(env),
    agentsChart: agentsChart === undefined ? publicAgentsChart : { chart: agentsChart },
    ...(clusters !== undefined && { selection: parseSelection(clusters) }),
    conflicts: {
      ...readChoice("adopt", ["same", "overwrite"] as const),
      ...readChoice("drift", ["stop", "restore"] as const),
      ...readChoice("onDelete", ["delete", "keep"] as const),
      ...readTakeFrom(),
    },
    protect: (readChoice("protect", ["true", "false"] as const).protect ?? "true") === "true",
    compliance: (readChoice("compliance", ["true", "false"] as const).compliance ?? "false") === "true",
  };
}

/** With `main` in Pulumi.yaml the program runs in another folder, which may hold a fleet file of its own. */
function fromProject(path: string): string {
  const root = pulumi.getRootDirectory();
  return root === "" || isAbsolute(path) ? path : relative(process.cwd(), resolve(root, path));
}

function readRepositoryUrl(
  env: NodeJS.ProcessEnv,
): Pick<StackSettings, "repositoryUrl" | "repositoryUrlFrom"> {
  const inStack = config.get("repositoryUrl");
  if (inStack !== undefined)
    return { repositoryUrl: inStack, repositoryUrlFrom: "stack config arcflux:repositoryUrl" };
  const inEnvironment = nonEmpty(env["ARCFLUX_REPOSITORY_URL"]);
  if (inEnvironment === undefined) return {};
  return { repositoryUrl: inEnvironment, repositoryUrlFrom: "ARCFLUX_REPOSITORY_URL in the environment" };
}

/** The key with its value, when the stack has it. Throws a RunError when the value is none of those allowed. */
function readChoice<K extends string, V extends string>(
  key: K,
  allowed: readonly V[],
): { readonly [key in K]?: V } {
  const text = config.get(key);
  if (text === undefined) return {};
  const value = allowed.find((one) => one === text);
  if (value === undefined) {
    throw new pulumi.RunError(`Stack config arcflux:${key} is '${text}'; write ${allowed.join(" or ")}.`);
  }
  return { [key]: value } as { readonly [key in K]?: V };
}

function readTakeFrom(): Pick<Conflicts, "takeFrom"> {
  const takeFrom = config.get("takeFrom");
  if (takeFrom === undefined) return {};
  if (!/^[^/]+\/[^/]+$/.test(takeFrom)) {
    throw new pulumi.RunError(
      `Stack config arcflux:takeFrom is '${takeFrom}'; write PROJECT/STACK, as in edge/prod.`,
    );
  }
  return { takeFrom };
}

/**
 * What clusters read the repository with: credentials, from the stack's secrets where none are given, and authorities from
 * `caFile`.
 *
 * @throws a RunError where one of them is missing, or the file has no certificate.
 */
export function readRepositoryAccess(
  { access, caFile }: Pick<Repository, "access" | "caFile">,
  { secret, user }: { readonly secret?: pulumi.Output<string>; readonly user?: string } = {},
): RepositoryAccess {
  const overHttps =
    caFile === undefined
      ? {}
      : {
          authorities: readAuthorities(
            "repository.caFile",
            caFile,
            "clusters need its certificates to fetch",
          ),
        };
  switch (access) {
    case "public":
      return { kind: "public", ...overHttps };
    case "token":
      return {
        kind: "token",
        ...overHttps,
        // Read as a secret in any case: some users keep the name to themselves, and `get` would show it in the state.
        user: user ?? config.getSecret("repositoryUser") ?? "git",
        token: secret ?? requireSecret("repositoryToken", whatFor.repositoryToken),
      };
    case "ssh": {
      const knownHosts = config.getSecret("repositoryKnownHosts");
      return {
        kind: "ssh",
        privateKey: secret ?? requireSecret("repositorySshKey", whatFor.repositorySshKey),
        ...(knownHosts !== undefined && { knownHosts }),
      };
    }
    default:
      return access satisfies never;
  }
}

/** How Pulumi reaches a cluster: by a context, or by the kubeconfig that the stack's secret `arcflux:<key>` holds. */
export function readKubernetesAccess(kubeconfig: Kubeconfig | undefined): KubernetesAccess {
  if (kubeconfig === undefined) return {};
  if ("context" in kubeconfig) return { context: kubeconfig.context };
  return {
    kubeconfig: requireSecret(kubeconfig.config, whatFor.kubeconfig),
  };
}

/**
 * Refuses to start while a secret is missing that a cluster of the fleet needs, before anything is registered.
 *
 * @throws a RunError that names every one of them, and how to set it.
 */
export function refuseMissingSecrets(fleet: Fleet): void {
  const needed = new Map<string, string>();
  // What a pack brings, its management cluster has.
  const direct = fleet.clusters.filter(isBroughtByUpdate);
  if (direct.some(({ credentials }) => credentials === undefined)) {
    if (fleet.repository.access === "token") needed.set("repositoryToken", whatFor.repositoryToken);
    if (fleet.repository.access === "ssh") needed.set("repositorySshKey", whatFor.repositorySshKey);
  }
  for (const { kubeconfig } of fleet.clusters) {
    if (kubeconfig !== undefined && "config" in kubeconfig) needed.set(kubeconfig.config, whatFor.kubeconfig);
  }
  const missing = [...needed].filter(([key]) => config.getSecret(key) === undefined);
  if (missing.length > 0)
    throw new pulumi.RunError(missing.map(([key, what]) => missingSecret(key, what)).join("\n"));
}

const whatFor = {
  repositoryToken: "the token that clusters read the repository with",
  repositorySshKey: "the private key that clusters read the repository with",
  kubeconfig: "a kubeconfig, as the fleet file's kubeconfig.config says",
} as const;

function requireSecret(key: string, what: string): pulumi.Output<string> {
  const value = config.getSecret(key);
  if (value === undefined) throw new pulumi.RunError(missingSecret(key, what));
  return value;
}

function missingSecret(key: string, what: string): string {
  return `Stack config arcflux:${key} is missing: ${what}. Set it with: pulumi config set --secret arcflux:${key}`;
}

function nonEmpty(text: string | undefined): string | undefined {
  return text === undefined || text === "" ? undefined : text;
}
