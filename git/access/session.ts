import { isAbsolute } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { versionArgv } from "./argv.ts";
import { Conversation } from "./conversation.ts";
import { openAccess } from "./credentialsAccess.ts";
import type { Access } from "./credentialsAccess.ts";
import { takesToken } from "./credentials.ts";
import { GitError } from "../words/errors.ts";
import type { GitErrorKind } from "../words/errors.ts";
import { classifyFailure, passing } from "./outcome.ts";
import type { Failure } from "./outcome.ts";
import { run } from "./run.ts";
import type { Outcome } from "./run.ts";
import type { GitContext, Timeouts } from "../words/types.ts";

const defaultTimeouts: Timeouts = { fetch: 120_000, push: 300_000, local: 60_000, lock: 120_000 };

/** How one git command is to run. */
export interface Command {
  readonly input?: string;
  readonly timeout?: keyof Timeouts;
  readonly env?: NodeJS.ProcessEnv;
}

/** One read or write: the caller's context with defaults, its credential and its environment. */
export interface Session {
  readonly url: string;
  readonly env: NodeJS.ProcessEnv;
  readonly access: Access;
  readonly redact: (text: string) => string;
  readonly random: () => number;
  readonly sleep: (milliseconds: number) => Promise<void>;
  readonly maxAttempts: number;
  readonly tempRoot: string | undefined;
  /** Throws GitError "abandoned" when the caller is gone. */
  readonly assertAlive: () => void;
  /** Runs git; the exit code is the caller's to judge. */
  readonly git: (args: readonly string[], command?: Command) => Promise<Outcome>;
  /** Starts a git process that is asked more than once. */
  readonly converse: (args: readonly string[]) => Conversation;
  /** A GitError whose message is free of credentials. */
  readonly failure: (doing: string, failure: Failure) => GitError;
}

/** Reads the credential, checks the URL and that git can be used. Throws GitError "invalid" or "failed". */
export async function openSession(url: string, context: GitContext): Promise<Session> {
  if (context.signal?.aborted) throw gone(url);
  const access = await openAccess(url, context);
  const { env, redaction } = access;
  const { redact } = redaction;
  const timeouts = { ...defaultTimeouts, ...context.timeouts };

  const git = async (args: readonly string[], command: Command = {}): Promise<Outcome> => {
    const network = command.timeout === "fetch" || command.timeout === "push";
    const once = (): Promise<Outcome> =>
      run({
        args,
        env: command.env ?? env,
        input: command.input,
        timeout: timeouts[command.timeout ?? "local"],
        signal: context.signal,
        traced: network && tellsHeaders(url, env),
        redact,
      });
    if (!network) return once();
    // A push that came through although its answer was lost is tried again too: its lease then loses the race, and the
    // tip shows that it was ours.
    const asked = async (): Promise<Outcome> => {
      const { answer, note = "" } = await access.patience.ask(once, passing);
      if (passing(answer) === undefined) return answer;
      return { ...answer, stderr: `${answer.stderr}\n${limitNote(answer.stderr)}${note}` };
    };
    const outcome = await asked();
    return (await access.renewAfter(outcome)) ? asked() : outcome;
  };

  await assertGit(git, env);
  if (env["GIT_SSH_COMMAND"] !== context.env["GIT_SSH_COMMAND"] && usesSsh(url)) {
    // A command from the user's git config would lose against the one in the environment.
    const own = await git(["config", "--get", "core.sshCommand"]);
    if (own.code === 0) delete env["GIT_SSH_COMMAND"];
  }
  return {
    url,
    env,
    redact,
    access,
    random: context.random ?? Math.random,
    sleep: context.sleep ?? ((milliseconds) => wait(milliseconds, undefined, optionalSignal(context.signal))),
    maxAttempts: context.maxAttempts ?? 30,
    tempRoot: context.tempRoot,
    git,
    converse: (args) =>
      new Conversation({ args, env, timeout: timeouts.local, signal: context.signal, redact }),
    assertAlive: () => {
      if (context.signal?.aborted || context.alive?.() === false) {
        throw gone(url);
      }
    },
    failure: (doing, { kind, said }) => {
      const ended = kind === "authentication" ? endedText(context.tokenEnds) : "";
      return new GitError(kind, redact(`${ended}${explain(doing, kind, said, access.source)}`));
    },
  };
}

function gone(url: string): GitError {
  return new GitError("abandoned", `Nothing was pushed to ${url}: the run this write is for is over.`);
}

/** The whole message of a failure: what was tried, what was said, what to do. */
function explain(doing: string, kind: GitErrorKind, said: string, source: string | undefined): string {
  const next = nextStep(kind, source);
  return [
    `${doing}.`,
    ...(said === "" ? [] : [said.replace(/^/gm, "  ")]),
    ...(next === undefined ? [] : [next]),
  ].join("\n");
}

function endedText(day: string | undefined): string {
  return day !== undefined && Date.parse(day) < Date.now() ? `The Git token ended on ${day}.\n` : "";
}

function nextStep(kind: GitErrorKind, source: string | undefined): string | undefined {
  switch (kind) {
    case "authentication":
      return source !== undefined
        ? `${source.charAt(0).toUpperCase()}${source.slice(1)} was not accepted: set one that is valid and may write to the repository, and run again.`
        : "Set ARCFLUX_GIT_TOKEN to a token that may write to the repository, or set up git's own credentials, and run again.";
    case "refused":
      return "The server refused this by a rule of its own, so it was not tried again. Change the rule or the credential, and run again.";
    case "unreachable":
      return "Check the URL and the network; a repository that the credential may not see also looks missing. Then run again.";
    case "busy":
      return "The host is busy, or limits how often it is asked. Run again later; what has arrived by then is recognised.";
    case "race":
      return "Others pushed first each time. Run again when the branch is quieter.";
    case "unreadable":
      return "Nothing was written. Check the repository with 'git fsck' on the server.";
    case "timeout":
      return "Run again when the server answers; what has arrived by then is recognised.";
    case "conflict":
    case "missingBranch":
    case "noBranches":
    case "invalid":
    case "abandoned":
    case "failed":
      return undefined;
  }
}

/** So that a 403 of a limit is not taken for one of a wrong token. */
function limitNote(stderr: string): string {
  return classifyFailure(stderr).kind === "busy" ? "" : "The host answers that a rate limit is reached. ";
}

/** Whether git can hand over the headers of answers; who traces by himself keeps his trace. */
function tellsHeaders(url: string, env: NodeJS.ProcessEnv): boolean {
  return takesToken(url) && process.platform !== "win32" && env["GIT_TRACE_CURL"] === undefined;
}

/** A path or a file URL needs no ssh, and HTTP takes a token. */
function usesSsh(url: string): boolean {
  return !takesToken(url) && !url.startsWith("file://") && !isAbsolute(url);
}

function optionalSignal(signal: AbortSignal | undefined): { signal?: AbortSignal } {
  return signal === undefined ? {} : { signal };
}

const usable = new Set<string>();

/** Once per PATH: git is there and reads its config from the environment (2.31). */
async function assertGit(git: Session["git"], env: NodeJS.ProcessEnv): Promise<void> {
  const path = env["PATH"] ?? "";
  if (usable.has(path)) return;
  const { code, stdout, stderr } = await git(versionArgv());
  const [, major = "0", minor = "0"] = /(\d+)\.(\d+)/.exec(stdout.toString()) ?? [];
  if (code !== 0) throw new GitError("failed", `git does not run: ${classifyFailure(stderr).said}`);
  if (major === "0") {
    throw new GitError(
      "failed",
      "What runs as git does not tell its version: install git 2.31 or newer and run again.",
    );
  }
  if (Number(major) < 2 || (Number(major) === 2 && Number(minor) < 31)) {
    throw new GitError("failed", `git ${major}.${minor} is too old: install 2.31 or newer and run again.`);
  }
  usable.add(path);
}
