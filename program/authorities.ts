import { readFileSync } from "node:fs";
import * as pulumi from "@pulumi/pulumi";

import type { ArcProxy } from "../fleet/connection.ts";
import { certificateTexts } from "../values/certificates.ts";

/**
 * The certificates of a file, and nothing else that stands in it: this goes to every cluster.
 *
 * @param field of the fleet file that names the file, and `use` says who needs it for what.
 * @throws a RunError where it cannot be read, or holds none.
 */
export function readAuthorities(field: string, file: string, use: string): string {
  let pem: string;
  try {
    pem = readFileSync(file, "utf8");
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "unknown error";
    throw new pulumi.RunError(
      `${field} ${file} cannot be read (${code}), and ${use}. Write the path of a PEM file.`,
    );
  }
  const found = certificateTexts(pem);
  if (found.length > 0) return found.map((text) => `${text}\n`).join("");
  throw new pulumi.RunError(`${field} ${file} has no certificate, and ${use}. Write the path of a PEM file.`);
}

/** The authorities that a proxy signs with, as the agents take them. Throws a RunError where the file has none. */
export function readProxyCertificates({ caFile }: ArcProxy = {}): { readonly proxyCertificates?: string } {
  if (caFile === undefined) return {};
  return {
    proxyCertificates: readAuthorities("arc.proxy.caFile", caFile, "the agents need it to trust the proxy"),
  };
}
