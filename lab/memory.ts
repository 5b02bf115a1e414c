import { randomBytes } from "node:crypto";
import { chmodSync, readFileSync } from "node:fs";
import path from "node:path";
import { readJson, writeFileAtomic, writeJsonAtomic } from "./atomicFile.ts";
import { asObject } from "./azure/json.ts";

/** The services of a lab that listen on a port. */
export const services = ["azure-native", "tls", "kubernetes", "git", "arm"] as const;
export type Service = (typeof services)[number];
export type Ports = Partial<Record<Service, number>>;

/** The ports of the last start: URLs in Pulumi state stay the same when they can be had again. */
export function recallPorts(dir: string): Ports {
  const noted = asObject(asObject(readJson(path.join(dir, "lab.json")))["ports"]);
  const known = services.map((service) => [service, noted[service]] as const);
  return Object.fromEntries(known.filter(([, port]) => Number.isInteger(port)));
}

export function notePorts(dir: string, ports: Ports): void {
  writeJsonAtomic(path.join(dir, "lab.json"), { ports });
}

/** The token of the Git server, readable by the owner alone. A given one replaces it; else it is made once. */
export function keepToken(dir: string, given: string | undefined): string {
  const file = path.join(dir, "token");
  const token = given ?? readToken(file) ?? `lab-${randomBytes(24).toString("hex")}`;
  if (token !== readToken(file)) writeFileAtomic(file, `${token}\n`, 0o600);
  chmodSync(file, 0o600);
  return token;
}

function readToken(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8").trim() || undefined;
  } catch {
    return undefined;
  }
}
