import type { GitErrorKind } from "../words/errors.ts";
import { retryAfter } from "./patience.ts";
import type { Passing } from "./patience.ts";
import type { Outcome } from "./run.ts";

/** What a failed git command means. */
export interface Failure {
  readonly kind: GitErrorKind;
  /** In the server's or git's own words; may have several lines. */
  readonly said: string;
}

/** Reasons in a push report that say: another push was first. */
const raceReasons =
  /^(fetch first|non-fast-forward|stale info|failed to lock|lock failure|incorrect old value( provided)?|reference already exists|reference (is )?already locked)$|TF401028|is at [0-9a-f]+ but expected|already been updated by another client|already (been )?updated/i;

/** The same in what the server writes beside a report that only says the ref was not updated. */
const raceWords =
  /is at [0-9a-f]+ but expected|reference already exists|reference (is )?already locked|incorrect old value|File exists|Another git process|TF401028|updated by another client/i;

/** Reports that say the ref was not updated and no more. */
const vagueReasons = /^(failed to update ref|failed to update|cannot lock ref\b.*|unable to lock\b.*)$/i;

/**
 * Judges a push by its `--porcelain` report and what was written beside it; undefined when the branch was updated.
 * Both texts are redacted already.
 */
export function classifyPush(code: number, report: string, beside: string): Failure | undefined {
  const line = report.split("\n").find((text) => text.startsWith("!\t"));
  if (line === undefined) return code === 0 ? undefined : classifyFailure(beside);
  const [, rejection = "", reason = ""] = /\[([^\]]+)\] \((.*)\)$/.exec(line) ?? [];
  const remote = remoteWords(beside);
  const said = [...remote, `[${rejection}] ${reason}`].join("\n").trim();
  if (rejection === "rejected" || rejection === "remote rejected") {
    const vague = vagueReasons.test(reason);
    // Without a word about why, the ref was most likely taken by another push: the number of attempts is bounded.
    const lost =
      raceReasons.test(reason) || (vague && (remote.length === 0 || raceWords.test(`${reason}\n${beside}`)));
    return { kind: lost ? "race" : "refused", said };
  }
  const failure = classifyFailure(beside);
  return { kind: failure.kind, said: failure.said === "" ? said : failure.said };
}

const kinds: readonly (readonly [GitErrorKind, RegExp])[] = [
  ["missingBranch", /^fatal: couldn't find remote ref /m],
  [
    "busy",
    /returned error: (429|50[234])|HTTP (429|50[234])\b|rate limit|too many requests|Connection reset by peer|Empty reply from server|kex_exchange_identification|RPC failed; curl (18|52|55|56|92)\b/i,
  ],
  [
    "authentication",
    /Authentication failed|could not read (Username|Password)|terminal prompts disabled|returned error: 40[13]|HTTP 40[13] |Access denied|Invalid username or (password|token)|Permission denied|Permission to .* denied|Host key verification failed|not authorized|TF401019|TF400813/i,
  ],
  ["timeout", /Operation too slow|Operation timed out/i],
  [
    "unreachable",
    /Could not resolve|Failed to connect|Connection (refused|reset|timed out|closed)|unable to access|does not appear to be a git repository|is this a git repository\?|repository .*not found|hung up unexpectedly|early EOF|unexpected disconnect|Could not read from remote repository|dubious ownership|No such (file|device)|certificate|SSL|returned error: \d+/i,
  ],
];

/** Judges a failed fetch, or a push that got no report, by what git wrote. */
export function classifyFailure(stderr: string): Failure {
  const kind = kinds.find(([, pattern]) => pattern.test(stderr))?.[0] ?? "failed";
  return { kind, said: words(stderr) };
}

/**
 * Whether a failed command may go well when it is tried again. `trace`: the headers that came, as git traces them, where it
 * spoke HTTP.
 */
export function passing({ code, stderr, trace = "" }: Outcome): Passing | undefined {
  if (code === 0) return undefined;
  const headers = [...trace.matchAll(/<= Recv header: (.*)$/gm)].map(([, line = ""]) => line.trim());
  // Of several answers, the last is the one that ended it.
  const last = headers.slice(headers.findLastIndex((line) => /^HTTP\//.test(line)));
  const value = (name: string): string | undefined =>
    last.find((line) => line.toLowerCase().startsWith(`${name}:`))?.slice(name.length + 1);
  const wait = retryAfter(value("retry-after"));
  const { kind } = classifyFailure(stderr);
  const limited = wait !== undefined || value("x-ratelimit-remaining")?.trim() === "0";
  const limits = kind === "authentication" && / 403 /.test(`${last[0] ?? ""} `) && limited;
  return kind === "busy" || limits ? { wait } : undefined;
}

/** Lines the server sent, without their prefix. */
function remoteWords(stderr: string): string[] {
  const lines = clean(stderr)
    .filter((line) => line.startsWith("remote:"))
    .map((line) => line.replace(/^remote: ?/, "").trimEnd())
    .filter((line) => line !== "");
  return few(lines);
}

/** What to show of git's output: no hints on using git by hand, no trace, no progress. */
function words(stderr: string): string {
  const lines = clean(stderr)
    .filter(
      (line) =>
        !/^(hint:|To |Done$|warning: |error: failed to push some refs|\d\d:\d\d:\d\d\.\d+ )/.test(line),
    )
    .map((line) => line.replace(/^(remote|fatal|error): ?/, "").trimEnd())
    .filter((line) => line !== "");
  return few(lines).join("\n");
}

const [shownLines, shownCharacters] = [20, 500];

/** The first and the last lines, where there are many, and no more of one than people read. */
function few(lines: readonly string[]): string[] {
  const cut = (line: string): string =>
    line.length > shownCharacters ? `${line.slice(0, shownCharacters).toWellFormed()}…` : line;
  if (lines.length <= 2 * shownLines) return lines.map(cut);
  const more = `(${lines.length - 2 * shownLines} more lines)`;
  return [...lines.slice(0, shownLines).map(cut), more, ...lines.slice(-shownLines).map(cut)];
}

/** Lines without terminal control; of a progress line, its last state. */
function clean(text: string): string[] {
  return text.split("\n").map(
    (line) =>
      line
        .replace(/\r+$/, "")
        .split("\r")
        .at(-1)

        ?.replace(/\u001b\[[0-9;?]*[A-Za-z]|[\u0000-\u0008\u000b-\u001f\u007f]/g, "") ?? "",
  );
}
