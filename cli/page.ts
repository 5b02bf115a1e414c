import { readFile } from "node:fs/promises";
import { replaceFile } from "../disk/wholeFile.ts";
import type { Cluster, Fleet } from "../fleet/model.ts";
import { GitError, withBranches } from "../git/index.ts";
import { readHistory, recentRuns, type StageHistory, tracksOf } from "../history/index.ts";
import { type PageData, pageData, pageHtml, servePage } from "../page/index.ts";
import { askNow, recordBranch, sayOnce } from "../status/index.ts";
import { InvalidArgumentError } from "commander";
import { chosenClusters, type ClusterChoice } from "./askFleet.ts";
import { command, notEmpty, type Register } from "./command.ts";
import type { ExitCode } from "./exitCodes.ts";
import { fleetCommand, type LoadedFleet, UsageError } from "./fleetCommand.ts";
import { gitContext } from "./gitContext.ts";
import { timeoutOption, withChoice } from "./statusOptions.ts";
import type { Terminal } from "./terminal.ts";
import { withRecord } from "./withRecord.ts";
import { WriteError } from "./writeFiles.ts";

interface PageOptions extends ClusterChoice {
  readonly out?: string;
  readonly serve?: boolean;
  readonly port: number;
  readonly direct?: boolean;
  readonly record: string;
  /** Seconds. */
  readonly timeout: number;
}

export const registerPage: Register = (program, terminal, done) => {
  withChoice(
    command(program, "page", "Write the fleet as one page to look at, or serve it to this machine.", [
      "arcflux page --out fleet.html",
      "arcflux page --serve                             # http://127.0.0.1:7337, until Ctrl-C",
      "arcflux page --stage prod --out prod.html        # from a pipeline, as an artifact",
    ]),
  )
    .option("--out <file>", "write the page there; an earlier page is replaced", notEmpty)
    .option("--serve", "serve it on loopback; it looks again every half minute")
    .option("--port <number>", "port of --serve", port, 7337)
    .option("--direct", "ask the clusters by your kubeconfig before Azure")
    .option("--record <branch>", "where arcflux status --record keeps what ran", notEmpty, recordBranch)
    .addOption(timeoutOption("what does not answer in that time was not asked", "60s"))
    .action(async (file: string, options: PageOptions) => done(await page(file, options, terminal)));
};

/** Events of each stage, and lines of the record of each cluster. */
const most = { events: 20, runs: 10 };
/** Seconds between two looks of --serve. */
const refresh = 30;

function page(file: string, options: PageOptions, terminal: Terminal): Promise<ExitCode> {
  return fleetCommand(file, {}, terminal, {}, async (loaded) => {
    const { out, serve = false } = options;
    if ((out === undefined) === !serve)
      throw new UsageError("Write --out FILE for a file, or --serve to look at it here; one of them.");
    const clusters = chosenClusters(loaded.fleet, options);
    const look = () => dataOf(loaded, clusters, options);
    const nothing = { document: {}, print: () => {} };
    if (serve) await serveOn(look, options.port, terminal);
    const data = await look();
    await save(out!, await pageHtml(data));
    for (const fault of data.faults) terminal.err(`${fault}\n`);
    terminal.out(
      `${out!} written: ${data.clusters.length} ${data.clusters.length === 1 ? "cluster" : "clusters"}.\n`,
    );
    return nothing;
  });
}

async function dataOf(
  { fleet, finding }: LoadedFleet,
  clusters: readonly Cluster[],
  { timeout, direct, record }: PageOptions,
): Promise<PageData> {
  const [status, history, runs] = await Promise.all([
    askNow(fleet, clusters, timeout, process.env, { direct: direct === true }),
    historyOf(fleet).catch(toldFault),
    withRecord(fleet, record, (tree) => recentRuns(tree, most.runs)).catch(toldFault),
  ]);
  const faults = [history, runs].flatMap((each) => (each instanceof GitError ? each.message : []));
  return pageData({
    fleet,
    clusters,
    finding,
    status: { ...status, faults: sayOnce([...status.faults, ...faults]) },
    history: history instanceof GitError ? [] : history,
    ...(runs !== undefined && !(runs instanceof GitError) && { record: { branch: record, runs } }),
  });
}

/** Git that does not answer is said on the page; the rest is still worth a look. */
function toldFault(error: unknown): GitError {
  if (error instanceof GitError) return error;
  throw error;
}

function historyOf(fleet: Fleet): Promise<StageHistory[]> {
  return withBranches(fleet.repository.url, gitContext(fleet), async (repository) => {
    const found: StageHistory[] = [];
    for (const track of tracksOf(fleet)) {
      const one = await readHistory(fleet, { track, most: most.events }, repository);
      if (one !== undefined) found.push(one);
    }
    return found;
  });
}

async function serveOn(look: () => Promise<PageData>, wanted: number, terminal: Terminal): Promise<void> {
  const { url } = await servePage(look, { port: wanted, refresh }).catch((error: NodeJS.ErrnoException) => {
    const why = error.code === "EADDRINUSE" ? "is taken" : `cannot be used (${error.code ?? error.message})`;
    throw new WriteError(`Port ${wanted} ${why}; name another with --port, or 0 for any.`);
  });
  terminal.out(`${url}\n`);
  terminal.err("Ctrl-C ends it.\n");
  // Until a signal, which ends every command.
  await new Promise(() => {});
}

/** An earlier page is replaced in one step; a file of somebody else is not. */
async function save(path: string, html: string): Promise<void> {
  const before = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => error);
  const isOther =
    typeof before === "string" ? !before.includes("<title>Arcflux fleet</title>") : before.code !== "ENOENT";
  if (isOther) {
    const why =
      typeof before === "string"
        ? "is not a page of Arcflux"
        : `cannot be written (${before.code ?? before.message})`;
    throw new WriteError(`${path} ${why}; name another file.`);
  }
  try {
    await replaceFile(path, html);
  } catch (error) {
    throw new WriteError(
      `${path} cannot be written (${(error as NodeJS.ErrnoException).code ?? ""}); name another file.`,
    );
  }
}

function port(text: string): number {
  const number = Number(text);
  if (!/^\d{1,5}$/.test(text) || number > 65535)
    throw new InvalidArgumentError("Write a port, such as 7337, or 0 for any.");
  return number;
}
