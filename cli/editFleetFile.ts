import { readFile, rm } from "node:fs/promises";
import { EditError } from "../authoring/index.ts";
import type { Finding } from "../fleet/finding.ts";
import type { Fleet } from "../fleet/model.ts";
import { UsageError } from "./fleetCommand.ts";
import { loadFleetFile } from "./loadFleetFile.ts";
import { replaceFile } from "./writeFiles.ts";

/** Clusters were written into a file that the fleet file does not include; it is as it was. */
export class NotIncluded extends UsageError {
  constructor(file: string) {
    super(`No include of the fleet file names ${file}. Nothing was changed; add it to include.`);
  }
}

/** Changes a file of the fleet; it stays as it was where the change would make an error. Throws UsageError. */
export async function editFleetFile(
  fleetFile: string,
  path: string,
  edit: (text: string) => string,
): Promise<Fleet> {
  return await editFleetFiles(fleetFile, new Map([[path, edit]]));
}

/**
 * Changes several files of the fleet at once, and gives the fleet that they make. All stay as they were where the change
 * would make an error, or where clusters that were added to a file are not in the fleet then. A file that is not there is
 * made; its edit gets the empty text. Throws UsageError.
 */
export async function editFleetFiles(
  fleetFile: string,
  edits: ReadonlyMap<string, (text: string) => string>,
  added?: { readonly into: string; readonly names: readonly string[] },
): Promise<Fleet> {
  const before = new Map<string, string | undefined>();
  for (const path of edits.keys()) before.set(path, await textOf(path));
  const texts = [...edits].map(([path, edit]) => [path, edited(path, before.get(path) ?? "", edit)] as const);
  for (const [path, text] of texts) await replaceFile(path, text);
  const { fleet, findings, origin } = await loadFleetFile(fleetFile);
  const declared = origin?.file.clusters ?? {};
  const isWhole = added?.names.every((name) => Object.hasOwn(declared, name)) ?? true;
  if (fleet !== undefined && isWhole) return fleet;
  for (const [path, text] of before) {
    if (text === undefined) await rm(path, { force: true });
    else await replaceFile(path, text);
  }
  if (added !== undefined && fleet !== undefined) throw new NotIncluded(added.into);
  throw wouldHaveErrors(fleetFile, [...edits.keys()], findings);
}

/**
 * The texts that the same edits would make, by file, and their fleet; nothing is written: for what has to be certain before something
 * else is done. Throws UsageError.
 */
export async function checkedEdits(
  fleetFile: string,
  edits: ReadonlyMap<string, (text: string) => string>,
): Promise<{ readonly fleet: Fleet; readonly texts: ReadonlyMap<string, string> }> {
  const texts = new Map<string, string>();
  for (const [path, edit] of edits) texts.set(path, edited(path, (await textOf(path)) ?? "", edit));
  const { fleet, findings } = await loadFleetFile(fleetFile, process.env, { texts });
  if (fleet === undefined) throw wouldHaveErrors(fleetFile, [...texts.keys()], findings);
  return { fleet, texts };
}

function wouldHaveErrors(
  fleetFile: string,
  [file = fleetFile, ...others]: readonly string[],
  findings: readonly Finding[],
): UsageError {
  const errors = findings.filter(({ severity }) => severity === "error");
  const faults = errors
    .slice(0, mostFaults)
    .map(({ message, path }) => (path === "" ? message : `${path}: ${message}`));
  const more = errors.length > mostFaults ? `; and ${errors.length - mostFaults} more` : "";
  const stays =
    others.length === 0
      ? `${file} stays as it was, since it`
      : "All files stay as they were, since the fleet";
  return new UsageError(`${stays} would have errors: ${faults.join("; ")}${more}.`);
}

const mostFaults = 5;

async function textOf(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

function edited(path: string, text: string, edit: (text: string) => string): string {
  try {
    return edit(text);
  } catch (error) {
    if (!(error instanceof EditError)) throw error;
    throw new UsageError(`${path}: ${error.message}`);
  }
}
