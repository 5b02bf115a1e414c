import { isDeepStrictEqual } from "node:util";
import { posix } from "node:path";
import { type Builder, type BuildOutcome, normalFolder, type SourceTree } from "../build/index.ts";
import { treeWith } from "../checks/applied/index.ts";
import { type App, type AppPatch, fluxNamespace, type PatchTarget, type PlainMap } from "../fleet/model.ts";
import { appsSet } from "../fleet/resolveSets.ts";
import { rules } from "../fleet/rules.ts";
import { appsFolder, renderApps } from "../flux/apps.ts";
import { toYaml } from "../flux/yaml.ts";
import { asList, asMap, asText, isMap, type YamlMap } from "../values/maps.ts";
import { isInside, nameOf } from "../values/path.ts";
import { readYaml } from "../values/readYaml.ts";
import type { ImportedObject } from "./documents.ts";
import { placeOf } from "./readCluster.ts";
import type { SourceName } from "./roots.ts";

export interface ImportedApps {
  /** `apps` of a cluster. */
  readonly entries: YamlMap;
  /** The files that say so today. */
  readonly files: readonly string[];
}

/** An app on its way to `apps` of a cluster. */
interface ImportedApp {
  readonly name: string;
  /** Repository path of its folder. */
  readonly folder: string;
  readonly patches: AppPatch[];
}

/** The set goes on under its name, so that nothing is deleted: no other one becomes it. */
const appsPlace = `${fluxNamespace}/${appsSet}`;

/** Fields of a kustomization.yaml, of a patch in it and of a target that a fleet file has words for. */
const known = {
  list: new Set(["apiVersion", "kind", "resources", "patches"]),
  patch: new Set(["path", "patch", "target"]),
  target: new Set(["group", "version", "kind", "name", "namespace", "labelSelector", "annotationSelector"]),
};

/**
 * `apps` of a cluster by the folder that its set apps-base applies: a list of folders elsewhere, and patches for what comes
 * from them. `follows` stands for the fleet's own repository. Undefined where the folder holds more, or where what Arcflux would generate in `place` builds to other objects.
 */
export async function appsIn(
  tree: SourceTree,
  objects: readonly Pick<ImportedObject, "value">[],
  follows: SourceName,
  place: string,
  builder: Pick<Builder, "build">,
): Promise<ImportedApps | undefined> {
  const set = objects.find(({ value }) => value["kind"] === "Kustomization" && placeOf(value) === appsPlace);
  const spec = asMap(set?.value["spec"]);
  const { kind, name, namespace = fluxNamespace } = asMap(spec["sourceRef"]);
  if (kind !== "GitRepository" || kind !== follows.kind || name !== follows.name) return undefined;
  if (namespace !== (follows.namespace ?? fluxNamespace)) return undefined;
  const folder = normalFolder(asText(spec["path"]) ?? "");
  const files = [`${folder}/kustomization.yaml`];
  const list = await mapIn(tree, files[0]!);
  if (list === undefined || !hasOnly(list, known.list)) return undefined;
  const apps = asList(list["resources"]).map((resource) => appAt(folder, resource));
  if (apps.length === 0 || !apps.every((app) => app !== undefined)) return undefined;
  if (new Set(apps.map(({ name }) => name)).size < apps.length) return undefined;
  for (const entry of asList(list["patches"])) {
    const patch = await patchOf(tree, folder, entry);
    if (patch === undefined) return undefined;
    const path = asText(asMap(entry)["path"]) ?? "";
    if (path !== "") files.push(posix.join(folder, path));
    const own = (name: string): boolean =>
      name === patch.target.name || name === nameOf(path).replace(/(\.\d+)?\.ya?ml$/, "");
    (apps.find(({ name }) => own(name)) ?? apps[0]!).patches.push(patch);
  }
  const generated = filesOf(apps, place);
  const fields = { ...spec, path: `./${folder}` };
  const [before, after] = await builder.build([
    { tree, spec: fields },
    {
      tree: treeWith(tree, generated, new Set()),
      spec: { ...fields, path: `./${place}/${appsFolder}` },
    },
  ]);
  if (!isDeepStrictEqual(objectsOf(before), objectsOf(after)) || objectsOf(before) === undefined)
    return undefined;
  return { entries: Object.fromEntries(apps.map((app) => [app.name, entryOf(app)])), files };
}

function appAt(folder: string, resource: unknown): ImportedApp | undefined {
  if (typeof resource !== "string" || /^\/|:\/\/|\?|\.ya?ml$/.test(resource)) return undefined;
  const path = posix.join(folder, resource).replace(/\/$/, "");
  const name = nameOf(path);
  if (path.startsWith("..") || isInside(path, folder) || !rules.appName.pattern.test(name)) return undefined;
  return { name, folder: path, patches: [] };
}

/** A patch that is merged; a list of operations has no place under `apps`. */
async function patchOf(tree: SourceTree, folder: string, entry: unknown): Promise<AppPatch | undefined> {
  const { path, patch, target } = asMap(entry);
  const stated = asMap(target);
  if (!hasOnly(asMap(entry), known.patch) || !hasOnly(stated, known.target)) return undefined;
  if (asText(stated["kind"]) === undefined || asText(stated["name"]) === undefined) return undefined;
  const value =
    typeof patch === "string"
      ? mapOf(patch)
      : typeof path === "string"
        ? await mapIn(tree, posix.join(folder, path))
        : undefined;
  // What SOPS has encrypted is signed as a whole.
  if (value === undefined || "sops" in value) return undefined;
  const metadata = without(asMap(value["metadata"]), "name", "namespace");
  return {
    target: stated as unknown as PatchTarget,
    patch: {
      ...without(value, "apiVersion", "kind", "metadata"),
      ...(Object.keys(metadata).length > 0 && { metadata }),
    } as PlainMap,
  };
}

/** What names the patched object goes: the target says that. */
function without(map: YamlMap, ...keys: readonly string[]): YamlMap {
  return Object.fromEntries(Object.entries(map).filter(([key]) => !keys.includes(key)));
}

function filesOf(apps: readonly ImportedApp[], place: string): ReadonlyMap<string, string> {
  const up = "../".repeat(place.split("/").length + 1);
  const rendered = renderApps({
    apps: [...apps]
      .sort((one, other) => (one.name < other.name ? -1 : 1))
      .map(({ name, folder, patches }): App => ({ name, resource: `${up}${folder}`, patches })),
  });
  return new Map(Object.entries(rendered).map(([path, value]) => [`${place}/${path}`, toYaml(value, "")]));
}

function entryOf({ name, folder, patches }: ImportedApp): YamlMap {
  const [first, ...others] = patches;
  const { kind, name: target, ...more } = first?.target ?? {};
  const { values, ...spec } = asMap(first?.patch["spec"]);
  const isValues =
    kind === "HelmRelease" &&
    target === name &&
    isMap(values) &&
    Object.keys(more).length + Object.keys(spec).length + others.length === 0 &&
    Object.keys(first!.patch).length === 1;
  return {
    ...(folder !== `apps/${name}` && { path: `./${folder}` }),
    ...(isValues ? { values } : patches.length > 0 && { patches }),
  };
}

/** Objects in an order that no list of resources decides; undefined where nothing was built. */
function objectsOf(outcome: BuildOutcome | undefined): readonly string[] | undefined {
  return outcome?.kind === "built"
    ? outcome.objects.map(({ object }) => JSON.stringify(object)).sort()
    : undefined;
}

async function mapIn(tree: SourceTree, path: string): Promise<YamlMap | undefined> {
  const content = (await tree.read([path])).get(path);
  return content && mapOf(new TextDecoder().decode(content));
}

function mapOf(text: string): YamlMap | undefined {
  const read = readYaml(text, { version: "1.2", uniqueKeys: true });
  const [value, ...others] = "fault" in read ? [] : read.documents;
  return isMap(value) && others.length === 0 ? value : undefined;
}

function hasOnly(map: YamlMap, keys: ReadonlySet<string>): boolean {
  return Object.keys(map).every((key) => keys.has(key));
}
