import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import type { Readable } from "node:stream";
import { BoundedText } from "./boundedText.ts";
import { GitError } from "../words/errors.ts";
import { guardGroup } from "./guard.ts";

/** One git process to run. */
export interface Run {
  /** Another program that works for git, such as gpg. Defaults to git. */
  readonly program?: string | undefined;
  readonly args: readonly string[];
  /** Complete environment, as git/access/environment.ts makes it. */
  readonly env: NodeJS.ProcessEnv;
  /** Given on stdin; without it stdin is empty. */
  readonly input?: string | undefined;
  /** Milliseconds. */
  readonly timeout: number;
  readonly signal?: AbortSignal | undefined;
  /** Whether to keep the headers of HTTP answers. */
  readonly traced?: boolean | undefined;
  readonly redact: (text: string) => string;
}

/** What a git process left; a code other than 0 is for the caller to judge. */
export interface Outcome {
  readonly code: number;
  readonly stdout: Buffer;
  /** Redacted; of very much, the beginning and the end. */
  readonly stderr: string;
  /** Redacted; how git traces the headers of HTTP. Empty unless asked for. */
  readonly trace?: string;
}

type Ending = "timeout" | "abandoned" | "too much";

/** The most that a command may answer, in bytes: a list of branches is long, a report of a push is not. */
const longestAnswer = 64 << 20;

/** Time between the polite and the hard signal: git removes its lock files on the first. */
const grace = 3_000;
/** A connection-sharing ssh keeps our stderr open after git has ended; wait no longer than this for the rest. */
const drain = 2_000;

const running = new Map<ChildProcess, (ending: Ending) => void>();
let exitHookSet = false;

/** Ends every git process of this one, with its children. Their runs fail with GitError "abandoned". */
export function killAll(): void {
  for (const end of running.values()) end("abandoned");
}

/**
 * Runs git in a session of its own, so that nothing can prompt on a terminal. Throws GitError "timeout", "abandoned",
 * or "failed" where git cannot be started.
 */
export function run(request: Run): Promise<Outcome> {
  const { program = "git", args, env, input, timeout, signal, traced = false, redact } = request;
  if (signal?.aborted) return Promise.reject(abandoned(signal));
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      env: traced ? { ...env, ...traceToThird } : env,
      detached: true,
      windowsHide: true,
      stdio: traced ? ["pipe", "pipe", "pipe", "pipe"] : "pipe",
    });
    const trace = new BoundedText();
    const stdout: Buffer[] = [];
    const stderr = new BoundedText();
    let answered = 0;
    const timers: NodeJS.Timeout[] = [];
    let ending: Ending | undefined;

    const end = (why: Ending): void => {
      ending ??= why;
      killGroup(child, "SIGTERM");
      timers.push(setTimeout(() => killGroup(child, "SIGKILL"), grace));
    };
    const onAbort = (): void => end("abandoned");
    const settle = (): void => {
      timers.forEach((timer) => clearTimeout(timer));
      signal?.removeEventListener("abort", onAbort);
      forget();
    };
    const finish = (code: number | null): void => {
      settle();
      // Whatever of the group has not heeded the first signal by now.
      if (ending !== undefined) killGroup(child, "SIGKILL");
      child.stdout.destroy();
      child.stderr.destroy();
      traceOf(child)?.destroy();
      if (ending === "timeout") {
        const seconds = Math.round(timeout / 1000);
        reject(
          new GitError(
            "timeout",
            `${program} ${verb(args)} did not end within ${seconds} s and was stopped. Is the server reachable and answering? Run again once it is.`,
          ),
        );
      } else if (ending === "abandoned") reject(abandoned(signal));
      else if (ending === "too much") reject(new GitError("failed", `${program} ${verb(args)} ${tooMuch}`));
      else
        resolve({
          code: code ?? -1,
          stdout: Buffer.concat(stdout),
          stderr: redact(String(stderr)),
          ...(traced && { trace: redact(String(trace)) }),
        });
    };

    const forget = keepTrack(child, end);
    timers.push(setTimeout(() => end("timeout"), timeout));
    signal?.addEventListener("abort", onAbort, { once: true });
    child.stdout.on("data", (chunk: Buffer) => {
      if ((answered += chunk.length) <= longestAnswer) stdout.push(chunk);
      else if (ending === undefined) end("too much");
    });
    child.stderr.on("data", (chunk: Buffer) => stderr.add(chunk));
    traceOf(child)?.on("data", (chunk: Buffer) => trace.add(chunk));
    child.on("error", (error: NodeJS.ErrnoException) => {
      settle();
      reject(notStarted(program, error, redact));
    });
    child.on("exit", (code) => timers.push(setTimeout(() => finish(code), drain)));
    child.on("close", finish);
    // git may end before it has read everything; its exit code tells.
    child.stdin.on("error", () => undefined);
    child.stdin.end(input ?? "");
  });
}

/** Has a process ended with this one; returns what to call once it has ended by itself. */
export function keepTrack(
  child: ChildProcess,
  end: (ending: Ending) => void = () => killGroup(child, "SIGKILL"),
): () => void {
  if (!exitHookSet) {
    exitHookSet = true;
    process.once("exit", killAll);
  }
  running.set(child, end);
  const release = guardGroup(child.pid);
  return () => {
    running.delete(child);
    release();
  };
}

/** Sends a signal to a process and its children. */
export function killGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch {
    // Windows knows no process groups; a group that is gone is what we want.
    child.kill(signal);
  }
}

/** git writes its trace to that descriptor, without bodies, and hides credentials in it by itself. */
const traceToThird = { GIT_TRACE_CURL: "3", GIT_TRACE_CURL_NO_DATA: "1" };

function traceOf(child: ChildProcess): Readable | undefined {
  return (child.stdio[3] ?? undefined) as Readable | undefined;
}

const tooMuch = `answered with more than ${longestAnswer >> 20} MiB and was stopped. Check what answers at the repository's URL, and run again.`;

/** Why a signal ended git: the time that a caller gives was up, or somebody called it off. */
export function abandoned(signal: AbortSignal | undefined): GitError {
  const { name } = (signal?.reason ?? {}) as { readonly name?: string };
  return name === "TimeoutError"
    ? new GitError(
        "abandoned",
        "git got no answer in time and was stopped. Run again with more time, or when the server answers.",
      )
    : new GitError("abandoned", "git was called off while it was running.");
}

function notStarted(
  program: string,
  error: NodeJS.ErrnoException,
  redact: (text: string) => string,
): GitError {
  if (program !== "git") {
    return new GitError(
      "failed",
      `${program} could not be started (${error.code ?? error.message}). Install it and run again.`,
    );
  }
  return error.code === "ENOENT"
    ? new GitError(
        "failed",
        "git was not found on PATH. Install git 2.31 or newer (https://git-scm.com) and run again.",
      )
    : new GitError("failed", `git could not be started: ${redact(error.message)}`);
}

/** The subcommand, for messages. */
function verb(args: readonly string[]): string {
  return args.find((arg, index) => !arg.startsWith("-") && args[index - 1] !== "-c") ?? "";
}
