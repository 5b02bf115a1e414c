/** Why a text is no absolute path, to follow it; undefined for one. */
export function absolutePathFault(path: string): string | undefined {
  return /^(\/|[A-Za-z]:[\\/])./.test(path)
    ? undefined
    : "is not an absolute path; write one, since the plugin that commits runs in a folder of its own";
}
