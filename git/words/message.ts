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

const shown = 20;

/**
 * The message of a commit: the fields of the template filled in, and trailers that tell where it comes from. `changes`:
 * the changed paths below the directory.
 */
export function composeMessage(source: MessageSource, changes: readonly string[]): string {
  const { delivery, provenance, directory, branch } = source;
  const operation = provenance?.operation ?? operationOf(source);
  const fields: Record<MessageField, string> = {
    cluster: delivery?.cluster ?? directory,
    changes: listed(changes.map(nameOf)),
    count: String(changes.length),
    directory,
    branch,
    stack: provenance?.stack ?? "",
    project: provenance?.project ?? "",
    stage: delivery?.stage ?? "",
    operation,
    version: provenance?.version ?? "",
  };
  // In one pass: what a value holds is never taken for a field.
  const text = source.message.replace(/\{([a-z]+)\}/g, (whole, name: string) =>
    Object.hasOwn(fields, name) ? oneLine(fields[name as MessageField]) : whole,
  );
  return signed(withoutTrailers(text), source, operation, changes);
}

/** Whatever was filled in, no line says where a commit is from but those that are added. */
function withoutTrailers(text: string): string {
  return text.replace(new RegExp(`^(?=[ \\t]*${trailerPrefix}[A-Za-z-]+[ \\t]*:)`, "gim"), "- ");
}

function signed(
  text: string,
  { delivery, provenance }: MessageSource,
  operation: string,
  changes: readonly string[],
): string {
  if (provenance === undefined) return text.endsWith("\n") ? text : `${text}\n`;
  return withTrailers(text, {
    [`${trailerPrefix}Project`]: provenance.project,
    [`${trailerPrefix}Stack`]: provenance.stack,
    [`${trailerPrefix}Resource`]: provenance.resource,
    [`${trailerPrefix}Stage`]: delivery?.stage,
    [`${trailerPrefix}Cluster`]: delivery?.cluster,
    [`${trailerPrefix}Operation`]: operation,
    [`${trailerPrefix}Changed`]: listed(changes),
    [`${trailerPrefix}Version`]: provenance.version,
  });
}

function operationOf({ before, remove = false }: MessageSource): string {
  if (remove) return "delete";
  return before === undefined ? "create" : "update";
}

/** A file's name without folder and ending: of a generated Flux file, the set's name. */
function nameOf(path: string): string {
  return path.replace(/^.*\//, "").replace(/(.)\.ya?ml$/, "$1");
}

/** Each name once: a move changes a file in two places. */
function listed(names: readonly string[]): string {
  const sorted = [...new Set(names)].sort();
  const more = sorted.length > shown ? ` and ${sorted.length - shown} more` : "";
  return `${sorted.slice(0, shown).join(", ")}${more}`;
}
