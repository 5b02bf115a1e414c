import { documents } from "../checks/documents.ts";
import type { Branches, ToldCommit } from "../git/index.ts";
import type { Placing } from "./placing.ts";
import { versionsIn, type Versions } from "./versions.ts";

/** What a commit changed, in words: `chart pos 1.4.2 -> 1.5.0 (40 clusters)`. */
export interface Changed {
  readonly text: string;
  /** Clusters that it is about, as far as the paths tell. */
  readonly clusters: readonly string[];
}

/** Files of a commit that are looked into; of those beyond only the sets are said. */
const mostFiles = 2000;

/** What the commit changed as against the one before it on the branch: sets, pins, charts, images. */
export async function changedBy(
  repository: Pick<Branches, "changes" | "reader">,
  branch: string,
  commit: ToldCommit,
  before: ToldCommit | undefined,
  placing: Placing,
): Promise<Changed[]> {
  if (before === undefined) return [{ text: "the first commit of the branch", clusters: [] }];
  const changes = (await repository.changes(before.tree, commit.tree)).filter((change) =>
    placing.isIn(change),
  );
  const yaml = changes.filter(({ path }) => /\.ya?ml$/i.test(path)).slice(0, mostFiles);
  const [old, fresh] = await Promise.all([
    repository.reader(branch, before).read(yaml.flatMap(({ path, from }) => (from ? [path] : []))),
    repository.reader(branch, commit).read(yaml.flatMap(({ path, to }) => (to ? [path] : []))),
  ]);
  const said = new Map<string, Set<string>>();
  const say = (text: string, cluster: string | undefined): void => {
    const clusters = said.get(text) ?? new Set<string>();
    if (cluster !== undefined) clusters.add(cluster);
    said.set(text, clusters);
  };
  const others = new Set<string>();
  for (const change of changes) {
    const { cluster, set, isSetFile = false } = placing.placeOf(change.path);
    if (isSetFile && (change.from === undefined || change.to === undefined))
      say(`${change.to === undefined ? "-" : "+"} set ${set}`, cluster);
    const versions = versionChanges(versionsAt(old, change.path), versionsAt(fresh, change.path));
    for (const text of versions) say(text, cluster);
    if (versions.length > 0) continue;
    if (set === undefined) others.add(change.path);
    else if (!isSetFile || (change.from !== undefined && change.to !== undefined))
      say(`~ set ${set}`, cluster);
  }
  const listed = [...said].map(([text, clusters]) => ({ text, clusters: [...clusters] }));
  if (others.size > 0) listed.push({ text: otherFiles([...others]), clusters: [] });
  return listed;
}

function versionsAt(files: ReadonlyMap<string, Uint8Array>, path: string): Versions {
  const content = files.get(path);
  return versionsIn(content === undefined ? [] : (documents(Buffer.from(content).toString()) ?? []));
}

function versionChanges(old: Versions, fresh: Versions): string[] {
  return [...new Set([...old.keys(), ...fresh.keys()])].flatMap((key) => {
    const [was, is] = [old.get(key)?.text, fresh.get(key)?.text];
    if (was === is) return [];
    if (was === undefined) return [`+ ${key} ${is}`];
    return is === undefined ? [`- ${key} ${was}`] : [`${key} ${was} -> ${is}`];
  });
}

function otherFiles([first = "", ...more]: readonly string[]): string {
  return `~ ${first}${more.length === 0 ? "" : ` and ${more.length} more files`}`;
}
