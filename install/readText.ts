import { readFile } from "node:fs/promises";

/** A file that is no text, and why: `ENOENT`, or what is wrong with it. */
export interface Unreadable {
  readonly isAbsent: boolean;
  readonly why: string;
}

/** A file of manifests as text. Never with replaced bytes: what reaches a cluster is what was released. */
export async function readText(file: string): Promise<string | Unreadable> {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(await readFile(file));
  } catch (error) {
    const { code = "unknown error" } = error as NodeJS.ErrnoException;
    return {
      isAbsent: code === "ENOENT",
      why: code === "ERR_ENCODING_INVALID_ENCODED_DATA" ? "it is not UTF-8 text" : code,
    };
  }
}
