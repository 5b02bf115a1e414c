import { documents } from "../checks/documents.ts";
import { type Branches, inventoryName, type ToldCommit, type TreeChange } from "../git/index.ts";
import type { Place, Placing } from "./placing.ts";
import { versionsIn, type Versions } from "./versions.ts";

/** What a commit changed, in words: `chart pos 1.4.2 -> 1.5.0`. */
export interface Changed {
  readonly text: string;
  /** Clusters that it is about, as far as the paths tell. */
  readonly clusters: readonly string[];
  /** More clusters in which the same file changed and was not read, where all that were read say the same. */
  readonly unread?: number;
}

/** Files of one name that are read, however many clusters have them: an update writes them alike. */
const mostAlike = 200;

interface Placed extends TreeChange, Place {}

/** What the commit changed as against the one before it on the branch: sets, pins, charts, images. */
export async function changedBy(
  repository: Pick<Branches, "changes" | "reader">,
  branch: string,
  commit: ToldCommit,
  before: ToldCommit | undefined,
  placing: Placing,
): Promise<Changed[]> {
  if (before === undefined) return [{ text: "the first commit of the branch", clusters: [] }];
  const changes = (await repository.changes(before.tree, commit.tree))
    // An inventory changes with what it lists.
    .filter((change) => placing.isIn(change) && !change.path.endsWith(inventoryName))
    .map((change): Placed => ({ ...change, ...placing.placeOf(change.path) }));
  const groups = [...Map.groupBy(changes, ({ path, name }) => name ?? path).values()];
  const read = groups
    .flatMap((group) => group.slice(0, mostAlike))
    .filter(({ path }) => /\.ya?ml$/i.test(path));
  const [old, fresh] = await Promise.all([
    repository.reader(branch, before).read(read.flatMap(({ path, from }) => (from ? [path] : []))),
    repository.reader(branch, commit).read(read.flatMap(({ path, to }) => (to ? [path] : []))),
  ]);
  const wordsOf = ({ path }: Placed): string[] =>
    versionChanges(versionsAt(old, path), versionsAt(fresh, path));
  return merged(groups.flatMap((group) => saidOf(group, wordsOf)));
}

/** What is said of files of one name, each in the folder of another cluster. */
function saidOf(group: readonly Placed[], wordsOf: (change: Placed) => string[]): Changed[] {
  const [first] = group as [Placed, ...Placed[]];
  const said = new Map<string, string[]>();
  const say = (text: string, { cluster }: Placed): void => {
    said.set(text, [...(said.get(text) ?? []), ...(cluster === undefined ? [] : [cluster])]);
  };
  for (const change of group.filter(({ isSetFile }) => isSetFile)) {
    if (change.from === undefined) say(`+ set ${change.set}`, change);
    if (change.to === undefined) say(`- set ${change.set}`, change);
  }
  const comesAndGoes = said.size > 0;
  const unread = Math.max(0, group.length - mostAlike);
  const words = group.slice(0, mostAlike).map((change) => ({ change, texts: wordsOf(change) }));
  for (const { change, texts } of words) for (const text of texts) say(text, change);
  const silent = words.filter(({ texts }) => texts.length === 0).map(({ change }) => change);
  const agree =
    silent.length === 0 && words.every(({ texts }) => texts.join("\n") === words[0]!.texts.join("\n"));
  const what = first.set === undefined ? (first.name ?? first.path) : `set ${first.set}`;
  if (!comesAndGoes) for (const change of silent) say(`~ ${what}`, change);
  const lines = [...said].map(([text, clusters]) => ({
    text,
    clusters,
    ...(agree && unread > 0 && { unread }),
  }));
  const isOpen = unread > 0 && !agree && !comesAndGoes;
  const rest = group.slice(mostAlike).flatMap(({ cluster }) => cluster ?? []);
  return isOpen ? [...lines, { text: `~ ${what}`, clusters: rest }] : lines;
}

/** The same words of several files are said once. */
function merged(all: readonly Changed[]): Changed[] {
  return [...Map.groupBy(all, ({ text }) => text)].map(([text, alike]): Changed => {
    const unread = Math.max(0, ...alike.map((one) => one.unread ?? 0));
    return {
      text,
      clusters: [...new Set(alike.flatMap(({ clusters }) => clusters))],
      ...(unread > 0 && { unread }),
    };
  });
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
