import type { Path } from "../fleet/finding.ts";
import type { Cluster } from "../fleet/model.ts";
import { compareMeaning } from "../flux/compareMeaning.ts";
import { type Asked, type Before, type Conflict, judgeWrites } from "../git/index.ts";
import { folderOf, isInside, nameOf, pathBelow } from "../values/path.ts";
import { printable, showNames } from "../values/show.ts";
import type { Fault } from "./fault.ts";
import { savedOf, type Writer } from "./folderOwners.ts";
import { GeneratedFiles, isOurs, type Others } from "./generatedFiles.ts";
import { findRoots, otherFolder, type OtherRoot } from "./otherRoots/index.ts";
import { readInventory } from "./readInventory.ts";
import type { RepositoryReader } from "./repositoryReader.ts";

/** What stack config says of files that others wrote or changed. */
export interface Decided {
  readonly adopt?: "same" | "overwrite" | undefined;
  readonly drift?: "stop" | "restore" | undefined;
}

interface Found {
  readonly cluster: Cluster;
  readonly path: string;
  readonly place: Path;
  readonly severity: Fault["severity"];
  readonly message: string;
  /** What is the same at other clusters too. */
  readonly key?: string;
}

/**
 * What would stop the write of a cluster's files, by the very plan of the write. Whose a folder is and which commit changed a
 * file is said elsewhere. `others` says what it means that an update stops at one cluster: see Others; `url` is that of the
 * fleet's repository.
 */
export async function writeFaults(
  rendered: ReadonlyMap<Cluster, ReadonlyMap<string, string>>,
  reader: RepositoryReader,
  writer: Writer & Decided,
  { others, url }: { readonly others: Others; readonly url: string },
): Promise<Fault[]> {
  // All at once: the inventory of a folder that is left may cost a way to the server.
  const requests = new Map(
    await Promise.all(
      [...rendered].map(
        async ([cluster, files]) => [await requestOf(cluster, files, reader, writer), cluster] as const,
      ),
    ),
  );
  const digits = (await reader.list(""))?.find(({ id }) => id !== undefined)?.id?.length ?? 40;
  const judged = await judgeWrites([...requests.keys()], reader, { compare: compareMeaning, digits });
  const isAny = [...judged.values()].some((conflicts) => conflicts.some(({ kind }) => kind === "exists"));
  const roots = isAny ? await findRoots([...rendered.keys()], reader, url) : [];
  const found = await Promise.all(
    [...judged].flatMap(([asked, conflicts]) => {
      const cluster = requests.get(asked);
      return cluster === undefined
        ? []
        : conflicts.map((one) => faultOf(one, cluster, reader, { others, roots }));
    }),
  );
  return grouped(found.filter((one) => one !== undefined));
}

/** The write of an update, as far as it can be known without the saved state: a cluster that moves is known by its inventory. */
async function requestOf(
  cluster: Cluster,
  files: ReadonlyMap<string, string>,
  reader: RepositoryReader,
  writer: Writer & Decided,
): Promise<Asked> {
  const { name, folder, fluxFolder, formerly } = cluster;
  const { stack = "*/*", takeFrom, adopt, drift } = writer;
  const before = await movedFrom(cluster, reader, writer);
  return {
    ...{ directory: folder, owner: `${stack}/${name}`, formerly, takeFrom, adopt, drift, before },
    files: Object.fromEntries([...files].map(([path, text]) => [pathBelow(folder, path), text])),
    ...(fluxFolder !== folder && { followed: pathBelow(folder, fluxFolder) }),
  };
}

/** What the folder that a cluster leaves holds of ours; undefined where it stays. */
async function movedFrom(
  cluster: Cluster,
  reader: RepositoryReader,
  writer: Writer,
): Promise<Before | undefined> {
  const saved = savedOf(cluster, writer);
  if (saved === undefined || saved.folder === cluster.fluxFolder) return undefined;
  const inventory = await readInventory(saved.folder, reader);
  if (inventory?.owner !== saved.owner) return undefined;
  const files = [...inventory.files].map(([path, { blob, serial }]) => [path, [{ blob, serial }]] as const);
  const serial = Math.max(0, ...[...inventory.files.values()].map((file) => file.serial));
  return { ...saved, serial, files: Object.fromEntries(files), left: inventory.left };
}

/** Kinds that are said with more words elsewhere: folderOwners, handEdits. */
async function isToldElsewhere({ kind, path }: Conflict, reader: RepositoryReader): Promise<boolean> {
  if (kind !== "changed") return kind === "owner";
  return (await reader.lastChange(path)) !== undefined;
}

async function faultOf(
  conflict: Conflict,
  cluster: Cluster,
  reader: RepositoryReader,
  { others, roots }: { readonly others: Others; readonly roots: readonly OtherRoot[] },
): Promise<Found | undefined> {
  const { kind, path, reason } = conflict;
  if (await isToldElsewhere(conflict, reader)) return undefined;
  const place = new GeneratedFiles(cluster, {}).origin(path);
  const at = { cluster, path, place };
  const stops = `so an update stops at ${cluster.name} (others go on with --continue-on-error)`;
  if (kind === "inTheWay") return { ...at, ...(await inTheWay(path, reason, reader, { others, stops })) };
  if (kind === "exists") {
    // Rendered by hand, and never by a stack: whoever commits what was rendered overwrites it the same way.
    if (others === "error" && isOurs((await reader.read(path)) ?? "")) return undefined;
    const root = roots.find(({ folder }) => isInside(path, folder));
    const message = existsMessage(at, root, others === "error" ? undefined : stops);
    return { ...at, severity: severityOf(others), message };
  }
  if (kind === "changed" || kind === "rolledBack") {
    const next =
      kind === "changed"
        ? "write the change into the fleet file, or set stack config arcflux:drift restore"
        : `change the fleet file to what ${cluster.name} runs`;
    const severity = kind === "changed" ? severityOf(others) : "warning";
    return { ...at, severity, message: `${path}: ${reason}, ${stops}; ${next}` };
  }
  return { ...at, severity: "error", message: `${path}: ${reason}` };
}

/**
 * A file of others where one of ours would be written. What a root of others reads is not to be moved: that deletes what it
 * applies, or, where it is a list, brings to life what the list leaves out. `stops`: undefined where it is an error.
 */
function existsMessage(
  { path, place }: { readonly path: string; readonly place: Path },
  root: OtherRoot | undefined,
  stops: string | undefined,
): string {
  const what = `${path} is a file that was not generated`;
  if (root !== undefined)
    return (
      `${what}, and ${root.label} reads it${stops === undefined ? "" : `, ${stops}`}; leave it there, and give the cluster ` +
      `another folder, such as ${otherFolder}`
    );
  const away =
    place[2] === "sets"
      ? ["move it away", "name the set otherwise"]
      : ["move it away", "choose another `layout`"];
  return stops === undefined
    ? `${what}, and this would be written there; ${away.join(", or ")}`
    : `${what}, ${stops}; ${away.join(", ")}, or set stack config arcflux:adopt overwrite to write over it`;
}

/** A file of others stops one cluster; a link, a submodule or a twin is nothing that an update could ever get past. */
async function inTheWay(
  path: string,
  reason: string,
  reader: RepositoryReader,
  { others, stops }: { readonly others: Others; readonly stops: string },
): Promise<Partial<Found> & Pick<Found, "severity" | "message">> {
  const isFile =
    (await reader.list(folderOf(path)))?.find(({ name }) => name === nameOf(path))?.kind === "file";
  if (isFile) {
    return {
      severity: severityOf(others),
      message: `${path}: ${reason}, ${stops}, whatever stack config says`,
    };
  }
  const message = `${path}: ${reason}; move that away, or give the cluster another folder`;
  return { severity: "error", message, key: reason };
}

function severityOf(others: Others): Fault["severity"] {
  return others === "error" ? "error" : "warning";
}

/** What is the same at many clusters is said once, at the first. */
function grouped(found: readonly Found[]): Fault[] {
  const groups = Map.groupBy(
    found,
    ({ cluster, message, key }) => key ?? message.replaceAll(cluster.name, "\0"),
  );
  return [...groups.values()].flatMap((group): Fault[] => {
    const [first] = group;
    if (first === undefined) return [];
    const more = new Set(
      group.map(({ cluster }) => cluster.name).filter((name) => name !== first.cluster.name),
    );
    const same = more.size === 0 ? "" : ` (the same for ${showNames(more, 3)})`;
    return [{ severity: first.severity, path: first.place, message: printable(`${first.message}${same}`) }];
  });
}
