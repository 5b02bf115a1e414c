import type { Cluster } from "../fleet/model.ts";
import { compareMeaning } from "../flux/compareMeaning.ts";
import type { ChangeOrigin } from "../git/index.ts";
import { folderOf, nameOf } from "../values/path.ts";
import { printable, showNames } from "../values/show.ts";
import type { Fault } from "./fault.ts";
import { isOurs } from "./generatedFiles.ts";
import { readInventory } from "./readInventory.ts";
import type { RepositoryReader } from "./repositoryReader.ts";
import { hasBytes } from "./sameBytes.ts";

interface Edit {
  readonly cluster: string;
  readonly by: ChangeOrigin;
  readonly fields: readonly string[];
}

/**
 * Warnings for generated files that somebody changed or took back in the repository, one for each commit: "3 clusters,
 * 4f2a1c0 by Pat: interval". What the inventory lists with the very blob is as Arcflux left it, unless it was taken back with
 * its inventory. Fields on which the file and the fleet file agree are none. Who renders and commits by hand has no inventory,
 * and has written the files, not changed them. Only files whose bytes differ from what an update would write are read.
 */
export async function checkHandEdits(
  rendered: ReadonlyMap<Cluster, ReadonlyMap<string, string>>,
  reader: RepositoryReader,
): Promise<Fault[]> {
  const edits = await Promise.all(
    [...rendered].flatMap(([{ name, fluxFolder }, files]) =>
      [...files].map(async ([path, wanted]): Promise<Edit[]> => {
        const entry = (await reader.list(folderOf(path)))?.find((one) => one.name === nameOf(path));
        if (entry?.kind !== "file" || hasBytes(entry, wanted)) return [];
        const [by, there = "", inventory] = await Promise.all([
          reader.lastChange(path),
          reader.read(path),
          readInventory(fluxFolder, reader),
        ]);
        if (by === undefined) return [];
        const left = inventory?.files.get(path)?.blob;
        const isChanged = left !== undefined && left !== entry.id;
        if (!isChanged && (by.reverts === undefined || !isOurs(there))) return [];
        const { same, differences } = compareMeaning(path, there, wanted);
        return same ? [] : [{ cluster: name, by, fields: differences.map(fieldOf) }];
      }),
    ),
  );
  const byCommit = Map.groupBy(edits.flat(), ({ by, fields }) => `${by.commit} ${fields.join(" ")}`);
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
            `It ${what}; write the change into the fleet file, or put them back: stack config arcflux:drift restore, and \`pulumi up --refresh\``,
        ),
      },
    ];
  });
}

/** The field of a difference such as `spec.interval: 5m -> 10m`. */
function fieldOf(difference: string): string {
  const colon = difference.indexOf(": ");
  return (colon < 0 ? difference : difference.slice(0, colon)).replace(/^spec\./, "");
}
