import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Target } from "./target.ts";

/** Answers one request with `git http-backend`, a CGI program; both bodies are streamed. */
export function serveWithBackend(
  root: string,
  target: Target,
  request: IncomingMessage,
  response: ServerResponse,
  log: (line: string) => void,
): ChildProcess {
  const child = spawn("git", ["http-backend"], {
    env: backendEnvironment(root, target, request),
    stdio: "pipe",
    // A group of its own: closing the server also ends the hooks and pack processes below.
    detached: true,
  });
  // Ends of pipes that break when either side goes away early.
  child.stdin.on("error", () => undefined);
  child.stdout.on("error", () => undefined);
  request.pipe(child.stdin);

  let head: Buffer | undefined = Buffer.alloc(0);
  child.stdout.on("data", (chunk: Buffer) => {
    if (head === undefined) {
      // What was received in full is carried out even if nobody waits for the answer.
      if (!response.destroyed && !response.write(chunk)) {
        child.stdout.pause();
        const resume = (): void => {
          response.off("drain", resume).off("close", resume);
          child.stdout.resume();
        };
        response.on("drain", resume).on("close", resume);
      }
      return;
    }
    head = Buffer.concat([head, chunk]);
    const end = head.indexOf("\r\n\r\n");
    if (end < 0) return;
    writeHead(response, head.toString("latin1", 0, end));
    response.write(head.subarray(end + 4));
    head = undefined;
  });
  child.stderr.on("data", (chunk: Buffer) => log(chunk.toString().trimEnd()));
  child.on("error", (error) => fail(response, error.message));
  child.on("close", () =>
    head === undefined ? response.end() : fail(response, "git http-backend gave no answer"),
  );
  // A client that goes away in the middle of its request leaves a backend waiting for the rest of it.
  request.on("close", () => {
    if (!request.complete) child.stdin.destroy();
  });
  return child;
}

/** Ends a backend and everything it started. */
export function endGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, "SIGTERM");
  } catch {
    // Already gone.
  }
}

function backendEnvironment(
  root: string,
  { path, query }: Target,
  request: IncomingMessage,
): NodeJS.ProcessEnv {
  const { headers } = request;
  const header = (name: string, value: string | undefined): NodeJS.ProcessEnv =>
    value === undefined ? {} : { [name]: value };
  return {
    PATH: process.env["PATH"],
    HOME: process.env["HOME"],
    LC_ALL: "C",
    GIT_PROJECT_ROOT: root,
    GIT_HTTP_EXPORT_ALL: "1",
    REQUEST_METHOD: request.method,
    PATH_INFO: path,
    QUERY_STRING: query,
    REMOTE_ADDR: request.socket.remoteAddress,
    // Whoever got here may push; authorize.ts has seen the token.
    REMOTE_USER: "lab",
    ...header("CONTENT_TYPE", headers["content-type"]),
    ...header("CONTENT_LENGTH", headers["content-length"]),
    ...header("HTTP_CONTENT_ENCODING", headers["content-encoding"]),
    ...header("HTTP_ACCEPT", headers.accept),
    ...header("GIT_PROTOCOL", headers["git-protocol"]?.toString()),
  };
}

function writeHead(response: ServerResponse, head: string): void {
  for (const line of head.split("\r\n")) {
    const [, name = "", value = ""] = /^([^:]+): ?(.*)$/.exec(line) ?? [];
    if (name.toLowerCase() === "status") response.statusCode = Number(value.slice(0, 3));
    else if (name !== "") response.setHeader(name, value);
  }
}

function fail(response: ServerResponse, message: string): void {
  if (!response.headersSent) response.writeHead(500, { "content-type": "text/plain" });
  response.end(`${message}\n`);
}
