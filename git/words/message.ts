import type { MessageField } from "../../values/commitMessage.ts";
import type { Delivery, Provenance } from "./delivery.ts";
import { oneLine, trailerPrefix, withTrailers } from "./trailers.ts";

/** What a message is made from. */
export interface MessageSource {
  readonly message: string;
  readonly branch: string;
  readonly directory: string;
  readonly before?: unknown;
  readonly remove?: boolean | undefined;
  readonly delivery?: Delivery | undefined;
  readonly provenance?: Provenance | undefined;
}

/** What becomes of a file (its path below the directory): it comes, changes or goes. */
export interface Change {
  readonly path: string;
  readonly kind: "+" | "~" | "-";
}

/** One of the writes that a commit is made of. */
export interface Written {
  readonly source: MessageSource;
  readonly changes: readonly Change[];
}

const shown = 20;

/**
 * The message of a commit: the fields of the template filled in, and trailers that tell where it comes from. Of several
 * writes, which have their template and stack in common, it says what they did one by one.
 */
export function composeMessage(written: readonly [Written, ...Written[]]): string {
  const [{ source }] = written;
  const { provenance, branch } = source;
  const sources = written.map((one) => one.source);
  const operations = sources.map((one) => one.provenance?.operation ?? operationOf(one));
  const paths = written.flatMap(({ changes }) => changes.map(({ path }) => path));
  const operation = common(operations) ?? "update";
  const fields: Record<MessageField, string> = {
    cluster: written.length === 1 ? nameOf(source) : `${written.length} clusters`,
    changes: listed(paths.map(setOf)),
    count: String(paths.length),
    directory: common(sources.map(({ directory }) => directory)) ?? `${written.length} folders`,
    branch,
    stack: provenance?.stack ?? "",
    project: provenance?.project ?? "",
    stage: listed(sources.flatMap(({ delivery }) => delivery?.stage ?? [])),
    operation,
    version: provenance?.version ?? "",
    summary: summaryOf(written),
  };
  // In one pass: what a value holds is never taken for a field.
  const text = source.message.replace(/\{([a-z]+)\}/g, (whole, name: string) =>
    Object.hasOwn(fields, name) ? oneLine(fields[name as MessageField]) : whole,
  );
  const whole = written.length === 1 ? text : `${text.trimEnd()}\n\n${listOf(written)}\n`;
  return signed(withoutTrailers(whole), sources, operation, paths);
}

/** Whatever was filled in, no line says where a commit is from but those that are added. */
function withoutTrailers(text: string): string {
  return text.replace(new RegExp(`^(?=[ \\t]*${trailerPrefix}[A-Za-z-]+[ \\t]*:)`, "gim"), "- ");
}

function signed(
  text: string,
  sources: readonly MessageSource[],
  operation: string,
  paths: readonly string[],
): string {
  const [{ provenance, delivery } = {}] = sources;
  if (provenance === undefined) return text.endsWith("\n") ? text : `${text}\n`;
  const alone = sources.length === 1;
  return withTrailers(text, {
    [`${trailerPrefix}Project`]: provenance.project,
    [`${trailerPrefix}Stack`]: provenance.stack,
    [`${trailerPrefix}Resource`]: alone ? provenance.resource : undefined,
    [`${trailerPrefix}Stage`]: listed(sources.flatMap((one) => one.delivery?.stage ?? [])),
    [`${trailerPrefix}Cluster`]: alone ? delivery?.cluster : undefined,
    [`${trailerPrefix}Clusters`]: alone ? undefined : String(sources.length),
    [`${trailerPrefix}Operation`]: operation,
    [`${trailerPrefix}Changed`]: listed(paths),
    [`${trailerPrefix}Update`]: provenance.update,
    [`${trailerPrefix}Version`]: provenance.version,
  });
}

/** What changed, in a line: `39 stores: + flux/monitoring.yaml`. */
function summaryOf(written: readonly Written[]): string {
  const groups = alike(written);
  const [most, more] = [2, groups.length - 2];
  const said = groups
    .slice(0, most)
    .map(
      (group) => `${countOf(group.map(({ source }) => source))}: ${changesOf(group[0]?.changes ?? [], 3)}`,
    );
  return `${said.join("; ")}${more > 0 ? `; and ${more} more` : ""}`;
}

/** Which clusters had which changes, a line for all that had the same. */
function listOf(written: readonly Written[]): string {
  const groups = alike(written);
  const lines = groups
    .slice(0, shown)
    .map(
      (group) =>
        `- ${listed(group.map(({ source }) => nameOf(source)))}: ${changesOf(group[0]?.changes ?? [], shown)}`,
    );
  const more = groups.length - shown;
  return [...lines, ...(more > 0 ? [`- and ${more} more`] : [])].map(oneLine).join("\n");
}

/** Writes with the same changes together; the most common first. */
function alike(written: readonly Written[]): (readonly Written[])[] {
  const groups = Map.groupBy(written, ({ changes }) => changesOf(changes, Infinity));
  return [...groups.values()].sort((a, b) => b.length - a.length);
}

function changesOf(changes: readonly Change[], most: number): string {
  const sorted = changes.map(({ kind, path }) => `${kind} ${path}`).sort();
  const more = sorted.length > most ? ` and ${sorted.length - most} more` : "";
  return sorted.length === 0 ? "the inventory" : `${sorted.slice(0, most).join(", ")}${more}`;
}

/** `store-001`, or `39 stores` where they all lie in a folder of that name. */
function countOf(sources: readonly MessageSource[]): string {
  const [first] = sources;
  if (first !== undefined && sources.length === 1) return nameOf(first);
  const parent = common(sources.map(({ directory }) => directory.split("/").slice(0, -1).join("/")));
  const word = /(?:^|\/)([a-z]+s)$/.exec(parent ?? "")?.[1] ?? "clusters";
  return `${sources.length} ${word}`;
}

function nameOf({ delivery, directory }: MessageSource): string {
  return delivery?.cluster ?? directory;
}

/** What all of them are; undefined where they differ. */
function common<T>(values: readonly T[]): T | undefined {
  return values.every((value) => value === values[0]) ? values[0] : undefined;
}

function operationOf({ before, remove = false }: MessageSource): string {
  if (remove) return "delete";
  return before === undefined ? "create" : "update";
}

/** A file's name without folder and ending: of a generated Flux file, the set's name. */
function setOf(path: string): string {
  return path.replace(/^.*\//, "").replace(/(.)\.ya?ml$/, "$1");
}

/** Each name once: a move changes a file in two places. */
function listed(names: readonly string[]): string {
  const sorted = [...new Set(names)].sort();
  const more = sorted.length > shown ? ` and ${sorted.length - shown} more` : "";
  return `${sorted.slice(0, shown).join(", ")}${more}`;
}
