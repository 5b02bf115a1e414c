import { type Cluster, type Fleet, fluxNamespace } from "../fleet/model.ts";
import { fluxUrl } from "../fleet/sourceUrl.ts";
import { ownerLabels } from "../flux/owner.ts";
import { fluxKinds, type KubernetesApi } from "../status/index.ts";

/** An object on a cluster that somebody else has under the name of one of ours. */
export interface FoundOnCluster {
  readonly kind: "GitRepository" | "Kustomization";
  readonly name: string;
  /** Who has it, in a sentence: `Kustomization flux-system`, `flux`, `another Pulumi stack`. */
  readonly owner: string;
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
 * Objects that the update would create on a cluster and that others have there already. What Pulumi itself applied with the
 * same meaning is none: that is a stack whose state was lost, and the update takes it as it is. Rejects where the cluster
 * does not answer.
 */
export async function findOnCluster(
  { config, fluxFolder }: Cluster,
  { url }: Pick<Fleet["repository"], "url">,
  api: KubernetesApi,
): Promise<FoundOnCluster[]> {
  const wanted = [
    { kind: "GitRepository", name: config, field: "url", value: fluxUrl(url) },
    { kind: "Kustomization", name: `${config}-bootstrap`, field: "path", value: `./${fluxFolder}` },
  ] as const;
  const found = await Promise.all(
    wanted.map(async ({ kind, name, field, value }): Promise<FoundOnCluster[]> => {
      const object = (await api.read(fluxKinds[kind], fluxNamespace, name)) as Read | undefined;
      if (object === undefined) return [];
      const owner = ownerOf(object) ?? (object.spec?.[field] === value ? undefined : "another Pulumi stack");
      return owner === undefined ? [] : [{ kind, name, owner }];
    }),
  );
  return found.flat();
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
