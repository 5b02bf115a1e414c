import type { Cluster } from "../fleet/model.ts";
import { compareMeaning } from "../flux/compareMeaning.ts";
import type { ChangeOrigin } from "../git/index.ts";
import { folderOf, nameOf } from "../values/path.ts";
import { printable, showNames } from "../values/show.ts";
import type { Fault } from "./fault.ts";
import { isOurs } from "./generatedFiles.ts";
import type { RepositoryReader } from "./repositoryReader.ts";
import { hasBytes } from "./sameBytes.ts";
import { writersOf } from "./writers.ts";

interface Edit {
  readonly cluster: string;
  readonly by: ChangeOrigin;
  readonly fields: readonly string[];
}

/**
 * Warnings for generated files that somebody changed or took back in the repository, one for each commit: "3 clusters,
 * 4f2a1c0 by Pat: interval". Fields on which the file and the fleet file agree are none. Only files whose bytes differ from
 * what an update would write are read, and a commit of Arcflux is no edit.
 */
export async function checkHandEdits(
  rendered: ReadonlyMap<Cluster, ReadonlyMap<string, string>>,
  reader: RepositoryReader,
): Promise<Fault[]> {
  const edits = await Promise.all(
    [...rendered].flatMap(([{ name }, files]) =>
      [...files].map(async ([path, wanted]): Promise<Edit[]> => {
        const entry = (await reader.list(folderOf(path)))?.find((one) => one.name === nameOf(path));
        if (entry?.kind !== "file" || hasBytes(entry, wanted)) return [];
        const [by, there = ""] = await Promise.all([reader.lastChange(path), reader.read(path)]);
        if (by === undefined || (by.writer !== undefined && by.reverts === undefined) || !isOurs(there))
          return [];
        const { same, differences } = compareMeaning(path, there, wanted);
        return same ? [] : [{ cluster: name, by, fields: differences.map(fieldOf) }];
      }),
    ),
  );
  const found = edits.flat();
  // Who renders to the repository and commits that by hand has written the files, not changed them.
  const isByHand = found.length > 0 && (await writersOf(untouched(rendered, found), reader)).size === 0;
  const told = isByHand ? found.filter(({ by }) => by.reverts !== undefined) : found;
  const byCommit = Map.groupBy(told, ({ by, fields }) => `${by.commit} ${fields.join(" ")}`);
  return [...byCommit.values()].flatMap((group): Fault[] => {
    const [first] = group;
    if (first === undefined) return [];
    const { by, fields, cluster } = first;
    const clusters = new Set(group.map((edit) => edit.cluster)).size;
    const what = by.reverts === undefined ? "changed generated files" : "took generated files back";
    return [
      {
        severity: "warning",
        path: ["clusters", cluster],
        message: printable(
          `${clusters} cluster${clusters === 1 ? "" : "s"}, ${by.commit.slice(0, 7)} by ${by.author}: ${showNames(new Set(fields), 6)}. ` +
            `It ${what}; write the change into the fleet file, or put them back with stack config arcflux:drift restore`,
        ),
      },
    ];
  });
}

/** Clusters without an edit, which tell who writes to the repository. */
function untouched(
  rendered: ReadonlyMap<Cluster, unknown>,
  edits: readonly { readonly cluster: string }[],
): Cluster[] {
  const edited = new Set(edits.map(({ cluster }) => cluster));
  return [...rendered.keys()].filter(({ name }) => !edited.has(name));
}

/** The field of a difference such as `spec.interval: 5m -> 10m`. */
function fieldOf(difference: string): string {
  const colon = difference.indexOf(": ");
  return (colon < 0 ? difference : difference.slice(0, colon)).replace(/^spec\./, "");
}
