import * as pulumi from "@pulumi/pulumi";

import type { Access, Kubeconfig } from "../fleet/model.ts";
import type { Selection } from "../fleet/select.ts";
import { type AgentsChart, publicAgentsChart } from "../components/agentsChart.ts";
import type { KubernetesAccess } from "../components/kubernetesProvider.ts";
import type { RepositoryAccess } from "../components/repositoryAccess.ts";
import { parseSelection } from "./selection.ts";

/** Stack config of the program, all of it optional. The environment may stand in for two of its keys. */
export interface StackSettings {
  /** `arcflux:fleet`: path of the fleet file. */
  readonly fleetFile: string;
  /** `arcflux:repositoryUrl` or ARCFLUX_REPOSITORY_URL: in place of the fleet file's repository.url. */
  readonly repositoryUrl?: string;
  /** `arcflux:agentsChart` or ARCFLUX_AGENTS_CHART: in place of Microsoft's chart of the Arc agents. */
  readonly agentsChart: AgentsChart;
  /** `arcflux:clusters`: the part of the fleet that this stack manages. */
  readonly selection?: Selection;
  /** `arcflux:protect`: whether Pulumi refuses to destroy what the stack made. */
  readonly protect: boolean;
}

const config = new pulumi.Config("arcflux");

/** Reads the stack config. Throws a `pulumi.RunError` that names the key when a value is not understood. */
export function readStackSettings(env: NodeJS.ProcessEnv = process.env): StackSettings {
  const repositoryUrl = config.get("repositoryUrl") ?? nonEmpty(env["ARCFLUX_REPOSITORY_URL"]);
  const agentsChart = config.get("agentsChart") ?? nonEmpty(env["ARCFLUX_AGENTS_CHART"]);
  const clusters = config.get("clusters");
  return {
    fleetFile: config.get("fleet") ?? "fleet.yaml",
    ...(repositoryUrl !== undefined && { repositoryUrl }),
    agentsChart: agentsChart === undefined ? publicAgentsChart : { chart: agentsChart },
    ...(clusters !== undefined && { selection: parseSelection(clusters) }),
    protect: readProtect(),
  };
}

function readProtect(): boolean {
  const text = config.get("protect") ?? "true";
  if (text === "true" || text === "false") return text === "true";
  throw new pulumi.RunError(`Stack config arcflux:protect is '${text}'; write true or false.`);
}

/** The credentials that clusters read the repository with, from the stack's secrets. */
export function readRepositoryAccess(access: Access): RepositoryAccess {
  switch (access) {
    case "public":
      return { kind: "public" };
    case "token":
      return {
        kind: "token",
        user: config.get("repositoryUser") ?? "git",
        token: requireSecret("repositoryToken", "the token that clusters read the repository with"),
      };
    case "ssh": {
      const knownHosts = config.get("repositoryKnownHosts");
      return {
        kind: "ssh",
        privateKey: requireSecret(
          "repositorySshKey",
          "the private key that clusters read the repository with",
        ),
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
    kubeconfig: requireSecret(kubeconfig.config, "a kubeconfig, as the fleet file's kubeconfig.config says"),
  };
}

function requireSecret(key: string, what: string): pulumi.Output<string> {
  const value = config.getSecret(key);
  if (value !== undefined) return value;
  throw new pulumi.RunError(
    `Stack config arcflux:${key} is missing: ${what}.\nSet it with: pulumi config set --secret arcflux:${key}`,
  );
}

function nonEmpty(text: string | undefined): string | undefined {
  return text === undefined || text === "" ? undefined : text;
}
