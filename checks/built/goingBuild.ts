import type { Builder, SourceTree } from "../../build/index.ts";
import { normalFolder } from "../../build/index.ts";
import type { Cluster, ClusterSet } from "../../fleet/model.ts";
import type { GoingBuild } from "../../judge/index.ts";
import { asMap, asText } from "../../values/maps.ts";
import { documents } from "../documents.ts";
import type { GoingSet } from "../deletions/index.ts";
import { buildOf } from "./request.ts";
import { sourceOf } from "./sourceOf.ts";

/** What a set that goes has applied, as the branch that its cluster follows has it; undefined where that lies elsewhere. */
export async function goingBuild(
  cluster: Cluster,
  { name, text }: GoingSet,
  { tree, followed }: { readonly tree: SourceTree; readonly followed: ReadonlyMap<string, SourceTree> },
  builder: Pick<Builder, "build">,
): Promise<GoingBuild | undefined> {
  const object = (documents(text) ?? []).find(
    ({ kind, metadata }) => kind === "Kustomization" && asMap(metadata)["name"] === name,
  );
  const spec = asMap(object?.["spec"]);
  const path = asText(spec["path"]);
  const sourceRef = asMap(spec["sourceRef"]);
  if (path === undefined) return undefined;
  const set = { spec, sourceRef } as unknown as ClusterSet;
  const source = sourceOf(set, cluster);
  if ("elsewhere" in source) return undefined;
  const from = source.branch === cluster.follows ? tree : followed.get(source.branch);
  if (from === undefined) return undefined;
  const [outcome] = await builder.build([{ tree: from, view: source.view, spec: set.spec }]);
  return { name, set, build: buildOf(outcome!, normalFolder(path)) };
}
