import type { Builder } from "../build/index.ts";
import { treeWith } from "../checks/applied/index.ts";
import { toYaml, type YamlMap } from "../flux/yaml.ts";
import { asMap, asText } from "../values/maps.ts";
import type { NotTaken } from "./notTaken.ts";
import { bootstrapName, type Root } from "./roots.ts";

/** A root with what flux-operator's patches do to it and to its source, as kustomize applies them. */
export async function patchedRoot(
  root: Root,
  builder: Pick<Builder, "build">,
  notTaken: NotTaken[],
): Promise<Root> {
  // What is patched without a target, or of another kind, is no object of the sync.
  const patches = (root.patches ?? []).filter((patch) => matchesSync(asMap(asMap(patch)["target"])));
  if (patches.length === 0) return root;
  const { kind } = root.source;
  const metadata = { name: root.name, namespace: bootstrapName };
  const synced = { apiVersion: "kustomize.toolkit.fluxcd.io/v1", kind: "Kustomization", metadata };
  const source = { apiVersion: "source.toolkit.fluxcd.io/v1", kind, metadata };
  const files = Object.entries({
    "root.yaml": { ...synced, spec: root.spec },
    "source.yaml": { ...source, spec: root.sourceSpec },
    "kustomization.yaml": { resources: ["root.yaml", "source.yaml"], patches },
  }).map(([path, value]) => [path, toYaml(value as YamlMap, "")] as const);
  const tree = treeWith(undefined, new Map(files), new Set());
  const [outcome] = await builder.build([{ tree, spec: { path: "./" } }]);
  if (outcome?.kind !== "built") {
    const reason =
      "could not be applied here to the root and its source; look whether they matter to the sets";
    notTaken.push({ file: root.file, path: `${root.label}: patches`, reason, matter: "decide" });
    return root;
  }
  const specOf = (wanted: string) => {
    const found = outcome.objects.find(({ object }) => object["kind"] === wanted);
    return found && asMap(found.object["spec"]);
  };
  return {
    ...root,
    spec: specOf("Kustomization") ?? root.spec,
    sourceSpec: specOf(kind) ?? root.sourceSpec!,
  };
}

function matchesSync({ kind }: Readonly<Record<string, unknown>>): boolean {
  return /^(Kustomization|GitRepository|OCIRepository)$/.test(asText(kind) ?? "");
}
