import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { engineTool, engineVersion } from "./engineVersion.mjs";
import { withinMemory } from "./withinMemory.ts";

/** The engine in the cache of this user, or in the package. */
export interface EngineFile {
  readonly version: string;
  readonly path: string;
}

/** In the clone what the engine is built from, in the package the engine itself. */
const beside = fileURLToPath(new URL("engine", import.meta.url));
const isPackage = import.meta.url.endsWith(".js");

export const bringEngine = isPackage
  ? "install the package arcflux again, which holds it"
  : "run `npm run setup` in the clone, which builds it once (Go is needed for that)";
const mostMegabytes = 1024;

/** The engine that the package holds, or that set-up built from `build/engine`; undefined where there is none. */
export function findEngine(cache: string): EngineFile | undefined {
  const version = isPackage ? note(beside)?.version : engineVersion(beside);
  if (version === undefined) return undefined;
  const built = join(cache, `${engineTool.name}-${version}-${process.platform}-${process.arch}`);
  const path = join(isPackage ? beside : built, engineTool.binary);
  return existsSync(path) ? { version, path } : undefined;
}

/** Compiles the engine. Rejects where its file is not what set-up wrote. */
export async function loadEngine({ path }: EngineFile): Promise<WebAssembly.Module> {
  const bytes = await readFile(path);
  const sum = createHash("sha256").update(bytes).digest("hex");
  const noted = note(join(path, ".."))?.files?.[engineTool.binary];
  if (sum !== noted) throw new Error(`${path} is damaged; delete it, and ${bringEngine}`);
  return WebAssembly.compile(withinMemory(bytes, mostMegabytes));
}

/** What set-up noted beside the engine: its version, and the checksum of the file. */
interface EngineNote {
  readonly version?: string;
  readonly files?: Readonly<Record<string, string>>;
}

function note(folder: string): EngineNote | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8")) as EngineNote;
  } catch {
    return undefined;
  }
}
