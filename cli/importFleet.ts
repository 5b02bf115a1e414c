import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { importFolder } from "../flux/import/importFolder.ts";
import { describeNotTaken, type NotTaken } from "../flux/import/notTaken.ts";
import { exitCodes, type ExitCode } from "./exitCodes.ts";
import { hideCredentials } from "./hideCredentials.ts";
import { plural } from "./report.ts";
import { json, type Terminal } from "./terminal.ts";

export interface ImportOptions {
  readonly out?: string;
  readonly json?: boolean;
}

/** A command that could not be done; the message is complete. */
class ImportError extends Error {
  readonly code: ExitCode;
  constructor(code: ExitCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** Larger files are none that Flux's objects are written in by hand. */
const mostBytes = 5 * 1024 * 1024;

/** `arcflux import`: a fleet file that renders to the Kustomizations of a folder, and what it leaves out. */
export async function importFleet(
  folder: string,
  { out, json: asJson = false }: ImportOptions,
  terminal: Terminal,
  env: NodeJS.ProcessEnv = process.env,
): Promise<ExitCode> {
  try {
    const { files, unread } = await yamlFiles(folder);
    const place = await placeOf(folder);
    const url = env["ARCFLUX_REPOSITORY_URL"];
    if (url && hideCredentials(url, url) !== url) {
      const next = "write the URL without them, since it goes into the fleet file";
      throw new ImportError(exitCodes.input, `ARCFLUX_REPOSITORY_URL has credentials in it; ${next}.`);
    }
    const { fleetYaml, notTaken, sets, sources } = importFolder(files, {
      ...place,
      ...(url && { repositoryUrl: url }),
    });
    if (sets.length === 0 && sources.length === 0) {
      const ofFiles = notTaken.filter(({ file }) => file in files);
      const read = plural(Object.keys(files).length, "YAML file") || "no YAML file";
      const message = `${folder} has no Flux Kustomization and no source that could be taken (${read} read). Name the folder of a cluster, such as clusters/edge-device-0.`;
      throw new ImportError(
        exitCodes.input,
        [message, ...[...unread, ...ofFiles].map(describeNotTaken)].join("\n"),
      );
    }
    if (out !== undefined) await save(out, fleetYaml);
    const left: NotTaken[] = [...unread, ...notTaken];
    if (asJson) terminal.out(json({ fleetFile: fleetYaml, sets, sources, notTaken: left }));
    else {
      for (const each of left) terminal.err(`${describeNotTaken(each)}\n`);
      if (out === undefined) terminal.out(fleetYaml);
      else
        terminal.out(
          `${out} written: ${plural(sets.length, "set") || "no sets"}, ${plural(sources.length, "source") || "no sources"}.\n`,
        );
    }
    return exitCodes.done;
  } catch (error) {
    if (!(error instanceof ImportError)) throw error;
    if (asJson)
      terminal.out(json({ fleetFile: "", sets: [], sources: [], notTaken: [], error: error.message }));
    else terminal.err(`${error.message}\n`);
    return error.code;
  }
}

/** Texts of the YAML files in a folder and below it, by their path from the folder. */
async function yamlFiles(folder: string): Promise<{ files: Record<string, string>; unread: NotTaken[] }> {
  const files: Record<string, string> = {};
  const unread: NotTaken[] = [];
  try {
    if (!(await stat(folder)).isDirectory())
      throw new ImportError(exitCodes.input, `${folder} is a file; name its folder.`);
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    for (const entry of entries) {
      const path = join(entry.parentPath, entry.name);
      const name = relative(folder, path).split(sep).join("/");
      if (entry.isDirectory() || /(^|\/)\.git\//.test(name)) continue;
      if (!entry.isFile()) {
        // What a link points at may lie anywhere, and a pipe never ends.
        const what = entry.isSymbolicLink() ? "is a symbolic link" : "is not a regular file";
        unread.push({ file: name, path: "", reason: `${what}, and was not read` });
      } else if (!/\.ya?ml$/.test(name)) continue;
      else if ((await stat(path)).size <= mostBytes) files[name] = await readFile(path, "utf8");
      else unread.push({ file: name, path: "", reason: "is larger than 5 MiB, and was not read" });
    }
  } catch (error) {
    const { code, path } = error as NodeJS.ErrnoException;
    if (error instanceof ImportError || code === undefined) throw error;
    const reason = code === "ENOENT" ? "does not exist" : `cannot be read (${code})`;
    throw new ImportError(exitCodes.input, `${path ?? folder} ${reason}; name the folder of a cluster.`);
  }
  return { files, unread };
}

/** Name and folder of the cluster, as the repository around the folder has them. */
async function placeOf(folder: string): Promise<{ readonly cluster: string; readonly parent: string }> {
  let cluster = resolve(folder);
  // The folder with the Flux objects itself is often named so.
  if (/^flux(-system)?$/.test(basename(cluster))) cluster = dirname(cluster);
  const root = await repositoryRoot(cluster);
  const parent = root === undefined ? basename(dirname(cluster)) : relative(root, dirname(cluster));
  return { cluster: basename(cluster), parent: parent.split(sep).join("/") };
}

/** The folder above that holds a clone, or undefined. */
async function repositoryRoot(folder: string): Promise<string | undefined> {
  const found = await stat(join(folder, ".git")).catch(() => undefined);
  if (found !== undefined) return folder;
  return dirname(folder) === folder ? undefined : repositoryRoot(dirname(folder));
}

async function save(path: string, text: string): Promise<void> {
  try {
    await writeFile(path, text, { flag: "wx" });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    const reason =
      code === "EEXIST"
        ? "exists already, and is left as it is; name another file"
        : `cannot be written (${code})`;
    throw new ImportError(exitCodes.failed, `${path} ${reason}.`);
  }
}
