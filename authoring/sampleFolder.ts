/**
 * Files that make a folder of manifests which Flux builds: a namespace of the same name, to put the first manifests beside.
 * Path below the folder to content.
 */
export function sampleFolder(name: string): ReadonlyMap<string, string> {
  // A set may have dots in its name, a namespace may not.
  const namespace = name.replaceAll(".", "-");
  return new Map([
    [
      "kustomization.yaml",
      "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources:\n  - namespace.yaml\n",
    ],
    ["namespace.yaml", `apiVersion: v1\nkind: Namespace\nmetadata:\n  name: ${namespace}\n`],
  ]);
}
