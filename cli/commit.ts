import { appliedBy } from "../status/index.ts";
import { randomUUID } from "node:crypto";
import packageFile from "../package.json" with { type: "json" };
import { checkFleet } from "../checks/checkFleet.ts";
import { compareMeaning } from "../flux/compareMeaning.ts";
import type { Cluster } from "../fleet/model.ts";
import { selectClusters, SelectionError } from "../fleet/select.ts";
import { deliverFiles, type DeliveryRequest, type GitContext, GitError, readOwners } from "../git/index.ts";
import { folderArgs } from "../program/folderArgs.ts";
import { renderedFolder } from "../program/renderedFolder.ts";
import { withKept } from "../program/withKept.ts";
import { sealedPath, sealedSecrets } from "../flux/secrets/folder.ts";
import { showNames, showSome } from "../values/show.ts";
import { command, notEmpty, type Register } from "./command.ts";
import { exitCodes, type ExitCode } from "./exitCodes.ts";
import { loadFleetFile } from "./loadFleetFile.ts";
import { hasErrors, plural, report } from "./report.ts";
import type { Terminal } from "./terminal.ts";

export interface CommitOptions {
  readonly file: string;
  readonly reason: string;
}

export const registerCommit: Register = (program, terminal, done) => {
  command(
    program,
    "commit",
    "Commit the generated files without Pulumi's state or backend, by the plan and guards of an update.",
    [
      'arcflux commit store-001 --reason "INC-4711: roll pos back"',
      'arcflux commit --reason "backend is down"         # all clusters of the fleet file',
    ],
  )
    .argument("[clusters...]", "names of clusters; all of them without any")
    .requiredOption("--reason <text>", "why, on one line; it is in the commit", notEmpty)
    .option("--file <file>", "the fleet file", notEmpty, "fleet.yaml")
    .action(async (clusters: readonly string[], options: CommitOptions) =>
      done(await commit(clusters, options, terminal)),
    );
};

/**
 * `arcflux commit`: what an update would write to Git, for clusters that an update has written before. Azure and the
 * clusters are not asked; what is new there waits for the next update, which finds these files as they are.
 */
export async function commit(
  names: readonly string[],
  { file, reason }: CommitOptions,
  terminal: Terminal,
  context: GitContext = { env: process.env, compare: compareMeaning },
): Promise<ExitCode> {
  const wrong = (message: string): ExitCode => {
    terminal.err(`${message}\n`);
    return exitCodes.input;
  };
  if (/[\p{Cc}{}]/u.test(reason)) return wrong("--reason is a line of text, without braces.");
  const { fleet: whole, findings, finding } = await loadFleetFile(file, context.env);
  report(findings, terminal);
  if (whole === undefined) return exitCodes.input;
  try {
    const clusters = selectClusters(whole, names.length === 0 ? {} : { names });
    const fleet = { ...whole, clusters };
    // As an update: what could not be looked at stops the write.
    const strictly = { unreachable: "fail", noEngine: "stop" } as const;
    const emergency = context.env["ARCFLUX_EMERGENCY"];
    const checks = {
      finding,
      context,
      ...appliedBy(fleet, context.env),
      extent: "deletions",
      emergency,
      all: context.env["ARCFLUX_ALL"],
      ...strictly,
    } as const;
    const render = (cluster: Cluster) => renderedFolder(cluster, fleet);
    // Who is not named is not gone.
    const whose = { declared: whole.clusters, owner: undefined };
    const checked = await checkFleet(fleet, { ...checks, render, whose, whole: names.length === 0 });
    report(checked.findings, terminal);
    if (hasErrors(checked.findings)) return exitCodes.input;

    const unsealed = clusters.filter((cluster) =>
      sealedSecrets(cluster).some(
        ({ key }) => checked.kept.get(cluster.name)?.[sealedPath(cluster, key)] === undefined,
      ),
    );
    if (unsealed.length > 0)
      return wrong(
        `${showSome(unsealed.map(({ name }) => name))}: secrets are not in the repository yet, and only an update has their values. Run pulumi up for it first.`,
      );

    const owners = await readOwners(
      fleet.repository,
      clusters.map(({ fluxFolder }) => fluxFolder),
      context,
    );
    const strange = clusters.filter((one) => owners.get(one.fluxFolder)?.endsWith(`/${one.name}`) !== true);
    if (strange.length > 0) {
      const who = showNames(
        strange.map(({ name }) => name),
        5,
      );
      return wrong(
        `${who}: no update has written that folder yet, so no stack owns it. Run pulumi up for it first.`,
      );
    }
    const update = randomUUID().slice(0, 8);
    const requests = clusters.map((cluster) => {
      const files = withKept(cluster, render(cluster), checked.kept.get(cluster.name));
      const released = checked.released.get(cluster.name) ?? [];
      const args = folderArgs(cluster, fleet, files, {}, { released });
      return requestFor(args, owners.get(cluster.fluxFolder) ?? "", { reason, update });
    });
    return await deliverAll(requests, context, terminal);
  } catch (error) {
    if (error instanceof SelectionError) return wrong(error.message);
    if (!(error instanceof GitError)) throw error;
    terminal.err(`${error.message}\n`);
    return exitCodes.failed;
  }
}

/** The write that an update would make, but for what only its saved state knows. */
function requestFor(
  args: ReturnType<typeof folderArgs>,
  owner: string,
  { reason, update }: { readonly reason: string; readonly update: string },
): DeliveryRequest {
  const { repository: url, branch, folder: directory, followed, files, released, author, delivery } = args;
  const [project = "", stack = ""] = owner.split("/");
  return {
    ...{ url, branch, directory, followed, files, released, owner, author },
    ...(delivery && { delivery: delivery as DeliveryRequest["delivery"] }),
    message: `{summary}\n\n${reason}`,
    provenance: { project, stack, version: packageFile.version, update },
  };
}

/** All at once, so that they share a push; one that is refused is told, and the others go on. */
async function deliverAll(
  requests: readonly DeliveryRequest[],
  context: GitContext,
  terminal: Terminal,
): Promise<ExitCode> {
  const results = await Promise.allSettled(requests.map((request) => deliverFiles(request, context)));
  const counts = { committed: 0, unchanged: 0, refused: 0 };
  const commits = new Set<string>();
  for (const one of results) {
    if (one.status === "fulfilled") {
      counts[one.value.kind] += 1;
      if (one.value.kind === "committed") commits.add(one.value.commit.slice(0, 10));
    } else {
      if (!(one.reason instanceof GitError)) throw one.reason;
      counts.refused += 1;
      terminal.err(`${one.reason.message}\n`);
    }
  }
  const where = commits.size === 0 ? "" : ` (${showNames(commits, 5)})`;
  terminal.out(
    `${plural(counts.committed, "cluster") || "no cluster"} committed${where}, ${counts.unchanged} unchanged, ${counts.refused} refused.\n`,
  );
  if (counts.committed > 0) terminal.out("The next pulumi up finds these files as they are.\n");
  return counts.refused > 0 ? exitCodes.failed : exitCodes.done;
}
