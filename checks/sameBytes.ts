import { objectId } from "../git/index.ts";
import type { TreeEntry } from "./repositoryTree.ts";

/** Whether an entry is known, without reading it, to hold exactly this text. */
export function hasBytes({ kind, id }: TreeEntry, text: string): boolean {
  return kind === "file" && id !== undefined && id === objectId("blob", Buffer.from(text), id.length);
}
