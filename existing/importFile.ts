import packageFile from "../package.json" with { type: "json" };
import type { FoundInAzure } from "./azure.ts";

/** What `pulumi import --file` reads. */
export interface ImportFile {
  readonly resources: readonly ImportedResource[];
}

interface ImportedResource {
  readonly type: string;
  readonly name: string;
  readonly id?: string;
  readonly parent?: string;
  readonly component?: true;
  readonly version?: string;
}

/** Parents are known by names of their own in the file: other components are called as the cluster too. */
const component = (cluster: string): ImportedResource => ({
  type: "arcflux:index:FluxBootstrap",
  name: cluster,
  component: true,
});

const version = packageFile.dependencies["@pulumi/azure-native"];

/**
 * Takes what Azure has of clusters into the state of a stack, as the program registers it: types, names and parents. A
 * configuration that is not ours is left out.
 */
export function importFile(found: ReadonlyMap<string, FoundInAzure>): ImportFile {
  const resources = [...found].flatMap(([cluster, { extension, configuration }]) => {
    const child = (type: string, suffix: string, id: string): ImportedResource => ({
      type: `azure-native:kubernetesconfiguration:${type}`,
      ...{ name: `${cluster}-${suffix}`, id, parent: cluster, version },
    });
    const children = [
      ...(extension === undefined ? [] : [child("Extension", "flux", extension)]),
      ...(configuration?.isOurs ? [child("FluxConfiguration", "configuration", configuration.id)] : []),
    ];
    return children.length === 0 ? [] : [component(cluster), ...children];
  });
  return { resources };
}
