import { probable } from "../values/nearest.ts";
import type { RepositoryReader } from "./repositoryReader.ts";

/** What a path leads to. `elsewhere`: by way of a symbolic link or submodule, which is not followed. */
export type Located =
  | { readonly kind: "folder" | "file" | "elsewhere" }
  /** `near`: the folder that was probably meant, where there is one. */
  | { readonly kind: "missing"; readonly near?: string };

/** Looks for a folder under its exact case. `path` is from the root, such as `apps/pos`; `""` is the root. */
export async function locateFolder(path: string, reader: RepositoryReader): Promise<Located> {
  const parts = path === "" ? [] : path.split("/");
  let folder = "";
  for (const [depth, part] of parts.entries()) {
    const entries = (await reader.list(folder)) ?? [];
    const entry = entries.find(({ name }) => name === part);
    const here = join(folder, part);
    if (entry === undefined) {
      const near = await nearFolder(folder, parts.slice(depth), reader);
      return near === undefined ? { kind: "missing" } : { kind: "missing", near };
    }
    if (entry.kind === "symlink" || entry.kind === "submodule") return { kind: "elsewhere" };
    if (entry.kind !== "folder") return depth === parts.length - 1 ? { kind: "file" } : { kind: "missing" };
    folder = here;
  }
  return { kind: "folder" };
}

/** The folder that the rest of a path leads to when each name is read with a lenient eye, as far as it goes. */
async function nearFolder(
  folder: string,
  rest: readonly string[],
  reader: RepositoryReader,
): Promise<string | undefined> {
  let here = folder;
  for (const part of rest) {
    const names = ((await reader.list(here)) ?? [])
      .filter(({ kind }) => kind === "folder")
      .map(({ name }) => name);
    const next =
      names.find((name) => name === part) ??
      names.find((name) => name.toLowerCase() === part.toLowerCase()) ??
      probable(part, names);
    if (next === undefined) return undefined;
    here = join(here, next);
  }
  return here;
}

function join(folder: string, name: string): string {
  return folder === "" ? name : `${folder}/${name}`;
}
