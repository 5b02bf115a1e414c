import type { Fault } from "../checks/fault.ts";
import type { Finding } from "../fleet/finding.ts";
import { release, type Released } from "../release/index.ts";
import { plural, asErrors } from "./report.ts";
import { printable, showSome } from "../values/show.ts";
import { buildProgress } from "./buildProgress.ts";
import { command, notEmpty, type Register } from "./command.ts";
import { exitCodes, type ExitCode } from "./exitCodes.ts";
import { fleetCommand } from "./fleetCommand.ts";
import { ignoreOption } from "./ignoreOption.ts";
import { stageWorld } from "./stageWorld.ts";
import type { Terminal } from "./terminal.ts";

interface ReleaseOptions {
  readonly file: string;
  readonly path: string;
  readonly commit?: string;
  readonly strict?: boolean;
  readonly dryRun?: boolean;
  readonly ignore?: readonly string[];
  readonly json?: boolean;
}

export const registerRelease: Register = (program, terminal, done) => {
  command(
    program,
    "release",
    "Tag what clusters take from a pinned source, once it builds for every one of them.",
    [
      "arcflux release v1.5.0 --dry-run                 # what came since the last, and whether it builds",
      "arcflux release v1.5.0 --path ./infrastructure",
      "arcflux release v1.4.1 --commit 4f2c1ab0 --strict",
    ],
  )
    .argument("<name>", "the tag; one that is there stays as it is")
    .option("--path <folder>", "folder that is released", notEmpty, "./infrastructure")
    .option("--commit <hash>", "a commit of the branch that is committed to. Default: its tip", notEmpty)
    .option("--strict", "take warnings for errors")
    .option("--dry-run", "look, and make no tag")
    .option("--file <file>", "the fleet file", notEmpty, "fleet.yaml")
    .addOption(ignoreOption())
    .option("--json", "print the release as JSON on standard output")
    .action(async (name: string, options: ReleaseOptions) => done(await tagRelease(name, options, terminal)));
};

/** `arcflux release`: 0 tagged, or it could be; 2 with errors found, or a name that is taken. */
function tagRelease(
  name: string,
  { file, json = false, dryRun = false, strict = false, ...options }: ReleaseOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  return fleetCommand(file, { json }, terminal, { tag: null }, async ({ fleet, finding }) => {
    const { path, commit, ignore = [] } = options;
    const ignored = new Set([...fleet.ignore, ...ignore]);
    const isHeard = ({ severity, name: judgement = "" }: Fault): boolean =>
      severity === "error" || !ignored.has(judgement);
    const stops = (faults: readonly Fault[]): boolean =>
      faults.some((fault) => fault.severity === "error" || (strict && isHeard(fault)));
    const found = await release(
      fleet,
      { name, path, commit, dryRun },
      stageWorld(fleet),
      buildProgress(terminal),
      stops,
    );
    const findings = found.faults.filter(isHeard).map((fault): Finding => {
      const { severity, path: where, message, name: judgement } = fault;
      return { ...finding(severity, where, message), ...(judgement !== undefined && { judgement }) };
    });
    const { tag, since } = found;
    return {
      document: {
        ...{ name, path, branch: found.branch, commit: found.commit.id, clusters: found.clusters },
        ...{
          pinned: found.pinned,
          last: since.last ?? null,
          tag: tag?.id ?? null,
          signed: tag?.isSigned ?? false,
        },
        commits: since.commits.map(({ id, author, subject }) => ({ commit: id, author, subject })),
      },
      findings: strict ? asErrors(findings) : findings,
      print: () => {
        terminal.out(planText(name, path, found));
        if (tag !== undefined && !tag.isSigned)
          terminal.err(
            "The tag is not signed: there is no key. Set ARCFLUX_GIT_SIGNING_KEY, and the next one is.\n",
          );
        const hasRings = fleet.stages.some(({ ring }) => ring !== undefined);
        terminal.out(`${endOf(name, found, { dryRun, isStopped: stops(found.faults), hasRings })}\n`);
      },
      code: exitCodes.done,
    };
  });
}

/** Commits that a screen shows. */
const mostShown = 30;

function planText(
  name: string,
  path: string,
  { commit, branch, since, pinned, clusters, builds }: Released,
): string {
  const now = pinned.map(
    ({ source, at, clusters: on, atOnce }) =>
      `  ${source} at ${at}: ${showSome(on)}${atOnce ? `, which take ${name} as soon as it is there` : ""}`,
  );
  const { last, all, isCut, commits } = since;
  const counted = `${isCut ? "more than " : ""}${plural(commits.length, "commit") || "no commit"}`;
  const shown = commits
    .slice(0, mostShown)
    .map(({ id, author, subject }) => `  ${id.slice(0, 10)} ${subject} (${author})`);
  const more = commits.length > mostShown ? [`  and ${commits.length - mostShown} more`] : [];
  const lines = [
    `${name} of ${path}: ${commit.id.slice(0, 10)} (${commit.subject}) on ${branch}`,
    `Built for ${plural(clusters, "cluster")}: ${plural(builds, "different build")}.`,
    ...now,
    `${last === undefined ? "There is no tag yet" : `Since ${last}`}: ${counted} of ${all} ${commits.length > 1 ? "change" : "changes"} ${path}.`,
    ...shown,
    ...more,
  ];
  return `${lines.map(printable).join("\n")}\n`;
}

function endOf(
  name: string,
  { tag, pinned }: Released,
  { dryRun, isStopped, hasRings }: Record<"dryRun" | "isStopped" | "hasRings", boolean>,
): string {
  if (isStopped) return `${name} was not made: correct what was found.`;
  if (dryRun || tag === undefined) return `${name} can be made. Nothing was changed.`;
  const source = pinned[0]?.source ?? "";
  const next = hasRings
    ? `arcflux rollout ${source} ${name}, ring by ring.`
    : `pins: { ${source}: { tag: ${name} } } in the fleet file, of few clusters first.`;
  return `${name} is there${tag.isSigned ? ", signed" : ""}. Roll it out: ${next}`;
}
