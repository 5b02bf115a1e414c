/** A path relative to a folder, from the root of the repository; undefined for a URL and for what leaves the repository. */
export function relativePath(folder: string, path: string): string | undefined {
  if (/^[a-z+]+:|^git@|\?ref=|^\//i.test(path) || /^[\w-]+(\.[\w-]+)+\//.test(path)) return undefined;
  const parts = folder === "" ? [] : folder.split("/");
  for (const part of path.split("/")) {
    if (part === "" || part === ".") continue;
    if (part !== "..") parts.push(part);
    else if (parts.pop() === undefined) return undefined;
  }
  return parts.join("/");
}
