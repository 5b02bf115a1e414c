import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { engineTool, engineVersion } from "./engineVersion.mjs";
import { withinMemory } from "./withinMemory.ts";

/** The engine in the cache of this user. */
export interface EngineFile {
  readonly version: string;
  readonly path: string;
}

export const bringEngine = "run `npm run setup` in the clone, which builds it once (Go is needed for that)";
const mostMegabytes = 1024;

/** The engine that set-up built from `build/engine`; undefined where there is none. */
export function findEngine(cache: string): EngineFile | undefined {
  const version = engineVersion(fileURLToPath(new URL("engine", import.meta.url)));
  const folder = join(cache, `${engineTool.name}-${version}-${process.platform}-${process.arch}`);
  const path = join(folder, engineTool.binary);
  return existsSync(path) ? { version, path } : undefined;
}

/** Compiles the engine. Rejects where its file is not what set-up wrote. */
export async function loadEngine({ path }: EngineFile): Promise<WebAssembly.Module> {
  const bytes = await readFile(path);
  const sum = createHash("sha256").update(bytes).digest("hex");
  if (sum !== noted(path)) throw new Error(`${path} is damaged; delete it, and ${bringEngine}`);
  return WebAssembly.compile(withinMemory(bytes, mostMegabytes));
}

/** The checksum that set-up noted beside the engine. */
function noted(path: string): string | undefined {
  try {
    const text = readFileSync(join(path, "..", "manifest.json"), "utf8");
    const { files } = JSON.parse(text) as { readonly files?: Readonly<Record<string, string>> };
    return files?.[engineTool.binary];
  } catch {
    return undefined;
  }
}
