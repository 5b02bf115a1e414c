import { mayBeSecret } from "./secretShapes.ts";

/** How a repository is reached. */
export type Transport = "http" | "https" | "ssh" | "file";

const allowed =
  "write https://host/path, http://host/path, ssh://git@host/path, git@host:path, file:///path or an absolute path";

const credentials = (handOver: string) =>
  `has credentials in it; write the URL without them, and hand them over ${handOver}`;

const toGitAndClusters =
  "in ARCFLUX_GIT_TOKEN or by a git credential helper, and to the clusters by stack config arcflux:repositoryToken";

const scpLike = /^(?:\w[\w.-]*@)?[A-Za-z0-9][\w.-]*:(?!\/\/)[^-:\s\p{Cc}\\][^\s\p{Cc}\\]*$/u;

/** ssh would read a user or a host that begins with - as an option. */
const sshHost = /^ssh:\/\/([\w.~][\w.~+-]*@)?(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9][\w.-]*)(:\d+)?(\/|$)/;

/** The transport of a repository URL, or undefined when it has none that git and Flux share. */
export function transport(url: string): Transport | undefined {
  const scheme = /^(https?|ssh|file):\/\//.exec(url)?.[1];
  if (scheme !== undefined) return scheme as Transport;
  if (url.startsWith("/")) return "file";
  return scpLike.test(url) ? "ssh" : undefined;
}

/**
 * Says what is wrong with a repository URL, or undefined. The message never repeats any of the URL: what stands in the
 * wrong place is often a token. `handOver` says how credentials are handed over instead; by default, those of the fleet's
 * own repository.
 */
export function urlFault(url: string, handOver = toGitAndClusters): string | undefined {
  if (url === "") return `is empty; ${allowed}`;
  if (/[\s\p{Cc}]/u.test(url)) return `has a space or a control character; ${allowed}`;
  const kind = transport(url);
  if (/^(https?|ssh|file):\/\//i.test(url) && kind === undefined)
    return `has a scheme in capital letters, which git does not take; ${allowed}`;
  if (kind === undefined) return `is not a repository URL; ${allowed}`;
  // `user:token@host:path` reads as the path `token@host:path` on the host `user`.
  if (!url.includes("://"))
    return kind === "ssh" && url.slice(url.indexOf(":")).includes("@") ? credentials(handOver) : undefined;
  if (/%(0[0-9a-f]|1[0-9a-f]|7f)/i.test(url))
    return "has an encoded control character; write the path without it";
  if (kind === "file")
    return /^file:\/\/\/[^/]/.test(url)
      ? undefined
      : "has no absolute path after three slashes; a file URL is file:///path";

  // Looked for in the text, since a stray / or @ in a password moves where a parser sees the host.
  const at = kind === "ssh" ? /^ssh:\/\/[^/]*:[^/]*@/ : /^https?:\/\/([^/]*@|[^@]*:[^@]*@)/;
  if (at.test(url)) return credentials(handOver);
  const parsed = URL.parse(url);
  if (parsed === null || !/^[A-Za-z0-9[]/.test(parsed.hostname)) return `is not a repository URL; ${allowed}`;
  if (parsed.password !== "" || (kind !== "ssh" && parsed.username !== "")) return credentials(handOver);
  if (parsed.search !== "" || parsed.hash !== "" || /[?#]/.test(url))
    return "has a ? or # part; end it after the path";
  if (kind === "ssh" && !sshHost.test(url)) return `has no host that ssh could take; ${allowed}`;
  if (/^\/*$/.test(parsed.pathname))
    return "has no path after the host; write the whole URL of the repository";
  return undefined;
}

/**
 * A URL as the clone button of a host gives it, without the user part that two hosts put there: the organisation at Azure
 * DevOps, the account at Bitbucket. A user part that could be a token stays, and is a fault.
 */
export function cloneUrl(url: string): string {
  const [, user = "", host = "", first = ""] =
    /^https:\/\/([A-Za-z0-9][\w.-]{0,49})@([\w.-]+)\/([^/]+)\//.exec(url) ?? [];
  const isButton =
    host === "dev.azure.com"
      ? user.toLowerCase() === first.toLowerCase()
      : host === "bitbucket.org" && user.length <= 30 && !mayBeSecret(user);
  return isButton ? url.replace(`${user}@`, "") : url;
}

/** Says what is wrong with the base of a host's REST interface, to which a token is sent; undefined when nothing is. */
export function apiUrlFault(url: string): string | undefined {
  const write = "write https://host/path, the base of the interface alone";
  if (/[\s\p{Cc}]/u.test(url)) return `has a space or a control character; ${write}`;
  const parsed = URL.parse(url);
  if (parsed === null || !(parsed.protocol === "https:" || (parsed.protocol === "http:" && isLoopback(url))))
    return `is not an https URL, and a token is sent there; ${write}`;
  return parsed.username !== "" || parsed.password !== "" || /[?#]/.test(url)
    ? `holds credentials, a query or a fragment; ${write}`
    : undefined;
}

/** Whether a URL, be it right or not, has something where people write a password or a token. */
export function mayHoldCredentials(url: string): boolean {
  return urlFault(url) !== undefined && /^https?:.*@|:[^@]*@|\?/i.test(url);
}

/** Whether what is sent to this URL stays on this machine. */
export function isLoopback(url: string): boolean {
  const host = URL.parse(url)?.hostname ?? "";
  return host === "localhost" || host === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(host);
}

/** A part of a URL without its escapes; as it stands where they are none, as curl has it. */
export function unescaped(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Whether two URLs name one repository, whichever of a host's forms each has; a path on disk only names itself. */
export function isSameRepository(one: string, other: string): boolean {
  const [first, second] = [one, other].map(bareForm);
  return first === second;
}

/** Host and path, without what differs from form to form: scheme, user, port of ssh, `.git`. */
function bareForm(url: string): string {
  const [, scp, path] = /^(?:[^@/]+@)?([A-Za-z0-9][\w.-]*):(?!\/\/)\/?(.+)$/.exec(url) ?? [];
  const parsed = scp === undefined ? URL.parse(url) : undefined;
  const place =
    scp !== undefined
      ? `${scp.toLowerCase()}/${path}`
      : parsed == null || parsed.protocol === "file:"
        ? url.replace(/^file:\/\//, "")
        : `${parsed.protocol === "ssh:" ? parsed.hostname : parsed.host}${parsed.pathname}`;
  return place.replace(/\/+$/, "").replace(/\.git$/, "");
}
