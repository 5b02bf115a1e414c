import { execFile } from "node:child_process";
import { dirname, resolve } from "node:path";
import { type AzureAccess, azureAccess } from "../status/index.ts";
import { isMap } from "../values/maps.ts";
import { readVaultSecret } from "./keyVault.ts";
import type { ReadSource } from "./readValues.ts";

/** What places are read with. */
export interface SourceContext {
  /** The fleet file, whose folder paths start at. */
  readonly fleetFile: string;
  readonly env: NodeJS.ProcessEnv;
  /** A stack config secret by its key, without `arcflux:`. */
  readonly config: (key: string) => string | undefined;
}

/** Of one run of sops, in milliseconds. */
const patience = 30_000;

/** Reads places as the program sees them. Files are decrypted once each, and Azure is asked for one token. */
export function sourceReader({ fleetFile, env, config }: SourceContext): ReadSource {
  const files = new Map<string, Promise<unknown>>();
  let azure: Promise<AzureAccess> | undefined;
  return async (source) => {
    if ("config" in source) return config(source.config);
    if ("env" in source) return env[source.env];
    if ("keyVault" in source)
      return readVaultSecret(source.keyVault, await (azure ??= azureAccess(env)), env);
    const file = resolve(dirname(fleetFile), source.sops.file);
    const content = files.get(file) ?? decrypt(file, env);
    files.set(file, content);
    return valueAt(await content, source.sops.key);
  };
}

/** The user's own sops knows every way to a key: age, Key Vault, PGP. What it prints in a failure may hold values. */
function decrypt(file: string, env: NodeJS.ProcessEnv): Promise<unknown> {
  return new Promise((done, fail) => {
    const args = ["--decrypt", "--output-type", "json", file];
    execFile("sops", args, { env, timeout: patience, maxBuffer: 16 << 20 }, (error, stdout) => {
      if (error === null) {
        const content = parsed(stdout);
        return content === undefined
          ? fail(
              new Error(`what sops printed is no JSON. Look with: sops --decrypt --output-type json ${file}`),
            )
          : done(content);
      }
      const { code } = error as NodeJS.ErrnoException;
      fail(
        new Error(
          code === "ENOENT"
            ? "there is no sops on PATH. Install it (https://getsops.io)."
            : `sops ended with ${code ?? "a signal"}. See why: sops --decrypt ${file} >/dev/null`,
        ),
      );
    });
  });
}

/** Undefined for what is no JSON: the parser's own words would quote it. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function valueAt(content: unknown, path: string): string | undefined {
  let value = content;
  for (const key of path.split(".")) {
    if (!isMap(value) || !Object.hasOwn(value, key)) return undefined;
    value = value[key];
  }
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean"
    ? String(value)
    : undefined;
}
