import { branchFault } from "../../values/branch.ts";
import { messageFault } from "../../values/commitMessage.ts";
import { folder, pathFault } from "../../values/repositoryPath.ts";
import { isLoopback, urlFault } from "../../values/repositoryUrl.ts";
import { quoted } from "../../values/show.ts";
import { caseClashesWithin } from "./caseClash.ts";
import { hideUserInfo } from "./redact.ts";
import type { Identity } from "./types.ts";

/*
 * Rules for what reaches git from outside. Each returns every reason against the value, in words that end a sentence
 * starting with its name; an empty list means it is fine. No value is echoed that could hold a credential.
 */

const control = /[\u0000-\u001f\u007f]/;

/** A repository URL. `token`: whether a token will be sent along. */
export function checkUrl(url: string, options: { readonly token: boolean }): string[] {
  const fault = urlFault(url);
  if (fault !== undefined) return [fault];
  if (!options.token || !url.startsWith("http:") || isLoopback(url)) return [];
  const shown = hideUserInfo(url);
  return [`is '${shown}': a token is never sent over plain http to another machine; use https`];
}

/** The short name of a branch, by the rules of `git check-ref-format`. */
export function checkBranch(branch: string): string[] {
  return because(branch, branchFault(branch));
}

/** A path from the root of the repository, or below a folder of it, in its one spelling: `clusters/edge-0/pos.yaml`. */
export function checkPath(path: string): string[] {
  const spelled = pathFault(path) ?? (path === folder(path) ? undefined : `is spelled '${folder(path)}'`);
  return because(path, spelled);
}

/** The fault of a value, with the value before it where there is something to show. */
function because(value: string, fault: string | undefined): string[] {
  if (fault === undefined) return [];
  return [value === "" ? fault : `is ${quoted(value)}, which ${fault}`];
}

/** As checkPath; the root, `""`, is fine too. */
export function checkDirectory(directory: string): string[] {
  return directory === "" ? [] : checkPath(directory);
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

/** Whom an inventory names: project, stack and cluster, on one line. */
export function checkOwner(owner: string): string[] {
  return /^[^/]+\/[^/]+\/./.test(owner) && !control.test(owner)
    ? []
    : [`is ${JSON.stringify(owner)}: write project/stack/cluster`];
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

/** The template of a commit's message. */
export function checkMessage(message: string): string[] {
  const fault = messageFault(message);
  return [
    ...(fault === undefined ? [] : [fault]),
    ...(message.isWellFormed() ? [] : ["is not valid Unicode"]),
  ];
}
