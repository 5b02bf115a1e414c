import type { Cluster, Fleet } from "../fleet/model.ts";
import { folder } from "../values/repositoryPath.ts";
import { printable, showNames } from "../values/show.ts";
import { asText } from "./documents.ts";
import type { Fault } from "./fault.ts";
import { isOurs } from "./generatedFiles.ts";
import {
  describe,
  identity,
  isFluxKustomization,
  type KubernetesObject,
  kubernetesObjects,
} from "./kubernetesObject.ts";
import { kustomizeFolder } from "./kustomizeFolder.ts";
import { overlay } from "./overlay.ts";
import type { RepositoryReader } from "./repositoryReader.ts";

/** A Kustomization that others wrote, with the clusters whose generated files would lie in what it applies. */
interface Root {
  readonly object: KubernetesObject;
  readonly folder: string;
  readonly clusters: Cluster[];
}

/** What `flux bootstrap` puts its own objects into, in the folder that it applies. */
const bootstrapFolder = "flux-system";
/** A folder with more files than that is no place where anybody declares what runs on a cluster. */
const mostFiles = 200;

/**
 * Errors for generated files that would lie in a folder which a Kustomization of others applies: it would stop, since one
 * object is there twice; delete, since our list of files leaves out what it applies now; or apply what the bootstrap does.
 */
export async function checkOtherRoots(
  fleet: Fleet,
  reader: RepositoryReader,
  files: ReadonlyMap<string, string>,
): Promise<Fault[]> {
  const after = overlay(reader, files);
  const roots = await rootsOf(fleet, reader);
  const faults = await Promise.all(
    roots.map(async (root): Promise<Fault[]> => {
      const [before, then] = await Promise.all([
        objectsIn(root.folder, reader, new Set()),
        objectsIn(root.folder, after, new Set(files.keys())),
      ]);
      const kept = new Set(then.map(identity));
      const lost = root.object.spec["prune"] === true ? before.filter((one) => !kept.has(identity(one))) : [];
      const ours = then.filter(({ file }) => files.has(file));
      const message =
        lost.length > 0
          ? deletes(root, lost)
          : ours.length > 0
            ? applies(root, ours, then, files)
            : undefined;
      const [cluster] = root.clusters;
      return message === undefined || cluster === undefined
        ? []
        : [{ severity: "error", path: ["clusters", cluster.name], message: printable(message) }];
    }),
  );
  return faults.flat();
}

async function rootsOf(fleet: Fleet, reader: RepositoryReader): Promise<Root[]> {
  const found = new Map<string, Root>();
  const declared = new Map<string, Promise<readonly KubernetesObject[]>>();
  await Promise.all(
    fleet.clusters.map(async (cluster) => {
      const above = ancestors(cluster.folder);
      const objects = await Promise.all(
        above.map((path) => {
          const known = declared.get(path) ?? declaredIn(path, cluster, reader);
          declared.set(path, known);
          return known;
        }),
      );
      for (const object of objects.flat()) {
        const applied = folder(asText(object.spec["path"]) ?? "");
        if (!isInside(cluster.fluxFolder, applied)) continue;
        const root = found.get(object.file + identity(object)) ?? { object, folder: applied, clusters: [] };
        root.clusters.push(cluster);
        found.set(object.file + identity(object), root);
      }
    }),
  );
  return [...found.values()];
}

/** Kustomizations of others that a folder declares, in itself or as `flux bootstrap` does; those of the flux folder are not. */
async function declaredIn(
  path: string,
  { fluxFolder }: Cluster,
  reader: RepositoryReader,
): Promise<readonly KubernetesObject[]> {
  const lists = await Promise.all(
    [path, join(path, bootstrapFolder)]
      .filter((one) => one !== fluxFolder || one === path)
      .map(async (one) =>
        ((await reader.list(one)) ?? [])
          .filter(({ name, kind }) => kind === "file" && /\.ya?ml$/.test(name))
          .map(({ name }) => join(one, name))
          .slice(0, mostFiles),
      ),
  );
  const texts = await Promise.all(
    lists.flat().map(async (file) => ({ file, text: (await reader.read(file)) ?? "" })),
  );
  return texts
    .filter(({ text }) => !isOurs(text))
    .flatMap(({ file, text }) => kubernetesObjects(text, file) ?? [])
    .filter((object) => isFluxKustomization(object) && object.spec["sourceRef"] !== undefined);
}

/** The objects that a folder builds from: those of others, and of ours the ones whose path is among `ours`. */
async function objectsIn(
  path: string,
  reader: RepositoryReader,
  ours: ReadonlySet<string>,
): Promise<KubernetesObject[]> {
  const { manifests } = await kustomizeFolder(path, reader);
  const texts = await Promise.all(
    manifests.map(async (file) => ({
      file,
      text: /\.ya?ml$/.test(file) ? ((await reader.read(file)) ?? "") : "",
    })),
  );
  return texts
    .filter(({ file, text }) => ours.has(file) || !isOurs(text))
    .flatMap(({ file, text }) => kubernetesObjects(text, file) ?? []);
}

function deletes(root: Root, lost: readonly KubernetesObject[]): string {
  const what = showNames(
    lost.map((object) => `${object.file} (${describe(object)})`),
    6,
  );
  return (
    `${nameOf(root)} applies ${root.folder || "the root"} now, and the generated kustomization.yaml there would leave out ` +
    `${what}, so Flux deletes that with all it applied. ${elsewhere}`
  );
}

function applies(
  root: Root,
  ours: readonly KubernetesObject[],
  all: readonly KubernetesObject[],
  files: ReadonlyMap<string, string>,
): string {
  const theirs = new Map(
    all.filter(({ file }) => !files.has(file)).map((object) => [identity(object), object.file]),
  );
  const twice = ours.filter((object) => theirs.has(identity(object)));
  const [first = ours[0]] = twice;
  const other = first && theirs.get(identity(first));
  if (other !== undefined && first !== undefined) {
    const more = twice.length > 1 ? ` and ${twice.length - 1} more` : "";
    return (
      `${nameOf(root)} applies ${root.folder || "the root"}, and both ${other} and the generated ${first.file} in it would ` +
      `define ${describe(first)}${more}, so it fails for good. ${elsewhere}`
    );
  }
  return (
    `${nameOf(root)} applies ${root.folder || "the root"}, and with it the generated ${first?.file ?? "files"}, which the ` +
    `bootstrap applies too: two owners of one object. ${elsewhere}`
  );
}

const elsewhere =
  "Give the cluster a folder that nothing applies yet, such as `layout: { cluster: fleet/{cluster} }`; leave the old files " +
  "until the new bootstrap owns its sets.";

function nameOf({ object, clusters }: Root): string {
  const more = clusters.length > 1 ? ` (for ${clusters.length} clusters)` : "";
  return `Kustomization ${object.name} in ${object.file}${more}`;
}

/** A folder and those above it, the root among them. */
function ancestors(path: string): string[] {
  const parts = path === "" ? [] : path.split("/");
  return ["", ...parts.map((_, depth) => parts.slice(0, depth + 1).join("/"))];
}

function isInside(path: string, whole: string): boolean {
  return whole === "" || path === whole || path.startsWith(`${whole}/`);
}

function join(path: string, name: string): string {
  return path === "" ? name : `${path}/${name}`;
}
