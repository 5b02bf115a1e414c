import { fluxManifests } from "../checks/fluxManifests.ts";
import { nextFreezeUpdate } from "../fleet/window/index.ts";
import { inOrder, type Finding } from "../fleet/finding.ts";
import { GitError } from "../git/index.ts";
import { showNames } from "../values/show.ts";
import { exitCodes, type ExitCode } from "./exitCodes.ts";
import { hideCredentials } from "./hideCredentials.ts";
import { loadFleetFile } from "./loadFleetFile.ts";
import { asErrors, hasErrors, plural, report } from "./report.ts";
import { json, type Terminal } from "./terminal.ts";
import { verdict } from "./verdict.ts";

export interface ValidateOptions {
  /** True for the fleet's own URL. */
  readonly repo?: string | true;
  readonly strict?: boolean;
  readonly json?: boolean;
  /** Names of judgements whose warnings are not to be heard. */
  readonly ignore?: readonly string[];
}

/** `arcflux validate`: says everything that is wrong with a fleet file, and with --repo in its repository. */
export async function validate(
  file: string,
  { repo, strict = false, json: asJson = false, ignore = [] }: ValidateOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const { fleet, findings: found, finding, origin } = await loadFleetFile(file);
  const all: Finding[] = [...found];
  if (fleet !== undefined)
    all.push(...(await fluxManifests(fleet, finding, file, { env: process.env })).findings);
  const named = repo === true ? undefined : repo;
  let failure: string | undefined;
  let elsewhere: ReadonlyMap<string, string> = new Map();
  if (fleet !== undefined && repo !== undefined) {
    try {
      const checked = await verdict({ fleet, finding }, { repo: named, strict, ignore, terminal });
      all.push(...checked.findings);
      elsewhere = checked.elsewhere;
    } catch (error) {
      const why = reason(error);
      if (why === undefined) throw error;
      failure = hideCredentials(why, named ?? "");
    }
  }

  const place = named === undefined ? (fleet?.repository.url ?? "") : hideCredentials(named, named);
  const findings = inOrder(strict ? asErrors(all) : all);
  const valid = fleet !== undefined && !hasErrors(findings) && failure === undefined;
  const clusters = fleet?.clusters.length ?? 0;
  const sets = fleet?.clusters.reduce((sum, cluster) => sum + cluster.sets.length, 0) ?? 0;
  if (asJson) {
    const notLookedAt = Object.fromEntries(elsewhere);
    terminal.out(
      json({
        valid,
        clusters,
        sets,
        findings,
        notLookedAt,
        ...(failure !== undefined && { error: failure }),
      }),
    );
  } else {
    report(findings, terminal);
    if (failure !== undefined) terminal.err(`Not checked against ${place}.\n${failure}\n`);
    if (valid) {
      const against = repo === undefined ? "" : `, and fits ${place}`;
      const counts = `${plural(clusters, "cluster") || "no clusters"}, ${plural(sets, "set") || "no sets"}`;
      terminal.out(`${file} is valid${against}: ${counts}.\n`);
      if (elsewhere.size > 0) terminal.out(`Not looked at: ${showNames(namesOf(elsewhere), 10)}.\n`);
      const due = nextFreezeUpdate(origin?.file.freezes ?? {}, new Date().toISOString().slice(0, 10));
      if (due) terminal.out(`Run an update on ${due.date}, when freeze ${due.freeze} ${due.what}.\n`);
    }
  }
  if (failure !== undefined && !hasErrors(findings)) return exitCodes.failed;
  return valid ? exitCodes.done : exitCodes.input;
}

/** Sets whose manifests lie elsewhere, with where: `set a (OCIRepository a lies elsewhere)`. */
function namesOf(elsewhere: ReadonlyMap<string, string>): string[] {
  return [...elsewhere].map(([set, where]) => `set ${set} (${where})`);
}

/** Why a repository could not be read; undefined for what is no such reason. */
function reason(error: unknown): string | undefined {
  if (error instanceof GitError) return error.message;
  const { code, path } = error as NodeJS.ErrnoException;
  return code === undefined
    ? undefined
    : `${path ?? "A file"} cannot be read (${code}); check its permissions.`;
}
