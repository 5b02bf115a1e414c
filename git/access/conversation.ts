import { spawn } from "node:child_process";
import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { BoundedText } from "./boundedText.ts";
import { GitError } from "../words/errors.ts";
import { abandoned, keepTrack, killGroup } from "./run.ts";
import type { Run } from "./run.ts";

/** Says how many bytes an answer must at least have to be looked at again; 0 when it is complete. */
export type StillNeeded = (answer: Buffer) => number;

/** One git process that is asked again and again, so that its start is paid for once. */
export class Conversation {
  readonly #request: Omit<Run, "input">;
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #ended: Promise<void>;
  readonly #forget: () => void;
  #running = true;
  readonly #stderr = new BoundedText();
  #onData: (chunk: Buffer) => void = () => undefined;
  #onEnd: () => void = () => undefined;

  constructor(request: Omit<Run, "input">) {
    this.#request = request;
    const { args, env, signal } = request;
    this.#child = spawn("git", args, { env, detached: true, windowsHide: true, stdio: "pipe" });
    this.#forget = keepTrack(this.#child);
    const abort = (): void => killGroup(this.#child, "SIGKILL");
    signal?.addEventListener("abort", abort, { once: true });
    this.#child.stdout.on("data", (chunk: Buffer) => this.#onData(chunk));
    this.#child.stderr.on("data", (chunk: Buffer) => this.#stderr.add(chunk));
    // It may end before it has read everything; that it ended tells.
    this.#child.stdin.on("error", () => undefined);
    this.#ended = new Promise((resolve) => {
      const end = (): void => {
        this.#running = false;
        signal?.removeEventListener("abort", abort);
        this.#forget();
        this.#onEnd();
        resolve();
      };
      this.#child.once("close", end).once("error", end);
    });
  }

  /** Sends a question and returns the answer. One at a time. Throws GitError "failed", "timeout" or "abandoned". */
  async ask(question: string, stillNeeded: StillNeeded): Promise<Buffer> {
    const { signal, timeout, redact } = this.#request;
    const chunks: Buffer[] = [];
    let [length, needed] = [0, 1];
    const outcome = await new Promise<"done" | "ended" | "timeout">((resolve) => {
      if (!this.#running) resolve("ended");
      const timer = setTimeout(() => resolve("timeout"), timeout);
      this.#onEnd = () => resolve("ended");
      this.#onData = (chunk) => {
        chunks.push(chunk);
        if ((length += chunk.length) < needed) return;
        // Joined only when it may be complete: an answer of many chunks would be copied over and over.
        chunks.splice(0, chunks.length, Buffer.concat(chunks));
        needed = stillNeeded(chunks[0] ?? Buffer.of());
        if (needed === 0) {
          clearTimeout(timer);
          resolve("done");
        }
      };
      this.#child.stdin.write(question);
    });
    if (outcome === "done") return chunks[0] ?? Buffer.of();
    killGroup(this.#child, "SIGKILL");
    if (signal?.aborted) throw abandoned(signal);
    const said = redact(String(this.#stderr)).trim();
    throw outcome === "timeout"
      ? new GitError("timeout", `git did not answer within ${Math.round(timeout / 1000)} s and was stopped.`)
      : new GitError("failed", `git ended in the middle of reading objects. ${said}`.trim());
  }

  /** Lets the process end, and waits for that. */
  async close(): Promise<void> {
    this.#child.stdin.end();
    const timer = setTimeout(() => killGroup(this.#child, "SIGKILL"), 2_000);
    await this.#ended;
    clearTimeout(timer);
  }
}
