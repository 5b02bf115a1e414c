import { normalize } from "node:path";
import { hideUserInfo } from "../git/index.ts";
import { show } from "../values/show.ts";

/**
 * Takes what stands before the `@` of a repository's URL out of a text, as it was typed: also where it is no proper URL,
 * such as with an `@` or a slash in the password, or with one slash too few. A user name of SSH alone stays.
 */
export function hideCredentials(text: string, location: string): string {
  const secret = userInfo(location);
  return hideUserInfo(secret === undefined ? text : text.replaceAll(`${secret}@`, "***@"));
}

/**
 * Takes the credentials of every URL among the arguments of a command out of a text: in whatever place one was typed, a
 * message may repeat it, as it is, as JSON or cut short.
 */
export function hideArguments(text: string, args: readonly string[]): string {
  return args.reduce((rest, arg) => {
    const value = arg.replace(/^--?[\w-]+=/, "");
    const secret = userInfo(value);
    if (secret === undefined) return rest;
    const forms = [secret, normalize(secret), JSON.stringify(secret).slice(1, -1)].map((form) => `${form}@`);
    const cut = show(value)
      .slice(1)
      .replace(/\.\.\."$/, "");
    if (!cut.includes("@")) forms.push(cut);
    return forms.reduce((less, form) => less.replaceAll(form, "***@"), rest);
  }, text);
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
