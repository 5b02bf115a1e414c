import { isMap, isScalar, parseDocument, type Scalar } from "yaml";

import { withItem, withoutEntries, withoutItem } from "../authoring/index.ts";
import type { Cluster, Fleet } from "../fleet/model.ts";
import { removalsOf, writeRemoval } from "../fleet/removal.ts";
import { secretsName } from "../fleet/resolveSecrets.ts";
import { hasSecretsFolder } from "../flux/secrets/folder.ts";
import {
  arcIdentities,
  endIdentity,
  handWrittenFor,
  type Readable,
  type ReadableFiles,
  readableBy,
} from "../secrets/index.ts";
import { azureAccess, azureNext, azureWords, ClusterError } from "../status/index.ts";
import { showNames } from "../values/show.ts";
import { namedSet } from "./clusterApi.ts";
import { gitContext } from "./gitContext.ts";
import { command, notEmpty, type Register } from "./command.ts";
import { checkedEdits, editFleetFiles } from "./editFleetFile.ts";
import { Edits } from "./edits.ts";
import { exitCodes, type ExitCode } from "./exitCodes.ts";
import { exitCodeOf, fleetCommand, type LoadedFleet, UsageError } from "./fleetCommand.ts";
import { written } from "./suspendText.ts";
import type { Terminal } from "./terminal.ts";
import { WriteError } from "./writeFiles.ts";

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

/** `arcflux revoke`: 0 done, 1 waiting for --yes, or Azure refused. Azure comes before the file: what it cannot do is not written down. */
function revoke(name: string, options: RevokeOptions, terminal: Terminal): Promise<ExitCode> {
  return fleetCommand(options.file, options, terminal, { revoked: false }, async (loaded) => {
    const cluster = namedSet(loaded.fleet, name, undefined);
    const readable = readableBy(cluster, loaded.fleet);
    // What cannot be written down is refused before anything is ended.
    const edits = editsOf(cluster, loaded, options);
    const { fleet } = await checkedEdits(options.file, edits);
    changesNoOther(name, loaded.fleet, fleet);
    const { recipient } = cluster;
    const encrypted =
      recipient === undefined
        ? { files: [] }
        : await handWrittenFor(recipient, loaded.fleet, gitContext(loaded.fleet));
    const ids = await throughAzure(cluster, options.yes === true);
    const files = options.yes === true ? await writeDown(options.file, edits, ids) : [];
    return {
      document: { revoked: options.yes === true, cluster: name, identities: ids, readable, encrypted, files },
      print: () => terminal.out(text(cluster, { ids, readable, encrypted, files }, options)),
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

/** What changes in the files of the fleet, by file. What an earlier run wrote down stays as it is. */
function editsOf(
  cluster: Cluster,
  loaded: LoadedFleet,
  { file, reason }: RevokeOptions,
): ReadonlyMap<string, (text: string) => string> {
  const { name, recipient } = cluster;
  const edits = new Edits(loaded, file);
  edits.at(["clusters", name], (text) => {
    const lost = written(text, ["clusters", name, "lifecycle"], "lost");
    return remarked(
      recipient === undefined ? lost : withoutEntries(lost, [["clusters", name, "recipient"]]),
      name,
      `Revoked: ${reason.replace(/\s+/g, " ").trim()}`,
    );
  });
  const going = { kind: "set", name: secretsName, cluster: name } as const;
  if (hasSecretsFolder(cluster) && removalsOf(loaded.fleet.removed, going, name).length === 0)
    edits.in(file, (text) => withItem(text, "removed", writeRemoval(going)));
  if (recipient !== undefined && cluster.coRecipients?.includes(recipient) === true)
    edits.in(file, (text) => withoutItem(text, "recipients", recipient));
  return edits;
}

/** An alias of the cluster would be revoked with it. */
function changesNoOther(cluster: string, before: Fleet, after: Fleet): void {
  const others = before.clusters.filter(({ name, lifecycle, recipient }, index) => {
    const now = after.clusters[index];
    return name !== cluster && (now?.lifecycle !== lifecycle || now.recipient !== recipient);
  });
  if (others.length === 0) return;
  const names = showNames(new Set(others.map(({ name }) => name)), 5);
  throw new UsageError(
    `${names} would change too, since ${others.length === 1 ? "it is an alias" : "they are aliases"} of ${cluster}. Nothing was changed; write ${others.length === 1 ? "it" : "them"} out, and run again.`,
  );
}

async function writeDown(
  file: string,
  edits: ReadonlyMap<string, (text: string) => string>,
  ended: readonly string[],
): Promise<readonly string[]> {
  try {
    await editFleetFiles(file, edits);
  } catch (error) {
    if (ended.length === 0 || exitCodeOf(error) === undefined) throw error;
    throw new WriteError(
      `Arc identity ended: ${ended.join(", ")}. But ${(error as Error).message} Then run again.`,
    );
  }
  return [...edits.keys()];
}

/** The text with a comment above a cluster, where that has a line of its own and no such comment yet. */
function remarked(text: string, cluster: string, remark: string): string {
  const clusters = parseDocument(text).get("clusters");
  const pair = isMap(clusters)
    ? clusters.items.find(({ key }) => isScalar(key) && String(key.value) === cluster)
    : undefined;
  const at = (pair?.key as Scalar | undefined)?.range?.[0];
  if (at === undefined) return text;
  const start = text.lastIndexOf("\n", at - 1) + 1;
  const indent = text.slice(start, at);
  const [above = ""] = text.slice(0, start).split("\n").slice(-2);
  if (indent.trim() !== "" || above.trim().startsWith("# Revoked:")) return text;
  return `${text.slice(0, start)}${indent}# ${remark}\n${text.slice(start)}`;
}

/** What pulumi up cannot encrypt anew, since only its owners can decrypt it: a command for each file. */
function encryptedLines(recipient: string, encrypted: ReadableFiles): string[] {
  if ("fault" in encrypted)
    return [
      `SOPS files that people wrote for it could not be looked for (${encrypted.fault.replace(/\.+$/, "")}). In a clone: git grep -l ${recipient}, then sops rotate -i --rm-age ${recipient} FILE.`,
    ];
  const byPath = Map.groupBy(encrypted.files, ({ path }) => path);
  if (byPath.size === 0) return ["No SOPS file that people wrote is encrypted for it."];
  return [
    "SOPS files that people wrote and its key reads; encrypt them anew, with other values in them:",
    ...[...byPath].map(
      ([path, places]) =>
        `  sops rotate -i --rm-age ${recipient} ${path}   # on ${places.map(({ branch }) => branch).join(", ")}`,
    ),
  ];
}

function text(
  { name, recipient, platform }: Cluster,
  {
    ids,
    readable,
    encrypted,
    files,
  }: {
    readonly ids: readonly string[];
    readonly readable: Readable;
    readonly encrypted: ReadableFiles;
    readonly files: readonly string[];
  },
  { yes = false, file }: RevokeOptions,
): string {
  const lines = [
    platform !== "arc"
      ? `${name} has no Arc identity.`
      : ids.length === 0
        ? `Azure has no connected cluster for ${name}: there is no identity to end.`
        : `Arc identity ${yes ? "ended" : "to end"}: ${ids.join(", ")}.`,
    yes
      ? `${files.join(", ")}: ${name} is lost${recipient === undefined ? "" : `, and its key is taken out${readable.readsAll ? ", of recipients too" : ""}`}. Commit it and run pulumi up: its secrets leave the repository, and the cluster the state.`
      : `${file}: ${name} becomes lifecycle: lost${recipient === undefined ? "" : `, and its key ${recipient} is taken out`}.`,
    ...(recipient === undefined ? [] : encryptedLines(recipient, encrypted)),
    "Whoever has the device could read, also in old commits, so replace it where it was issued:",
    ...readable.secrets.map(
      ({ key, places }) => `  ${key}${places.length === 0 ? "" : `: ${showNames(new Set(places), 10)}`}`,
    ),
    ...readable.named.map(({ name, by }) => `  Secret flux-system/${name}, which ${by} names`),
    ...(readable.readsAll ? ["  all encrypted secrets of the fleet, since its key is among recipients"] : []),
    ...(readable.sameKey.length === 0
      ? []
      : [
          `  all encrypted secrets of ${showNames(new Set(readable.sameKey), 10)}, with the same key: delete Secret flux-system/sops-age there, then arcflux secrets bootstrap`,
        ]),
    ...(readable.repository === undefined
      ? []
      : [
          `  ${readable.repository.place}, the credential of the repository, which ${readable.repository.clusters === 1 ? "it alone has" : `${readable.repository.clusters} clusters share`}`,
        ]),
    ...(readable.secrets.length + readable.named.length + readable.sameKey.length === 0 &&
    readable.repository === undefined
      ? ["  nothing that Arcflux delivered"]
      : []),
    ...(yes ? [] : ["Nothing was changed. Do it: --yes."]),
  ];
  return `${lines.join("\n")}\n`;
}
