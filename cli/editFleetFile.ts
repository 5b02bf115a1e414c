import { readFile } from "node:fs/promises";
import { EditError } from "../authoring/index.ts";
import type { Finding } from "../fleet/finding.ts";
import type { Fleet } from "../fleet/model.ts";
import { realPath } from "../disk/realPath.ts";
import { type Staged, stageFile } from "../disk/wholeFile.ts";
import { whileLocked } from "./fileLock.ts";
import { UsageError } from "./fleetCommand.ts";
import { loadFleetFile } from "./loadFleetFile.ts";
import { WriteError } from "./writeFiles.ts";

/** Clusters were written into a file that the fleet file does not include; it is as it was. */
export class NotIncluded extends UsageError {
  constructor(file: string) {
    super(`No include of the fleet file names ${file}. Nothing was changed; add it to include.`);
  }
}

/** What edits would make has errors; the files are as they were. */
export class WouldFail extends UsageError {
  readonly errors: readonly Finding[];

  constructor(message: string, errors: readonly Finding[]) {
    super(message);
    this.errors = errors;
  }
}

/** Clusters that edits add to a file. */
interface Added {
  readonly into: string;
  readonly names: readonly string[];
}

type Undo = () => Promise<void>;

export interface EditOptions {
  readonly added?: Added;
  /** Other files that are written with them. */
  readonly beside?: (fleet: Fleet) => ReadonlyMap<string, string>;
  /** Done with what is checked, before it is written; again where a file has changed by then. Gives what takes it back. */
  readonly first?: (checked: Pick<Checked, "fleet" | "texts">) => Promise<Undo | undefined>;
  /** Whether all is made and checked, and nothing written. */
  readonly isTrial?: boolean;
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
 * Changes several files of the fleet at once, and gives the fleet that they make. It is made and checked before anything is
 * written: all stay as they were where the change would make an error, or where clusters that were added to a file are not
 * in the fleet then. A file that is not there is made; its edit gets the empty text. Others that edit wait meanwhile.
 * Throws UsageError, and WriteError where it cannot be written.
 */
export async function editFleetFiles(
  fleetFile: string,
  edits: ReadonlyMap<string, (text: string) => string>,
  { added, beside = () => new Map(), first, isTrial = false }: EditOptions = {},
): Promise<Fleet> {
  try {
    if (isTrial) {
      const checked = await checkedEdits(fleetFile, edits, added);
      await first?.(checked);
      return checked.fleet;
    }
    return await whileLocked(fleetFile, async () => {
      for (let left = mostTries; ; left--) {
        const checked = await checkedEdits(fleetFile, edits, added);
        const { fleet, texts, before } = checked;
        const undo = await first?.(checked);
        if (await wroteAll(new Map([...texts, ...beside(fleet)]), before, undo)) return fleet;
        if (left === 1)
          throw new UsageError(`${fleetFile} is being changed. Nothing was changed; try again.`);
      }
    });
  } catch (error) {
    const { code, path = fleetFile } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw new WriteError(
      `${path} cannot be written (${code}). No file was changed; make it writable, or name another.`,
    );
  }
}

/** What edits of files would make; files are by their real path. */
interface Checked {
  readonly fleet: Fleet;
  readonly texts: ReadonlyMap<string, string>;
  /** Texts as they are now. */
  readonly before: ReadonlyMap<string, string | undefined>;
}

/**
 * The fleet that edits would make; nothing is written: for what has to be certain before something else is done. Throws
 * UsageError.
 */
export async function checkedEdits(
  fleetFile: string,
  edits: ReadonlyMap<string, (text: string) => string>,
  added?: Added,
): Promise<Checked> {
  const before = new Map<string, string | undefined>();
  const texts = new Map<string, string>();
  for (const [path, edit] of edits) {
    const file = realPath(path);
    if (!before.has(file)) before.set(file, await textOf(file));
    texts.set(file, edited(path, texts.get(file) ?? before.get(file) ?? "", edit));
  }
  const { fleet, findings, origin } = await loadFleetFile(fleetFile, process.env, { texts });
  if (fleet === undefined) throw wouldFail([...edits.keys()], findings);
  const declared = origin?.file.clusters ?? {};
  if (added?.names.every((name) => Object.hasOwn(declared, name)) === false)
    throw new NotIncluded(added.into);
  return { fleet, texts, before };
}

/** An editor writes without a lock: times that an edit is made anew on what it wrote. */
const mostTries = 5;

/** Writes all files, or none where one is not as it was any more. */
async function wroteAll(
  texts: ReadonlyMap<string, string>,
  before: ReadonlyMap<string, string | undefined>,
  undo?: Undo,
): Promise<boolean> {
  const staged: Staged[] = [];
  let isWritten = false;
  try {
    for (const [path, text] of texts) staged.push(await stageFile(path, text));
    for (const [path, text] of before) if ((await textOf(path)) !== text) return false;
    for (const { put } of staged) await put();
    return (isWritten = true);
  } finally {
    for (const { drop } of staged) await drop();
    if (!isWritten) await undo?.();
  }
}

function wouldFail([file = "", ...others]: readonly string[], findings: readonly Finding[]): WouldFail {
  const errors = findings.filter(({ severity }) => severity === "error");
  const faults = errors
    .slice(0, mostFaults)
    .map(({ message, path }) => (path === "" ? message : `${path}: ${message}`));
  const more = errors.length > mostFaults ? `; and ${errors.length - mostFaults} more` : "";
  const stays =
    others.length === 0
      ? `${file} stays as it was, since it`
      : "All files stay as they were, since the fleet";
  return new WouldFail(`${stays} would have errors: ${faults.join("; ")}${more}.`, errors);
}

const mostFaults = 5;

async function textOf(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw Object.assign(error as NodeJS.ErrnoException, { path });
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
