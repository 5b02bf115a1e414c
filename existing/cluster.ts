import { type Cluster, type Fleet, fluxNamespace } from "../fleet/model.ts";
import { fluxUrl } from "../fleet/sourceUrl.ts";
import { ownerLabels } from "../flux/owner.ts";
import { type ApiObject, fluxKinds, type KubernetesApi, Refused } from "../status/index.ts";
import { asMap, asText } from "../values/maps.ts";
import { isSameRepository } from "../values/repositoryUrl.ts";
import { overlap, type Running } from "./overlaps.ts";

/** An object on a cluster that somebody else has under the name of one of ours. */
export interface FoundOnCluster {
  readonly kind: "GitRepository" | "Kustomization";
  readonly name: string;
  /** Who has it, in a sentence: `Kustomization flux-system`, `flux`, `another Pulumi stack`. */
  readonly owner: string;
}

/** What others have on a cluster that an update would make, or apply. */
export interface OnCluster {
  readonly objects: readonly FoundOnCluster[];
  /** What a Kustomization of theirs applies of the cluster's own, in words. */
  readonly overlap?: string;
}

interface Read {
  readonly metadata?: {
    readonly labels?: Readonly<Record<string, string>>;
    readonly managedFields?: readonly {
      readonly manager?: string;
      readonly fieldsV1?: Readonly<Record<string, unknown>>;
    }[];
  };
  readonly spec?: Readonly<Record<string, unknown>>;
}

/**
 * Objects that the update would create on a cluster and that others have there already, and what of theirs applies the same. What Pulumi itself applied with the
 * same meaning is none: that is a stack whose state was lost, and the update takes it as it is. Rejects where the cluster
 * does not answer.
 */
export async function findOnCluster(
  cluster: Cluster,
  { url }: Pick<Fleet["repository"], "url">,
  api: KubernetesApi,
): Promise<OnCluster> {
  const { config, fluxFolder } = cluster;
  const wanted = [
    { kind: "GitRepository", name: config, field: "url", value: fluxUrl(url) },
    { kind: "Kustomization", name: `${config}-bootstrap`, field: "path", value: `./${fluxFolder}` },
  ] as const;
  const [kustomizations, sources, ...found] = await Promise.all([
    listed(api, "Kustomization"),
    listed(api, "GitRepository"),
    ...wanted.map(async ({ kind, name, field, value }): Promise<FoundOnCluster[]> => {
      const object = (await api.read(fluxKinds[kind], fluxNamespace, name)) as Read | undefined;
      if (object === undefined) return [];
      const owner = ownerOf(object) ?? (object.spec?.[field] === value ? undefined : "another Pulumi stack");
      return owner === undefined ? [] : [{ kind, name, owner }];
    }),
  ]);
  const double = overlap(cluster, runningOn(cluster, { kustomizations, sources, url }));
  return { objects: found.flat(), ...(double !== undefined && { overlap: double }) };
}

/** Objects of all namespaces, or of Flux's own where one may look nowhere else, as whoever only writes there. */
function listed(api: KubernetesApi, kind: "Kustomization" | "GitRepository"): Promise<readonly ApiObject[]> {
  return api.list(fluxKinds[kind]).catch((error: unknown) => {
    if (!(error instanceof Refused)) throw error;
    return api.list(fluxKinds[kind], fluxNamespace);
  });
}

/** Kustomizations of others that take the fleet's repository. Those of our sets' names are what the bootstrap takes over. */
function runningOn(
  { config, sets }: Cluster,
  {
    kustomizations,
    sources,
    url,
  }: {
    readonly kustomizations: readonly ApiObject[];
    readonly sources: readonly ApiObject[];
    readonly url: string;
  },
): Running[] {
  const own = new Set(
    [`${config}-bootstrap`, ...sets.map(({ name }) => name)].map((name) => `${fluxNamespace}/${name}`),
  );
  const urls = new Map(sources.map((one) => [keyOf(one), asText(asMap(one["spec"])["url"]) ?? ""]));
  return kustomizations.flatMap((one): Running[] => {
    const { suspend, path, sourceRef } = asMap(one["spec"]);
    const { kind, name, namespace = asMap(one["metadata"])["namespace"] } = asMap(sourceRef);
    const source = urls.get(`${asText(namespace)}/${asText(name)}`);
    if (suspend === true || own.has(keyOf(one)) || kind !== "GitRepository" || source === undefined)
      return [];
    if (!isSameRepository(source, url)) return [];
    return [{ label: `Kustomization ${keyOf(one)}`, path: asText(path) ?? "./" }];
  });
}

function keyOf(object: ApiObject): string {
  const { namespace, name } = asMap(object["metadata"]);
  return `${asText(namespace)}/${asText(name)}`;
}

/** Who has an object, by the labels of Flux and Helm and by the managers of its spec; undefined where only Pulumi does. */
function ownerOf({ metadata: { labels = {}, managedFields = [] } = {} }: Read): string | undefined {
  const appliedBy = labels[ownerLabels.name];
  if (appliedBy !== undefined) return `Kustomization ${appliedBy}`;
  if (labels["app.kubernetes.io/managed-by"] === "Helm") return "a Helm release";
  const managers = managedFields.filter(({ fieldsV1 }) => fieldsV1 !== undefined && "f:spec" in fieldsV1);
  const others = managers.map(({ manager = "" }) => manager).filter((name) => !/^pulumi/.test(name));
  return others[0] ?? (managers.length === 0 ? "somebody else" : undefined);
}
