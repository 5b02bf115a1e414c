import type { Cluster, Fleet } from "../../fleet/model.ts";
import { folder as normal } from "../../values/repositoryPath.ts";
import { fullPath, nameOf } from "../../values/path.ts";
import { foldersDownTo } from "../foldersDownTo.ts";
import { ownerOfFolder } from "../readInventory.ts";
import type { RepositoryReader } from "../repositoryReader.ts";
import type { Remark } from "./deletion.ts";

/** Whose clusters are looked for. */
export interface Whose {
  /** All clusters of the fleet file, of which a stack may manage a part. */
  readonly declared: readonly Cluster[];
  /** Project and stack, such as `edge/prod`; undefined for a check without one: whoever wrote the declared clusters. */
  readonly owner: string | undefined;
}

/**
 * Clusters that the fleet file has no more while a branch still has their generated files: dropping one deletes its
 * configuration, and Flux then deletes everything that it applied there. Folders are looked for where the layout puts
 * clusters, and beside and above those that declared ones have, since a cluster may have had a `folder` of its own; what
 * another stack wrote is not ours to speak of.
 */
export async function droppedClusters(
  { layout }: Fleet,
  reader: RepositoryReader,
  { declared, owner }: Whose,
): Promise<Remark[]> {
  const known = new Set(declared.map(({ folder }) => folder));
  const names = new Set(declared.flatMap(({ name, formerly = name }) => [name, formerly]));
  const likely = await Promise.all([
    foldersLike(normal(layout.cluster), reader),
    ...[...foldersAbove(known)].map((path) => foldersIn(path, reader)),
  ]);
  const candidates = [...new Set(likely.flat())].filter((path) => !known.has(path));
  const found = await Promise.all(
    candidates.map(async (path) => ({
      path,
      ...(await ownerOfFolder(normal(`${path}/${layout.flux}`), reader)),
    })),
  );
  const left = found.filter(({ cluster }) => cluster !== undefined);
  if (left.length === 0) return [];
  const stacks = owner === undefined ? await stacksOf(declared, reader) : new Set([owner]);
  return left.flatMap(({ path, stack = "", cluster = "" }): Remark[] => {
    // One that is declared has moved, and its old folder stays complete until it is released.
    if (names.has(cluster) || !stacks.has(stack)) return [];
    return [
      {
        cluster,
        going: [{ kind: "cluster", name: cluster }],
        text: `is gone from the fleet file, and ${path} has its files: dropping it deletes everything that Flux applied on it`,
        ways: "To keep it, put it back. To let it go, retire it first (`lifecycle: retired` in one update)",
      },
    ];
  });
}

/** The stacks that own the folders of clusters. */
async function stacksOf(
  clusters: readonly Cluster[],
  reader: RepositoryReader,
): Promise<ReadonlySet<string>> {
  const owners = await Promise.all(clusters.map(({ fluxFolder }) => ownerOfFolder(fluxFolder, reader)));
  return new Set(owners.flatMap((owner) => owner?.stack ?? []));
}

function foldersAbove(folders: Iterable<string>): ReadonlySet<string> {
  return new Set([...folders].flatMap((path) => foldersDownTo(path).slice(0, -1)));
}

async function foldersIn(path: string, reader: RepositoryReader): Promise<string[]> {
  const entries = (await reader.list(path)) ?? [];
  return entries.filter(({ kind }) => kind === "folder").map(({ name }) => fullPath(path, name));
}

/** Folders that a template of the layout may stand for: a part with a placeholder is any name of its form. */
async function foldersLike(template: string, reader: RepositoryReader): Promise<string[]> {
  let found = [""];
  for (const part of template.split("/")) {
    if (!part.includes("{")) {
      found = found.map((path) => fullPath(path, part));
      continue;
    }
    const form = new RegExp(
      `^${part
        .split(/\{[^}]*\}/)
        .map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
        .join("[^/]+")}$`,
    );
    const lists = await Promise.all(
      found.map(async (path) => (await foldersIn(path, reader)).filter((inner) => form.test(nameOf(inner)))),
    );
    found = lists.flat();
  }
  return found;
}
