import { accessSync, constants, realpathSync } from "node:fs";
import path from "node:path";
import { readJson } from "./atomicFile.ts";
import { asObject } from "./azure/json.ts";

/** Folders to put on PATH, in order, and whether there is a language host of Pulumi's own. */
export interface LabTools {
  readonly folders: readonly string[];
  readonly stockLanguageHost: boolean;
}

const languageHost = "pulumi-language-nodejs";

/**
 * Finds Node, the Pulumi engine and its language host: what set-up noted in `node_modules/.arcflux/tools.json`, else
 * PATH. Throws when there is no engine.
 */
export function findTools(root: string, env: NodeJS.ProcessEnv): LabTools {
  const noted = asObject(readJson(path.join(root, "node_modules", ".arcflux", "tools.json")));
  const search = [path.join(root, "node_modules", ".bin"), ...(env["PATH"] ?? "").split(path.delimiter)];
  const engine = notedPath(noted["pulumi"]) ?? find("pulumi", search);
  if (engine === undefined) {
    throw new Error("The Pulumi engine was not found. Run `npm run setup` in the clone; it brings one.");
  }
  const node = notedPath(noted["node"]) ?? process.execPath;
  const notedHost = typeof noted["languageHost"] === "string" ? noted["languageHost"] : undefined;
  // The engine looks beside itself too, following its own links.
  const stock =
    usable(notedHost) ??
    find(languageHost, [path.dirname(realpathSync(engine)), path.dirname(engine), ...search]);
  const folders = [path.dirname(node), path.dirname(engine)];
  if (stock !== undefined) folders.push(path.dirname(stock));
  return { folders: [...new Set(folders)], stockLanguageHost: stock !== undefined };
}

function notedPath(tool: unknown): string | undefined {
  const place = asObject(tool)["path"];
  return typeof place === "string" ? usable(place) : undefined;
}

function find(name: string, folders: readonly string[]): string | undefined {
  const names = process.platform === "win32" ? [`${name}.exe`, `${name}.cmd`] : [name];
  for (const folder of folders.filter((one) => one !== "")) {
    for (const candidate of names) {
      const found = usable(path.join(folder, candidate));
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

function usable(file: string | undefined): string | undefined {
  if (file === undefined) return undefined;
  try {
    accessSync(file, constants.X_OK);
    return file;
  } catch {
    return undefined;
  }
}
