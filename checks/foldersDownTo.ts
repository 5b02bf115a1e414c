/** The folders from the root down to one, that one among them: `["", "clusters", "clusters/edge-0"]`. */
export function foldersDownTo(folder: string): string[] {
  const parts = folder === "" ? [] : folder.split("/");
  return ["", ...parts.map((_, depth) => parts.slice(0, depth + 1).join("/"))];
}
