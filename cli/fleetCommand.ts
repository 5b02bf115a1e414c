import { EngineMissing } from "../checks/built/index.ts";
import { inOrder, type Finding } from "../fleet/finding.ts";
import type { Loaded } from "../fleet/load.ts";
import type { Fleet } from "../fleet/model.ts";
import { SelectionError } from "../fleet/select.ts";
import { GitError } from "../git/index.ts";
import { ApplyError } from "../apply/index.ts";
import { StageError } from "../stages/index.ts";
import { ClusterError, Unreachable } from "../status/index.ts";
import { exitCodes, type ExitCode } from "./exitCodes.ts";
import { loadFleetFile } from "./loadFleetFile.ts";
import { hasErrors, report } from "./report.ts";
import { json, type Terminal } from "./terminal.ts";
import { WriteError } from "./writeFiles.ts";

/** A fleet without errors, and what else loading it found. */
export interface LoadedFleet extends Loaded {
  readonly fleet: Fleet;
}

/** What a command makes of a fleet: a document for --json, and what to print without it. */
export interface Answer {
  readonly document: Readonly<Record<string, unknown>>;
  readonly print: () => void;
  /** What was found beside what loading found; with an error among it the command ends with wrong input. */
  readonly findings?: readonly Finding[];
  /** Whether the fleet file was changed, so that what loading found is of a file that is no more. */
  readonly isChanged?: boolean;
  /** What the command ends with. Defaults to done. */
  readonly code?: ExitCode;
}

/** A question about something that is not there, such as a cluster of the fleet. The message is complete. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/**
 * Runs a command that reads a fleet file: prints its findings, and with errors nothing else; then the answer. With
 * --json all of it is one document, `empty` standing in for the answer where there is none. `load` reads a fleet file that is
 * not on disk.
 */
export async function fleetCommand(
  file: string,
  options: { readonly json?: boolean },
  terminal: Terminal,
  empty: Answer["document"],
  answer: (loaded: LoadedFleet) => Answer | Promise<Answer>,
  load: (file: string) => Promise<Loaded> = loadFleetFile,
): Promise<ExitCode> {
  const loaded = await load(file);
  const { fleet } = loaded;
  const printDocument = (document: Answer["document"], findings = loaded.findings): void => {
    if (options.json) terminal.out(json({ ...document, findings }));
  };
  const tell = (findings = loaded.findings): void => {
    if (!options.json) report(findings, terminal);
  };
  if (fleet === undefined) {
    tell();
    printDocument(empty);
    return exitCodes.input;
  }
  try {
    const {
      document,
      print,
      code = exitCodes.done,
      findings = [],
      isChanged,
    } = await answer({ ...loaded, fleet });
    const all = inOrder([...(isChanged ? [] : loaded.findings), ...findings]);
    tell(all);
    if (!options.json) print();
    printDocument(document, all);
    return hasErrors(all) ? exitCodes.input : code;
  } catch (error) {
    tell();
    const code = exitCodeOf(error);
    if (code === undefined) throw error;
    const message = error instanceof Unreachable ? error.withNext : (error as Error).message;
    if (!options.json) terminal.err(`${message}\n`);
    printDocument({ ...empty, error: message });
    return code;
  }
}

/** What a command ends with for an error that is told; undefined for one that nobody thought of. */
export function exitCodeOf(error: unknown): ExitCode | undefined {
  const input = [SelectionError, UsageError, StageError, ApplyError];
  if (input.some((kind) => error instanceof kind)) return exitCodes.input;
  const told = [WriteError, GitError, ClusterError, EngineMissing].some((kind) => error instanceof kind);
  return told ? exitCodes.failed : undefined;
}
