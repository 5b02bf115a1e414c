/**
 * The folder that Flux takes for a `path`, from the root of the source: it joins what is written to the root, and nothing
 * leads out of there. `./apps/`, `/apps` and `../apps` are all `apps`.
 */
export function normalFolder(path: string): string {
  const names: string[] = [];
  for (const name of path.split("/")) {
    if (name === "..") names.pop();
    else if (name !== "" && name !== ".") names.push(name);
  }
  return names.join("/");
}
