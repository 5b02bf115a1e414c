import { generateKeyPair, randomBytes } from "node:crypto";
import { chmodSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { makeFolder } from "../makeFolder.ts";

/** Where a cluster keeps what; all of it below its folder. */
export interface ClusterFiles {
  readonly dir: string;
  readonly kubeconfig: string;
  readonly logs: string;
  readonly etcd: string;
  /** Key and certificate of the API server, made by itself. */
  readonly certificates: string;
  readonly certificate: string;
  /** One line, the administrator's token. */
  readonly tokens: string;
  readonly token: string;
  readonly serviceAccountKey: string;
  readonly serviceAccountPublicKey: string;
  /** What source-controller has fetched. */
  readonly artifacts: string;
  /** TMPDIR of all processes. */
  readonly temporary: string;
  /** The processes, for a start after a crash. */
  readonly processes: string;
}

const processesFile = "processes.json";

/** The note of an earlier start in this folder. */
export function processesNote(dir: string): string {
  return path.join(dir, processesFile);
}

/** Makes the folder of a cluster anew, with a token and a key pair of its own, readable by the owner alone. */
export async function makeClusterFiles(dir: string): Promise<ClusterFiles> {
  makeFolder(dir);
  removeContent(dir);
  chmodSync(dir, 0o700);
  const at = (name: string): string => path.join(dir, name);
  const files: ClusterFiles = {
    dir,
    kubeconfig: at("kubeconfig"),
    logs: at("logs"),
    etcd: at("etcd"),
    certificates: at("certificates"),
    certificate: path.join(dir, "certificates", "apiserver.crt"),
    tokens: at("tokens.csv"),
    token: randomBytes(24).toString("hex"),
    serviceAccountKey: at("service-accounts.key"),
    serviceAccountPublicKey: at("service-accounts.pub"),
    artifacts: at("artifacts"),
    temporary: at("tmp"),
    processes: processesNote(dir),
  };
  for (const folder of ["logs", "etcd", "certificates", "artifacts", "temporary"] as const) {
    mkdirSync(files[folder], { mode: 0o700 });
  }
  writeFileSync(files.tokens, `${files.token},admin,admin-uid,"system:masters"\n`, { mode: 0o600 });
  const pair = await promisify(generateKeyPair)("rsa", {
    modulusLength: 2048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });
  writeFileSync(files.serviceAccountKey, pair.privateKey, { mode: 0o600 });
  writeFileSync(files.serviceAccountPublicKey, pair.publicKey, { mode: 0o600 });
  return files;
}

/** Removes a cluster's folder; with `keepLogs` all of it but the logs. */
export function removeClusterFiles(dir: string, keepLogs: boolean): void {
  if (keepLogs) removeContent(dir, "logs");
  else rmSync(dir, { recursive: true, force: true, maxRetries: 5 });
}

function removeContent(dir: string, except?: string): void {
  for (const name of readdirSync(dir)) {
    if (name !== except) rmSync(path.join(dir, name), { recursive: true, force: true, maxRetries: 5 });
  }
}
