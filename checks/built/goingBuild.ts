import type { Builder, SourceTree } from "../../build/index.ts";
import { normalFolder } from "../../build/index.ts";
import { fluxUrl } from "../../fleet/sourceUrl.ts";
import type { Cluster, ClusterSet, Fleet } from "../../fleet/model.ts";
import type { GoingBuild } from "../../judge/index.ts";
import { asMap, asText, type YamlMap } from "../../values/maps.ts";
import { fullPath } from "../../values/path.ts";
import type { GoingSet } from "../deletions/index.ts";
import { documents } from "../documents.ts";
import type { PinnedTrees } from "../pinnedTrees.ts";
import type { RepositoryReader } from "../repositoryReader.ts";
import { buildOf } from "./request.ts";
import { declaredSources, sourceOf } from "./sourceOf.ts";

/** The repository as it is, without the update. */
export interface GoingPlace {
  readonly reader: RepositoryReader;
  readonly followed: ReadonlyMap<string, SourceTree>;
  readonly pinned: PinnedTrees;
}

/** What a set that goes has applied, as its cluster has it: at the branch or the pin that stands in Git. */
export async function goingBuild(
  fleet: Fleet,
  cluster: Cluster,
  { name, text }: GoingSet,
  { reader, followed, pinned }: GoingPlace,
  builder: Pick<Builder, "build">,
): Promise<GoingBuild | undefined> {
  const spec = asMap(objectIn(text, "Kustomization", name)?.["spec"]);
  const path = asText(spec["path"]);
  if (path === undefined) return undefined;
  const set = { spec, sourceRef: asMap(spec["sourceRef"]) } as unknown as ClusterSet;
  const committed = await committedSource(cluster, set.sourceRef, reader);
  const own =
    committed === undefined
      ? declaredSources(cluster)(set.sourceRef.name)
      : committed["url"] === fluxUrl(fleet.repository.url)
        ? committed
        : undefined;
  const source = sourceOf(set, cluster, () => own, followed);
  const unseen = (why: string): GoingBuild => ({ name, set, build: { kind: "unjudged", why } });
  if ("elsewhere" in source) return unseen(source.elsewhere);
  const isFollowed = "branch" in source;
  const from = isFollowed ? followed.get(source.branch) : await pinned(source.ref);
  if (from === undefined) return unseen(`what ${set.sourceRef.name} is pinned to could not be read`);
  const [outcome] = await builder.build([{ tree: from, view: source.view, spec: set.spec }]);
  return { name, set, build: buildOf(outcome!, normalFolder(path)) };
}

/** Spec of a GitRepository as it stands in the flux folder: the fleet file may say otherwise by now, or nothing. */
async function committedSource(
  { fluxFolder }: Cluster,
  { kind, name }: ClusterSet["sourceRef"],
  reader: RepositoryReader,
): Promise<YamlMap | undefined> {
  if (kind !== "GitRepository") return undefined;
  const paths = [`source-${name}.yaml`, `${name}.yaml`].map((file) => fullPath(fluxFolder, file));
  const texts = await Promise.all(paths.map((path) => reader.read(path)));
  const found = texts.map((text) => (text === undefined ? undefined : objectIn(text, "GitRepository", name)));
  const object = found.find((one) => one !== undefined);
  return object && asMap(object["spec"]);
}

function objectIn(text: string, kind: string, name: string): YamlMap | undefined {
  return (documents(text) ?? []).find(
    (object) => object["kind"] === kind && asMap(object["metadata"])["name"] === name,
  );
}
