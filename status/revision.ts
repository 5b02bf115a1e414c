/** Hash of the commit or artifact in a revision of Flux (`main@sha1:4f2c…`, `sha256:9a…`) or of Azure (`main/4f2c…`). */
export function hashOf(revision: string | undefined): string | undefined {
  return /(?:^|[:/])([0-9a-f]{40}|[0-9a-f]{64})$/.exec(revision ?? "")?.[1];
}

/** The branch, tag or version in a revision, where it names one. */
export function refOf(revision: string | undefined): string | undefined {
  return /^(.+?)(?:@sha\d+:[0-9a-f]+|\/[0-9a-f]{40,64})$/.exec(revision ?? "")?.[1];
}

/** A revision for people: `main@4f2c1ab`. */
export function shortRevision(revision: string | undefined): string {
  const [ref, hash] = [refOf(revision), hashOf(revision)?.slice(0, 7)];
  if (hash === undefined) return revision ?? "";
  return ref === undefined ? hash : `${ref}@${hash}`;
}

/** The last revision that a message of Flux's condition Ready names. */
export function revisionInMessage(message: string): string | undefined {
  const [, found] = /revision:? '?([^\s'"]+)/i.exec(message) ?? [];
  return hashOf(found) === undefined ? undefined : found;
}
