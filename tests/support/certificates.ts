import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Whether certificates can be made here. */
export const hasOpenssl = spawnSync("openssl", ["version"]).status === 0;

export interface Certificates {
  /** File of the authority. */
  readonly caFile: string;
  readonly key: string;
  readonly cert: string;
}

/** An authority of its own and a server certificate of it, for some host names and 127.0.0.1. */
export function makeCertificates(folder: string, names: readonly string[]): Certificates {
  const at = (name: string): string => join(folder, name);
  const openssl = (...args: string[]): Buffer => execFileSync("openssl", args, { stdio: "pipe" });
  const ec = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  openssl(
    "req",
    "-x509",
    ...ec,
    "-keyout",
    at("ca.key"),
    "-out",
    at("ca.pem"),
    "-subj",
    "/CN=Spec CA",
    "-days",
    "2",
  );
  openssl("req", ...ec, "-keyout", at("tls.key"), "-out", at("tls.csr"), "-subj", "/CN=spec");
  const san = ["IP:127.0.0.1", ...names.map((name) => `DNS:${name}`)].join(",");
  writeFileSync(at("san"), `subjectAltName=${san}\n`);
  const authority = ["-CA", at("ca.pem"), "-CAkey", at("ca.key"), "-CAcreateserial"];
  openssl(
    "x509",
    "-req",
    "-in",
    at("tls.csr"),
    ...authority,
    "-out",
    at("tls.pem"),
    "-days",
    "2",
    "-extfile",
    at("san"),
  );
  return {
    caFile: at("ca.pem"),
    key: readFileSync(at("tls.key"), "utf8"),
    cert: readFileSync(at("tls.pem"), "utf8"),
  };
}
