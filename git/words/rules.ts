import { caseClashesWithin } from "./caseClash.ts";
import { isAbsolute } from "node:path";
import type { Identity, ObjectId } from "./types.ts";
import { messageFields } from "./message.ts";
import { hideUserInfo } from "./redact.ts";
import { trailerPrefix } from "./trailers.ts";

/*
 * Rules for what reaches git from outside. Each returns every reason against the value, in words that end a sentence
 * starting with its name; an empty list means it is fine. No value is echoed that could hold a credential.
 */

const control = /[\u0000-\u001f\u007f]/;
const scpLike = /^([\w.~-]+@)?(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9][\w.-]*):(?!\/\/)([^-].*)$/;

/** A repository URL. `token`: whether a token will be sent along. */
export function checkUrl(url: string, options: { readonly token: boolean }): string[] {
  if (url === "") return ["is empty: give the URL of the repository"];
  if (control.test(url) || /\s/.test(url))
    return ["holds white space or a control character: write it without"];
  const shown = `'${hideUserInfo(url.replace(/[?#].*$/, "?***"))}'`;
  if (url.startsWith("-")) return [`is ${shown}: it must not start with '-'`];
  if (/^[A-Za-z0-9+.-]+::/.test(url)) {
    return [`is ${shown}: remote helpers (NAME::) run programs and are not allowed; use https, ssh or file`];
  }
  // git decodes every URL with a scheme, so that an encoded character is as good as the character.
  if (url.includes("://") && /%([01][0-9a-f]|7f)/i.test(url)) {
    return [`is ${shown}: it holds an encoded control character`];
  }
  const scheme = /^([^:/?#]*):\/\//.exec(url)?.[1];
  if (scheme === undefined) {
    if (isAbsolute(url) || scpLike.test(url)) return [];
    return [`is ${shown}: use https://, ssh://, file://, user@host:path or an absolute path`];
  }
  switch (scheme) {
    case "http":
    case "https":
      return checkHttpUrl(url, shown, options.token);
    case "ssh":
      return checkSshUrl(url, shown);
    case "file":
      return /^file:\/\/\/[^/]/.test(url)
        ? []
        : [`is ${shown}: a file URL has three slashes and an absolute path`];
    default:
      return [`is ${shown}: the scheme must be https, http, ssh or file, in lower case`];
  }
}

function checkHttpUrl(url: string, shown: string, token: boolean): string[] {
  const reasons: string[] = [];
  // Looked for in the text, since a stray '/' or '@' in a password moves where a parser sees the host.
  if (/^https?:\/\/[^/]*@/.test(url) || /^https?:\/\/[^@]*:[^@]*@/.test(url)) {
    return [
      "holds credentials before the '@': take them out (they are not shown here) and " +
        "set ARCFLUX_GIT_TOKEN, and ARCFLUX_GIT_USERNAME where the server wants a certain user name",
    ];
  }
  const parsed = URL.parse(url);
  if (parsed === null || parsed.hostname === "") return [`is ${shown}: no host can be read from it`];
  if (/[?#]/.test(url)) reasons.push(`is ${shown}: it must not hold a query ('?') or fragment ('#')`);
  if (parsed.pathname === "/") reasons.push(`is ${shown}: the path of the repository is missing`);
  if (token && parsed.protocol === "http:" && !isLoopback(parsed.hostname)) {
    reasons.push(`is ${shown}: a token is never sent over plain http to another machine; use https`);
  }
  return reasons;
}

function checkSshUrl(url: string, shown: string): string[] {
  const authority = /^ssh:\/\/([^/]*)(.*)$/.exec(url);
  const [user, host] = splitOnce(authority?.[1] ?? "");
  if (user.includes(":")) {
    return ["holds a password before the '@': take it out (it is not shown here) and use a key"];
  }
  const reasons: string[] = [];
  // ssh would read a host or user that starts with '-' as an option.
  if (!/^(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9][\w.-]*)(:\d+)?$/.test(host) || !/^([\w.~][\w.~+-]*)?$/.test(user)) {
    reasons.push(`is ${shown}: no host can be read from it`);
  }
  if ((authority?.[2] ?? "").replace(/\/+$/, "") === "") {
    reasons.push(`is ${shown}: the path of the repository is missing`);
  }
  return reasons;
}

/** `user@host` in two; the user is empty where there is none. */
function splitOnce(authority: string): [user: string, host: string] {
  const at = authority.lastIndexOf("@");
  return at < 0 ? ["", authority] : [authority.slice(0, at), authority.slice(at + 1)];
}

/** Whether a host name means this machine. */
export function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

/** The short name of a branch, by the rules of `git check-ref-format`. */
export function checkBranch(branch: string): string[] {
  if (branch === "") return ["is empty: name a branch, such as 'main'"];
  const shown = `is ${JSON.stringify(branch)}`;
  const reasons: string[] = [];
  if (/^[-+]/.test(branch)) reasons.push(`${shown}: it must not start with '-' or '+'`);
  if (control.test(branch) || /[ ~^:?*[\\]/.test(branch)) {
    reasons.push(`${shown}: it must not hold spaces, control characters or any of ~ ^ : ? * [ \\`);
  }
  if (branch.includes("..") || branch.includes("@{") || branch === "@") {
    reasons.push(`${shown}: it must not hold '..' or '@{' nor be '@'`);
  }
  if (branch.split("/").some((part) => part === "" || part.startsWith(".") || part.endsWith(".lock"))) {
    reasons.push(`${shown}: no part between '/' may be empty, start with '.' or end in '.lock'`);
  }
  if (branch.endsWith(".")) reasons.push(`${shown}: it must not end in '.'`);
  if (branch === "HEAD" || branch.startsWith("refs/"))
    reasons.push(`${shown}: give the short name, such as 'main'`);
  if (!branch.isWellFormed()) reasons.push(`${shown}: it is not valid Unicode`);
  return reasons;
}

/** A path from the root of the repository, or below a folder of it. */
export function checkPath(path: string): string[] {
  if (path === "") return ["is empty: name a file"];
  const shown = `is ${JSON.stringify(path)}`;
  const reasons: string[] = [];
  const parts = path.split("/");
  if (path.startsWith("/"))
    reasons.push(`${shown}: write it from the root of the repository, without a leading '/'`);
  else if (path.endsWith("/")) reasons.push(`${shown}: it must not end in '/'`);
  else if (parts.includes("")) reasons.push(`${shown}: it must not hold '//'`);
  if (parts.some((part) => part === "." || part === ".."))
    reasons.push(`${shown}: it must not hold '.' or '..'`);
  if (path.includes("\\")) reasons.push(`${shown}: use '/' and not '\\'`);
  if (control.test(path)) reasons.push(`${shown}: it must not hold control characters`);
  if (parts.some((part) => Buffer.byteLength(part) > 255))
    reasons.push(`is a path with a name of more than 255 bytes, which no checkout could hold`);
  if (parts.some(isDotGit)) reasons.push(`${shown}: a name that some system takes for '.git' is not allowed`);
  if (!path.isWellFormed()) reasons.push(`${shown}: it is not valid Unicode`);
  return reasons;
}

/** As checkPath; the root, `""`, is fine too. */
export function checkDirectory(directory: string): string[] {
  return directory === "" ? [] : checkPath(directory);
}

/** What a file system may open as `.git`: any case, short name, trailing dots and spaces, streams, ignored characters. */
function isDotGit(part: string): boolean {
  const name = part
    .replace(/[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g, "")
    .replace(/:.*$/, "")
    .replace(/[. ]+$/, "")
    .toLowerCase();
  return name === ".git" || name === "git~1";
}

/** Paths and contents of one write: each path by itself, and no path that is a folder of another. */
export function checkFiles(files: Readonly<Record<string, string>>): string[] {
  const reasons: string[] = [];
  for (const [path, content] of Object.entries(files)) {
    reasons.push(...checkPath(path));
    // State and wire hold files by name in plain objects, of which these are members already.
    if (path in Object.prototype)
      reasons.push(`has '${path}': a file of that name needs a folder or an ending, such as '${path}.txt'`);
    if (!content.isWellFormed())
      reasons.push(`has ${JSON.stringify(path)}: its content is not valid Unicode`);
    const parts = path.split("/");
    for (let length = 1; length < parts.length; length++) {
      const folder = parts.slice(0, length).join("/");
      if (Object.hasOwn(files, folder))
        reasons.push(`has both '${folder}' and '${path}': a file cannot be a folder too`);
    }
  }
  for (const [path, twin] of caseClashesWithin(Object.keys(files))) {
    const how = "which differ only in case or in how a letter is encoded";
    reasons.push(`has '${twin}' and '${path}', ${how}: some systems cannot hold both, so rename one`);
  }
  return reasons;
}

/** Side branch of pull requests that are to be merged into `base`. */
export function checkSideBranch(side: string, base: string): string[] {
  return side === base ? [`is '${side}', which is the branch to merge into: name another`] : [];
}

/** Blobs of an earlier write. */
export function checkOwned(owned: Readonly<Record<string, ObjectId>>): string[] {
  return Object.entries(owned).flatMap(([path, id]) => [
    ...checkPath(path),
    ...(/^([0-9a-f]{40}|[0-9a-f]{64})$/.test(id)
      ? []
      : [`has ${JSON.stringify(path)}: its blob is no object id`]),
  ]);
}

/** Author and committer. git drops some characters from names, and refuses a name made of nothing else. */
export function checkIdentity({ name, email }: Identity): string[] {
  const reasons: string[] = [];
  if (name.replace(/[\s.,:;<>"\\']/g, "") === "")
    reasons.push(`has the name ${JSON.stringify(name)}: give a name`);
  if (control.test(name) || /[<>]/.test(name)) {
    reasons.push(`has the name ${JSON.stringify(name)}: it must not hold '<', '>' or control characters`);
  }
  if (!/^[^\s<>]+$/.test(email) || control.test(email) || email.replace(/[.,:;"\\']/g, "") === "") {
    reasons.push(`has the email ${JSON.stringify(email)}: give an address without spaces, '<' and '>'`);
  }
  if (!name.isWellFormed() || !email.isWellFormed()) reasons.push("is not valid Unicode");
  return reasons;
}

/** Commit message. */
export function checkMessage(message: string): string[] {
  const reasons: string[] = [];
  if (message.trim() === "" || /^\s*\n/.test(message))
    reasons.push("has no subject: start with a line of text");
  if (/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/.test(message)) {
    reasons.push("holds a control character other than tab and line end");
  }
  const unknown = [...message.matchAll(/\{([a-z]+)\}/g)].filter(
    ([, name = ""]) => !(messageFields as readonly string[]).includes(name),
  );
  for (const [field] of unknown) {
    reasons.push(
      `has the field ${field}: allowed are ${messageFields.map((name) => `{${name}}`).join(", ")}`,
    );
  }
  if (new RegExp(`^${trailerPrefix}[A-Za-z-]+\\s*:`, "im").test(message)) {
    reasons.push(
      `has a line that starts with '${trailerPrefix}': such lines are added, and say where a commit is from`,
    );
  }
  if (!message.isWellFormed()) reasons.push("is not valid Unicode");
  return reasons;
}
