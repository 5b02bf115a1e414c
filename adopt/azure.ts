import type { FluxConfiguration } from "@azure/arm-kubernetesconfiguration";
import { askGraph } from "../existing/index.ts";
import { type Cluster, type Fleet, fluxNamespace } from "../fleet/model.ts";
import { type AzureAccess, configurationClient } from "../status/index.ts";
import { clusterPlace, parseClusterId } from "../values/armId.ts";
import { isSameRepository } from "../values/repositoryUrl.ts";
import { shellWord } from "../values/shellWord.ts";

/** A Flux configuration of a cluster in Azure that is not the fleet file's. */
export interface OldConfiguration {
  readonly id: string;
  readonly name: string;
  /** Of its objects on the cluster. */
  readonly namespace: string;
  readonly suspended: boolean;
  /** Names of its kustomizations, and of those that prune. */
  readonly kustomizations: readonly string[];
  readonly pruning: readonly string[];
  /** What `az` makes it of, suspended and without prune. Its credentials are in no answer of Azure. */
  readonly anew: readonly string[];
}

/** What Azure has of a cluster. */
export interface InAzure {
  /** Whether the extension microsoft.flux is there, which brings Flux's controllers. */
  readonly hasExtension: boolean;
  /** Configurations of others that take the fleet's repository; those of other teams stay out of this. */
  readonly others: readonly OldConfiguration[];
  /** Namespace of a configuration with the fleet file's name for it and with other content. */
  readonly taken?: string;
}

/** Azure takes up to an hour, in milliseconds. */
const patience = 60 * 60_000;

/** Asks Azure itself, once Resource Graph has said in which subscription. Rejects where Azure does not answer. */
export async function readAzure(
  cluster: Cluster,
  { url }: Pick<Fleet["repository"], "url">,
  access: AzureAccess,
  signal: AbortSignal,
): Promise<InAzure> {
  const [row, other] = (await askGraph([cluster], access, signal)).get(cluster.name) ?? [];
  if (row === undefined || other !== undefined)
    throw new Error(
      row === undefined
        ? `Azure has no connected cluster ${cluster.arc.name} in ${cluster.arc.resourceGroup}; correct arc in the fleet file`
        : `several subscriptions have ${cluster.arc.name}; write the right one as arc.subscription`,
    );
  const { client, place } = await open(row.id, access);
  const options = { abortSignal: signal };
  let hasExtension = false;
  for await (const { extensionType } of client.extensions.list(...place, options))
    if (extensionType?.toLowerCase() === "microsoft.flux") hasExtension = true;
  const others: OldConfiguration[] = [];
  let taken: string | undefined;
  for await (const one of client.fluxConfigurations.list(...place, options)) {
    const all = Object.entries(one.kustomizations ?? {});
    if (one.name === cluster.config) {
      const isOurs = one.namespace === fluxNamespace && all.length === 1 && all[0]![0] === "bootstrap";
      if (!isOurs) taken = one.namespace ?? "default";
      continue;
    }
    if (one.name === undefined || !isSameRepository(one.gitRepository?.url ?? "", url)) continue;
    others.push({
      ...{ id: one.id ?? "", name: one.name, namespace: one.namespace ?? "default" },
      suspended: one.suspend === true,
      kustomizations: all.map(([name]) => name),
      pruning: all.filter(([, each]) => each?.prune === true).map(([name]) => name),
      anew: argumentsOf(one),
    });
  }
  return { hasExtension, others, ...(taken !== undefined && { taken }) };
}

/** Arguments of `az k8s-configuration flux create` that make a configuration as it is, letting go of everything. */
export function argumentsOf({
  namespace,
  scope,
  gitRepository,
  kustomizations,
}: FluxConfiguration): string[] {
  const { url = "", repositoryRef = {} } = gitRepository ?? {};
  const refs = (["branch", "tag", "semver", "commit"] as const).flatMap((kind) => {
    const value = repositoryRef[kind];
    return value === undefined ? [] : [`--${kind} ${shellWord(value)}`];
  });
  return [
    `--namespace ${namespace ?? "default"} --scope ${scope ?? "cluster"} --url ${shellWord(url)}`,
    ...refs,
    "--suspend true",
    ...Object.entries(kustomizations ?? {}).map(([name, one]) => {
      const { path = "", dependsOn = [] } = one ?? {};
      const after = dependsOn.length === 0 ? "" : ` depends_on=${dependsOn.join(",")}`;
      return `--kustomization name=${name} path=${shellWord(path)} prune=false${after}`;
    }),
  ];
}

/** Suspends a configuration and switches prune off in all of it; what else it says stays, its credentials too. */
export async function letGoInAzure(
  { id, name, kustomizations }: OldConfiguration,
  access: AzureAccess,
): Promise<void> {
  const { client, place } = await open(id, access);
  const off = kustomizations.map((each) => [each, { prune: false }] as const);
  await client.fluxConfigurations.beginUpdateAndWait(
    ...place,
    name,
    { suspend: true, kustomizations: Object.fromEntries(off) },
    { abortSignal: AbortSignal.timeout(patience) },
  );
}

/** Deletes a configuration, with its Kustomizations and its source on the cluster. */
export async function removeInAzure({ id, name }: OldConfiguration, access: AzureAccess): Promise<void> {
  const { client, place } = await open(id, access);
  await client.fluxConfigurations.beginDeleteAndWait(...place, name, {
    abortSignal: AbortSignal.timeout(patience),
  });
}

async function open(id: string, access: AzureAccess) {
  const cluster = parseClusterId(id);
  return { client: await configurationClient(cluster.subscriptionId, access), place: clusterPlace(cluster) };
}
