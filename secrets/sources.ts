import { execFile } from "node:child_process";
import { dirname, resolve } from "node:path";
import { type AzureAccess, azureAccess, azureNext, azureWords } from "../status/index.ts";
import { isMap } from "../values/maps.ts";
import type { ReadSource } from "./readValues.ts";

/** What places are read with. */
export interface SourceContext {
  /** The fleet file, whose folder paths start at. */
  readonly fleetFile: string;
  readonly env: NodeJS.ProcessEnv;
  /** A stack config secret by its key, without `arcflux:`. */
  readonly config: (key: string) => string | undefined;
}

const vaultVersion = "7.4";
/** Of one request or one run of sops, in milliseconds. */
const patience = 30_000;

/** Reads places as the program sees them. Files are decrypted once each, and Azure is asked for one token. */
export function sourceReader({ fleetFile, env, config }: SourceContext): ReadSource {
  const files = new Map<string, Promise<unknown>>();
  let azure: Promise<AzureAccess> | undefined;
  return async (source) => {
    if ("config" in source) return config(source.config);
    if ("env" in source) return env[source.env];
    if ("keyVault" in source) return readVault(source.keyVault, await (azure ??= azureAccess(env)), env);
    const file = resolve(dirname(fleetFile), source.sops.file);
    const content = files.get(file) ?? decrypt(file, env);
    files.set(file, content);
    return valueAt(await content, source.sops.key);
  };
}

async function readVault(
  { vault, secret }: { readonly vault: string; readonly secret: string },
  { credential }: AzureAccess,
  env: NodeJS.ProcessEnv,
): Promise<string | undefined> {
  const suffix = env["ARCFLUX_VAULT_SUFFIX"] ?? "vault.azure.net";
  const token = await credential.getToken(`https://${suffix}/.default`).catch((error: unknown) => {
    throw new Error(`${azureWords(error)}. ${azureNext(error)}`);
  });
  const url = `https://${vault}.${suffix}/secrets/${encodeURIComponent(secret)}?api-version=${vaultVersion}`;
  const answer = await fetch(url, {
    headers: { authorization: `Bearer ${token?.token ?? ""}` },
    redirect: "error",
    signal: AbortSignal.timeout(patience),
  }).catch((error: unknown) => {
    const { cause } = error as Error & { readonly cause?: { readonly code?: string } };
    throw new Error(`${vault}.${suffix} does not answer (${cause?.code ?? "no answer in time"}).`);
  });
  if (answer.status === 404) return undefined;
  if (!answer.ok)
    throw new Error(
      `HTTP ${answer.status}. ${answer.status === 403 ? "Give your identity the role Key Vault Secrets User." : "Try again."}`,
    );
  const content = parsed(await answer.text());
  if (!isMap(content)) throw new Error("what the vault answered is no JSON. Try again.");
  const { value } = content;
  return typeof value === "string" ? value : undefined;
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
