import { withItem, withoutEntries } from "../authoring/index.ts";
import type { Cluster } from "../fleet/model.ts";
import { writeRemoval } from "../fleet/removal.ts";
import { secretsName } from "../fleet/resolveSecrets.ts";
import { hasSecretsFolder } from "../flux/secrets/folder.ts";
import { arcIdentities, endIdentity, type Readable, readableBy } from "../secrets/index.ts";
import { azureAccess, azureNext, azureWords, ClusterError } from "../status/index.ts";
import { showNames } from "../values/show.ts";
import { namedSet } from "./clusterApi.ts";
import { command, notEmpty, type Register } from "./command.ts";
import { editFleetFiles } from "./editFleetFile.ts";
import { exitCodes, type ExitCode } from "./exitCodes.ts";
import { fleetCommand, type LoadedFleet } from "./fleetCommand.ts";
import { written } from "./suspendText.ts";
import type { Terminal } from "./terminal.ts";

interface RevokeOptions {
  readonly file: string;
  readonly reason: string;
  readonly yes?: boolean;
  readonly json?: boolean;
}

export const registerRevoke: Register = (program, terminal, done) => {
  command(
    program,
    "revoke",
    "A device is stolen: end its Arc identity, take its key out of the fleet file, and name all that it could read.",
    [
      'arcflux revoke store-007 --reason "stolen, case 4711"        # what would be done',
      'arcflux revoke store-007 --reason "stolen, case 4711" --yes',
    ],
  )
    .argument("<cluster>", "name of the cluster")
    .requiredOption("--reason <text>", "why, for whoever comes next", notEmpty)
    .option("--yes", "do it")
    .option("--file <file>", "the fleet file", notEmpty, "fleet.yaml")
    .option("--json", "print what was done, and what to replace, as JSON on standard output")
    .action(async (name: string, options: RevokeOptions) => done(await revoke(name, options, terminal)));
};

/** Of all questions to Azure together, in milliseconds. */
const patience = 300_000;

/** `arcflux revoke`: 0 done, 1 waiting for --yes, or Azure refused. Azure comes first: what it cannot do is not written down. */
function revoke(name: string, options: RevokeOptions, terminal: Terminal): Promise<ExitCode> {
  return fleetCommand(options.file, options, terminal, { revoked: false }, async (loaded) => {
    const cluster = namedSet(loaded.fleet, name, undefined);
    const readable = readableBy(cluster, loaded.fleet);
    const ids = await throughAzure(cluster, options.yes === true);
    const files = options.yes === true ? await writeDown(cluster, loaded, options) : [];
    return {
      document: { revoked: options.yes === true, cluster: name, identities: ids, readable, files },
      print: () => terminal.out(text(cluster, { ids, readable, files }, options)),
      code: options.yes === true ? exitCodes.done : exitCodes.failed,
    };
  });
}

/** The Arc identities of a cluster, ended where that is meant. */
async function throughAzure(cluster: Cluster, isMeant: boolean): Promise<readonly string[]> {
  if (cluster.platform !== "arc") return [];
  const signal = AbortSignal.timeout(patience);
  try {
    const access = await azureAccess(process.env);
    const ids = await arcIdentities(cluster, access, signal);
    if (isMeant) for (const id of ids) await endIdentity(id, access, signal);
    return ids;
  } catch (error) {
    throw new ClusterError(
      `Azure did not end the identity of ${cluster.name} (${azureWords(error)}). ${azureNext(error)}, and run again. Nothing was written down.`,
    );
  }
}

async function writeDown(
  cluster: Cluster,
  { origin }: LoadedFleet,
  { file, reason }: RevokeOptions,
): Promise<readonly string[]> {
  const { name } = cluster;
  const own = origin?.documents.position(["clusters", name], "key").file ?? file;
  const entry = (text: string): string => {
    const lost = withoutEntries(written(text, ["clusters", name, "lifecycle"], "lost"), [
      ["clusters", name, "recipient"],
    ]);
    return remarked(lost, name, `Revoked: ${reason.replace(/\s+/g, " ").trim()}`);
  };
  const going = (text: string): string =>
    hasSecretsFolder(cluster)
      ? withItem(text, "removed", writeRemoval({ kind: "set", name: secretsName, cluster: name }))
      : text;
  const edits =
    own === file
      ? new Map([[file, (text: string) => going(entry(text))]])
      : new Map([
          [own, entry],
          [file, going],
        ]);
  await editFleetFiles(file, edits);
  return [...edits.keys()];
}

/** The text with a comment above a cluster, where that has a line of its own. */
function remarked(text: string, cluster: string, remark: string): string {
  const lines = text.split("\n");
  const clusters = lines.findIndex((line) => /^clusters:/.test(line));
  const at = lines.findIndex(
    (line, index) => index > clusters && /^\s+/.test(line) && keyOf(line) === cluster,
  );
  if (clusters < 0 || at < 0) return text;
  const indent = /^\s*/.exec(lines[at]!)?.[0] ?? "";
  return lines.toSpliced(at, 0, `${indent}# ${remark}`).join("\n");
}

function keyOf(line: string): string | undefined {
  return /^\s+["']?([^"':]+)["']?:/.exec(line)?.[1];
}

function text(
  { name, recipient, platform }: Cluster,
  {
    ids,
    readable,
    files,
  }: { readonly ids: readonly string[]; readonly readable: Readable; readonly files: readonly string[] },
  { yes = false, file }: RevokeOptions,
): string {
  const lines = [
    platform !== "arc"
      ? `${name} has no Arc identity.`
      : ids.length === 0
        ? `Azure has no connected cluster for ${name}: there is no identity to end.`
        : `Arc identity ${yes ? "ended" : "to end"}: ${ids.join(", ")}.`,
    yes
      ? `${files.join(", ")}: ${name} is lost${recipient === undefined ? "" : ", and its key is taken out"}. Commit it and run pulumi up: its secrets leave the repository, and the cluster the state.`
      : `${file}: ${name} becomes lifecycle: lost${recipient === undefined ? "" : `, and its key ${recipient} is taken out`}.`,
    ...(recipient === undefined
      ? []
      : [
          `Files of sets that are encrypted for it: git grep -l ${recipient}, then sops rotate -i --rm-age ${recipient} FILE. pulumi preview names those that are left.`,
        ]),
    "Whoever has the device could read, also in old commits, so replace it where it was issued:",
    ...readable.secrets.map(
      ({ key, places }) => `  ${key}${places.length === 0 ? "" : `: ${showNames(new Set(places), 10)}`}`,
    ),
    ...(readable.repository === undefined
      ? []
      : [
          `  ${readable.repository.place}, the credential of the repository, which ${readable.repository.clusters === 1 ? "it alone has" : `${readable.repository.clusters} clusters share`}`,
        ]),
    ...(readable.secrets.length === 0 && readable.repository === undefined
      ? ["  nothing that Arcflux delivered"]
      : []),
    ...(yes ? [] : ["Nothing was changed. Do it: --yes."]),
  ];
  return `${lines.join("\n")}\n`;
}
