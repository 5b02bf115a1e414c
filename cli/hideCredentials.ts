import { hideUserInfo } from "../git/redact.ts";

/**
 * Takes what stands before the `@` of a repository's URL out of a text, as it was typed: also where it is no proper URL,
 * such as with an `@` or a slash in the password, or with one slash too few. A user name of SSH alone stays.
 */
export function hideCredentials(text: string, location: string): string {
  const secret = userInfo(location);
  return hideUserInfo(secret === undefined ? text : text.replaceAll(`${secret}@`, "***@"));
}

function userInfo(location: string): string | undefined {
  // `C:\fleet` and `C:/fleet` are paths.
  if (/^[a-z]:[\\/]/i.test(location)) return undefined;
  const [, scheme = "", rest = ""] = /^\s*([a-z][a-z0-9+.-]*:\/+)?(.*)$/is.exec(location) ?? [];
  const before = rest.slice(0, Math.max(0, rest.lastIndexOf("@")));
  // An `@` further down a path, after a host.
  const inPath = scheme !== "" && /^[\w.-]*(:\d+)?\/[^:@]*$/.test(before);
  const nameAlone = !/^https?:/i.test(scheme) && !before.includes(":");
  return before === "" || inPath || nameAlone ? undefined : before;
}
