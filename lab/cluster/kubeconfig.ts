import { readFileSync } from "node:fs";
import path from "node:path";
import { parse, stringify } from "yaml";
import { writeFileAtomic } from "../atomicFile.ts";
import type { Json } from "../azure/json.ts";
import { asObject, isObject } from "../azure/json.ts";

/** How one cluster is reached. */
export interface ClusterAccess {
  /** Of the cluster, the context and the user. */
  readonly name: string;
  readonly server: string;
  /** PEM. */
  readonly certificate: string;
  readonly token: string;
}

/** Writes a kubeconfig that stands alone, without paths in it, readable by the owner alone. */
export function writeKubeconfig(file: string, { name, server, certificate, token }: ClusterAccess): void {
  const certificateData = Buffer.from(certificate).toString("base64");
  writeFileAtomic(
    file,
    stringify({
      apiVersion: "v1",
      kind: "Config",
      clusters: [{ name, cluster: { server, "certificate-authority-data": certificateData } }],
      users: [{ name, user: { token } }],
      contexts: [{ name, context: { cluster: name, user: name } }],
      "current-context": name,
    }),
    0o600,
  );
}

/** Writes one kubeconfig with the contexts of several that name nothing alike; the first one's is the current. */
export function mergeKubeconfigs(file: string, parts: readonly string[]): void {
  const all = parts.map(readKubeconfig);
  const joined = (key: string): unknown[] =>
    all.flatMap((one) => (Array.isArray(one[key]) ? (one[key] as unknown[]) : []));
  writeFileAtomic(
    file,
    stringify({
      apiVersion: "v1",
      kind: "Config",
      clusters: joined("clusters"),
      users: joined("users"),
      contexts: joined("contexts"),
      "current-context": all[0]?.["current-context"],
    }),
    0o600,
  );
}

/** Names of the contexts of a kubeconfig, and which of them is the current one. */
export function contextsOf(file: string): { readonly names: readonly string[]; readonly current?: string } {
  const config = readKubeconfig(file);
  const contexts = Array.isArray(config["contexts"]) ? (config["contexts"] as unknown[]) : [];
  const names = contexts
    .map((one) => asObject(one)["name"])
    .filter((name): name is string => typeof name === "string");
  const current = config["current-context"];
  return { names, ...(typeof current === "string" && names.includes(current) && { current }) };
}

function readKubeconfig(file: string): Json {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "unknown error";
    throw new Error(`The kubeconfig ${path.resolve(file)} cannot be read (${code}). Name another file.`, {
      cause: error,
    });
  }
  let parsed: unknown;
  try {
    parsed = parse(text);
  } catch {
    parsed = undefined;
  }
  // The text is not shown: a kubeconfig holds credentials.
  if (!isObject(parsed)) {
    throw new Error(
      `${path.resolve(file)} is no kubeconfig: it is not YAML with clusters, contexts and users. Name another file.`,
    );
  }
  return parsed;
}
