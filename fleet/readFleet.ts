import { readFileSync, realpathSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, isAbsolute, join, normalize, relative, sep } from "node:path";
import type { Include, Included } from "./documents.ts";
import { filesMatching, standsFor, TooManyFolders } from "./filesMatching.ts";
import { loadFleet, type Loaded, type LoadOptions } from "./load.ts";
import { realPath } from "../disk/realPath.ts";

/** Texts by path that take the place of what is on disk: what files are going to hold. */
export interface Unwritten {
  readonly texts?: ReadonlyMap<string, string>;
}

/**
 * Loads a fleet file from disk, with the files it includes. A file that cannot be read is a finding like any other. The
 * day, which `suspend.until` is compared with, is today's in UTC unless the options name one.
 */
export async function readFleet(
  path: string,
  { texts, ...options }: LoadOptions & Unwritten = {},
): Promise<Loaded> {
  if (path === "")
    return unreadable(path, "the path of the fleet file is empty; name a file, such as fleet.yaml");
  const unwritten = new Map([...(texts ?? [])].map(([file, text]) => [realPath(file), text]));
  const text = newText(path, unwritten);
  const main: Included =
    text === undefined
      ? decoded(path, await readFile(path).catch((error: unknown) => error as Error))
      : { file: path, text };
  if ("fault" in main) return unreadable(path, main.fault);
  const today = new Date().toISOString().slice(0, 10);
  return loadFleet(main.text, path, { today, include: includeFrom(path, unwritten), ...options });
}

const leadsOut = (by = "") =>
  `leads out of the folder of the fleet file${by}, and only files in it and below it are read; move the file there, and write its path from there`;

/**
 * Finds included files relative to the fleet file; they are named as the user would name them from where they stand. What
 * is outside of the fleet file's folder is not read: whoever proposes a change could have a runner print its files.
 */
function includeFrom(path: string, unwritten: ReadonlyMap<string, string>): Include {
  const folder = dirname(path);
  const main = normalize(path);
  return (pattern) => {
    if (climbs(pattern)) return { refused: leadsOut() };
    // A plain name that does not exist is a fault of its own, as is a pattern that matches nothing.
    const isPattern = pattern.includes("*");
    const files = isPattern ? filesOf(folder, pattern, unwritten) : [join(folder, pattern)];
    if (files === undefined)
      return { refused: "stands for too many folders to look through; write fewer stars, or name folders" };
    if (!isPattern && normalize(files[0]!) === main)
      return { refused: "is the fleet file, which would include itself; drop it" };
    if (files.some((file) => isElsewhere(folder, file))) return { refused: leadsOut(" by a link") };
    return files
      .filter((file) => normalize(file) !== main)
      .map((file): Included => {
        const [name, text] = [file.split(sep).join("/"), newText(file, unwritten)];
        return text === undefined ? decoded(name, bytesOf(file)) : { file: name, text };
      });
  };
}

function newText(file: string, unwritten: ReadonlyMap<string, string>): string | undefined {
  return unwritten.size === 0 ? undefined : unwritten.get(realPath(file));
}

/** The files of a pattern, new ones among them; undefined where there is no end of folders. */
function filesOf(
  folder: string,
  pattern: string,
  unwritten: ReadonlyMap<string, string>,
): string[] | undefined {
  const from = unwritten.size === 0 ? "" : realPath(folder);
  const added = [...unwritten.keys()]
    .map((file) => relative(from, file).split(sep).join("/"))
    .filter((path) => standsFor(pattern, path))
    .map((path) => join(folder, path));
  try {
    const found = filesMatching(folder, pattern);
    return added.length === 0 ? found : [...new Set([...found, ...added])].sort();
  } catch (error) {
    if (error instanceof TooManyFolders) return undefined;
    throw error;
  }
}

/** Whether a pattern is absolute, or could leave its folder on the way; `**` may stand for no folder at all. */
function climbs(pattern: string): boolean {
  if (isAbsolute(pattern) || /^[\\/]|^[A-Za-z]:/.test(pattern)) return true;
  let depth = 0;
  return pattern.split(/[\\/]/).some((part) => {
    if (part === "..") depth--;
    else if (part !== "" && part !== "." && part !== "**") depth++;
    return depth < 0;
  });
}

/** Whether a link on the way makes a file one of another folder. What is not there at all is nowhere else. */
function isElsewhere(folder: string, file: string): boolean {
  try {
    const way = relative(realpathSync(folder), realPath(file));
    return isAbsolute(way) || way.split(sep)[0] === "..";
  } catch {
    return false;
  }
}

function bytesOf(file: string): Uint8Array | Error {
  try {
    return readFileSync(file);
  } catch (error) {
    return error as Error;
  }
}

function decoded(file: string, bytes: Uint8Array | Error): Included {
  if (bytes instanceof Error) return { file, fault: reason(bytes) };
  try {
    return { file, text: new TextDecoder("utf-8", { fatal: true }).decode(bytes) };
  } catch {
    return { file, fault: "is not UTF-8 text; save it as UTF-8" };
  }
}

function reason(error: NodeJS.ErrnoException): string {
  const code = error.code ?? "unknown error";
  if (code === "ENOENT")
    return "does not exist; name the fleet file, which is fleet.yaml unless you say otherwise, or correct include";
  if (code === "EISDIR") return "is a folder; name a file in it";
  return `cannot be read (${code}); check its permissions`;
}

function unreadable(file: string, message: string): Loaded {
  const finding: Loaded["finding"] = (severity, _path, text) => ({
    severity,
    file,
    line: 1,
    column: 1,
    path: "",
    message: text,
  });
  return { fleet: undefined, findings: [finding("error", [], message)], finding, origin: undefined };
}
