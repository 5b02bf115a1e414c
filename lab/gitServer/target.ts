/** What a request is for: the path decoded, the query as it came. */
export interface Target {
  readonly path: string;
  readonly query: string;
}

/** Splits the URL of a request; undefined when it is malformed. */
export function parseTarget(url: string): Target | undefined {
  const at = url.indexOf("?");
  try {
    const path = decodeURIComponent(at < 0 ? url : url.slice(0, at));
    return path.includes("\0") ? undefined : { path, query: at < 0 ? "" : url.slice(at + 1) };
  } catch {
    return undefined;
  }
}

/** Whether it can only be a fetch. Whatever is not known to be one counts as a push. */
export function isFetch({ path, query }: Target): boolean {
  if (path.endsWith("/git-upload-pack")) return query === "";
  return path.endsWith("/info/refs") && query === "service=git-upload-pack";
}
