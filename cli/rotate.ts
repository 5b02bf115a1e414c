import { withoutEntries } from "../authoring/index.ts";
import type { SecretEntry } from "../fleet/schema/secrets.ts";
import { type ClusterVersion, placeText, versionsOf } from "../secrets/index.ts";
import { askNow } from "../status/index.ts";
import { show, showNames } from "../values/show.ts";
import { command, notEmpty, type Register } from "./command.ts";
import { editFleetFile } from "./editFleetFile.ts";
import { fileOf } from "./edits.ts";
import { exitCodes, type ExitCode } from "./exitCodes.ts";
import { type Answer, fleetCommand, type LoadedFleet, UsageError } from "./fleetCommand.ts";
import { written } from "./suspendText.ts";
import type { Terminal } from "./terminal.ts";

interface RotateOptions {
  readonly file: string;
  readonly status?: boolean;
  readonly json?: boolean;
}

export const registerRotate: Register = (program, terminal, done) => {
  command(
    program,
    "rotate",
    "Give a secret a new value in two steps: both versions at once, then the new one alone once every cluster has it.",
    [
      "arcflux rotate till-api --status                  # who has which version",
      "arcflux rotate till-api                           # the first step, and later the second",
    ],
  )
    .argument("<secret>", "a key of `secrets`")
    .option("--status", "say who has which version, and change nothing")
    .option("--file <file>", "the fleet file", notEmpty, "fleet.yaml")
    .option("--json", "print the versions as JSON on standard output")
    .action(async (name: string, options: RotateOptions) => done(await rotate(name, options, terminal)));
};

/** Seconds for all clusters together. */
const patience = 60;

/** `arcflux rotate`: 0 where a step was taken or all have the version, 4 where clusters are behind and nothing was changed. */
function rotate(name: string, options: RotateOptions, terminal: Terminal): Promise<ExitCode> {
  return fleetCommand(options.file, options, terminal, { clusters: [] }, async (loaded) => {
    const { fleet, origin } = loaded;
    const entry = origin?.file.secrets[name];
    if (entry === undefined) {
      const names = showNames(Object.keys(origin?.file.secrets ?? {}), 10) || "none";
      throw new UsageError(`${show(name)} is not a secret of the fleet file; secrets are ${names}.`);
    }
    if (!options.status && entry.previous === undefined) return first(name, entry, loaded, options, terminal);
    if (entry.deliver !== undefined && entry.deliver !== "git")
      throw new UsageError(
        `${name} does not go through Git (${entry.deliver}), so its versions are not in the repository. Check the update or the operator, and take previous out by hand.`,
      );
    const found = await askNow(fleet, fleet.clusters, patience);
    const versions = await versionsOf(name, fleet, found, { env: process.env });
    const behind = versions.filter(({ applied }) => applied !== "yes");
    const document = { clusters: versions, faults: found.faults };
    if (options.status || behind.length > 0)
      return {
        document,
        print: () =>
          terminal.out(`${report(name, versions)}${options.status ? "" : "Nothing was changed.\n"}`),
        code: behind.length > 0 ? exitCodes.behind : exitCodes.done,
      };
    if (!versions.every(({ overlaps }) => overlaps))
      throw new UsageError(
        `The first step was not sent yet: set the new values, run pulumi up, and try again.`,
      );
    return second(name, entry, loaded, options, { document, versions, terminal });
  });
}

/** Both versions from now on. */
async function first(
  name: string,
  { version, deliver }: SecretEntry,
  loaded: LoadedFleet,
  { file }: RotateOptions,
  terminal: Terminal,
): Promise<Answer> {
  if (deliver === "externalSecrets" || deliver === "csi")
    throw new UsageError(
      `${name} is fetched by the clusters themselves: give the secret in the vault a new version, and they take it within the hour.`,
    );
  if (version === undefined)
    throw new UsageError(
      `${name} has one place for all versions of a value. Write {version} into the names under keys, and version: 1 beside them; or set the new value, run pulumi up, and see arcflux rotate ${name} --status.`,
    );
  const path = fileOf(loaded, ["secrets", name], file);
  const next = version + 1;
  await editFleetFile(file, path, (text) =>
    written(
      written(text, ["secrets", name, "version"], String(next)),
      ["secrets", name, "previous"],
      String(version),
    ),
  );
  const places = new Set(
    loaded.fleet.clusters.flatMap(({ secrets = [] }) =>
      secrets.filter(({ key }) => key === name).flatMap(({ keys }) => Object.values(keys).map(placeText)),
    ),
  );
  return {
    document: { file: path, version: next, previous: version },
    print: () =>
      terminal.out(
        `${path}: ${name} has version ${next} and previous ${version}. Now set the new values (where ${showNames(places, 3)} are, with ${next} for ${version}), commit the file and run pulumi up: each cluster gets both, the old one under KEY.previous. Then run arcflux rotate ${name} again.\n`,
      ),
  };
}

/** The new one alone, since every cluster has it. */
async function second(
  name: string,
  { previous }: SecretEntry,
  loaded: LoadedFleet,
  { file }: RotateOptions,
  {
    document,
    versions,
    terminal,
  }: { readonly document: object; readonly versions: readonly ClusterVersion[]; readonly terminal: Terminal },
): Promise<Answer> {
  const path = fileOf(loaded, ["secrets", name], file);
  await editFleetFile(file, path, (text) => withoutEntries(text, [["secrets", name, "previous"]]));
  return {
    document: { ...document, file: path },
    print: () =>
      terminal.out(
        `${report(name, versions)}${path}: previous ${previous} taken out. Commit it, run pulumi up, and end version ${previous} where it was issued.\n`,
      ),
  };
}

function report(name: string, versions: readonly ClusterVersion[]): string {
  const have = versions.filter(({ applied }) => applied === "yes");
  const lines = [...Map.groupBy(have, ({ version }) => version)].map(
    ([version, some]) =>
      `${version}: ${some.length} have it (${showNames(
        some.map(({ cluster }) => cluster),
        5,
      )}).`,
  );
  const behind = versions.filter(({ applied }) => applied !== "yes");
  const reasons = [...Map.groupBy(behind, ({ reason }) => reason)].map(
    ([reason, some]) =>
      `${some.length} not known to have it: ${showNames(
        some.map(({ cluster }) => cluster),
        5,
      )} (${reason}).`,
  );
  const all = [...lines, ...reasons];
  return `${name}, by version:\n${(all.length === 0 ? ["no cluster gets it."] : all).map((line) => `  ${line}\n`).join("")}`;
}
