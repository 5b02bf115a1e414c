import { readFile } from "node:fs/promises";
import type { Finding } from "./finding.ts";
import { loadFleet, type Loaded, type Overrides } from "./load.ts";

/** Loads a fleet file from disk. A file that cannot be read is a finding like any other. */
export async function readFleet(path: string, overrides: Overrides = {}): Promise<Loaded> {
  let bytes: Uint8Array;
  try {
    bytes = await readFile(path);
  } catch (error) {
    return unreadable(path, reason(error));
  }
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return unreadable(path, "is not UTF-8 text; save it as UTF-8");
  }
  return loadFleet(text, path, overrides);
}

function reason(error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code ?? "unknown error";
  if (code === "ENOENT")
    return "does not exist; name the fleet file, which is fleet.yaml unless you say otherwise";
  if (code === "EISDIR") return "is a folder; name the fleet file in it";
  return `cannot be read (${code}); check its permissions`;
}

function unreadable(file: string, message: string): Loaded {
  const finding: Finding = { severity: "error", file, line: 1, column: 1, path: "", message };
  return { fleet: undefined, findings: [finding] };
}
