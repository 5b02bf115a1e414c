import { readFileSync } from "node:fs";
import { request as httpRequest } from "node:http";
import type { IncomingHttpHeaders, IncomingMessage, RequestOptions } from "node:http";
import { request as httpsRequest } from "node:https";
import { connect, rootCertificates } from "node:tls";
import type { Duplex } from "node:stream";
import { GitError } from "../words/errors.ts";
import type { GitErrorKind } from "../words/errors.ts";
import { isLoopback } from "../../values/repositoryUrl.ts";
import { retryAfter } from "./patience.ts";
import type { Passing, Patience } from "./patience.ts";
import { proxyFor } from "./proxy.ts";
import { tunnel } from "./tunnel.ts";

/** One call of a REST interface. */
export interface HttpCall {
  readonly method: "GET" | "POST" | "PATCH" | "PUT";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly form?: URLSearchParams;
  /** Subject of an error, such as `The pull request`. */
  readonly what: string;
  /** Answers beside 2xx that are none of an error here. */
  readonly expected?: (answer: HttpAnswer) => boolean;
}

/** An answer; `json` is undefined where the body is none. */
export interface HttpAnswer {
  readonly status: number;
  readonly json: unknown;
  readonly headers: IncomingHttpHeaders;
}

/** Makes a call. Rejects with GitError; its message is redacted and shows neither query nor headers. */
export type Http = (call: HttpCall) => Promise<HttpAnswer>;

/** How calls are made. */
export interface HttpOptions {
  /** Proxy and CA come from it: HTTPS_PROXY, NO_PROXY, GIT_SSL_CAINFO as git has them. */
  readonly env: NodeJS.ProcessEnv;
  readonly redact: (text: string) => string;
  readonly signal?: AbortSignal | undefined;
  /** Asks again where a fault may pass. */
  readonly patience: Patience;
  /** Milliseconds for a whole call. Defaults to 60 s. */
  readonly timeout?: number | undefined;
}

/** The most that is read of an answer. */
const longest = 5_000_000;

/** Redirects are never followed: a token goes to the host it was meant for and to no other. */
export function httpClient(options: HttpOptions): Http {
  return async (call) => {
    const url = new URL(call.url);
    const shown = `${url.origin}${url.pathname}`;
    if (url.protocol !== "https:" && !(url.protocol === "http:" && isLoopback(url.href))) {
      throw new GitError(
        "invalid",
        `${call.what}: ${shown} is not https, and no token is sent over anything else.`,
      );
    }
    const fail = (kind: GitErrorKind, reason: string): GitError =>
      new GitError(kind, options.redact(`${call.what}: ${call.method} ${shown} ${reason}`));
    const ask = (): Promise<Sent | Error> =>
      send(url, call, options).catch((error: unknown) =>
        error instanceof Error ? error : new Error(String(error)),
      );
    // What was done although its answer was lost shows when it is asked for again: one that is open already is found.
    const { answer: sent, note = "" } = await options.patience.ask(ask, passing);
    if (sent instanceof Error) {
      const error = sent;
      if (options.signal?.aborted) throw fail("abandoned", "was called off.");
      const reason = error.message;
      throw error.name === "TimeoutError"
        ? fail("timeout", "got no answer in time. Run again when the server answers.")
        : fail(
            "unreachable",
            `could not be made: ${reason}. Check the URL, the network, proxy and CA, and run again.`,
          );
    }
    const { status, text, headers } = sent;
    const answer = { status, json: parse(text), headers };
    // 203: Azure DevOps shows its sign-in page that way.
    if ((status >= 200 && status < 300 && status !== 203) || call.expected?.(answer)) return answer;
    if (status >= 300 && status < 400) {
      throw fail(
        "failed",
        `was redirected (${status}), which is not followed. Correct the repository's URL.`,
      );
    }
    const said = saidIn(text, options.redact);
    if (passing(sent)) throw fail("busy", `answered ${status}${said} ${note} Run again later.`);
    if (status === 401 || status === 403 || status === 203)
      throw fail("authentication", `answered ${status}${said}`);
    throw fail(status >= 500 ? "unreachable" : "refused", `answered ${status}${said}`);
  };
}

interface Sent {
  readonly status: number;
  readonly text: string;
  readonly headers: IncomingHttpHeaders;
}

const passingStatuses: readonly number[] = [429, 502, 503, 504];

/** Whether an answer, or that none came, may be another one soon. */
function passing(sent: Sent | Error): Passing | undefined {
  if (sent instanceof Error) {
    const { code = "" } = sent as NodeJS.ErrnoException;
    return ["ECONNRESET", "EPIPE"].includes(code) ? { wait: undefined } : undefined;
  }
  const { status, text, headers } = sent;
  const wait = retryAfter(headers["retry-after"]);
  const limited = wait !== undefined || headers["x-ratelimit-remaining"] === "0" || /rate limit/i.test(text);
  return passingStatuses.includes(status) || (status === 403 && limited) ? { wait } : undefined;
}

async function send(url: URL, call: HttpCall, options: HttpOptions): Promise<Sent> {
  const timeout = AbortSignal.timeout(options.timeout ?? 60_000);
  const signal = options.signal === undefined ? timeout : AbortSignal.any([options.signal, timeout]);
  const payload = call.form?.toString() ?? (call.body === undefined ? undefined : JSON.stringify(call.body));
  const type = call.form === undefined ? "application/json" : "application/x-www-form-urlencoded";
  const headers = {
    "user-agent": "arcflux",
    ...call.headers,
    ...(payload === undefined
      ? {}
      : { "content-type": type, "content-length": String(Buffer.byteLength(payload)) }),
  };
  const base: RequestOptions = { method: call.method, headers, signal };
  const proxy = proxyFor(url, options.env);
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const start = (extra: RequestOptions): void => {
      const ca = authorities(options.env);
      const request = (url.protocol === "https:" ? httpsRequest : httpRequest)(url, {
        ...base,
        ...(ca === undefined ? {} : { ca }),
        ...extra,
      });
      request
        .on("response", resolve)
        .on("error", (error) => reject(signal.aborted ? (signal.reason as Error) : error));
      request.end(payload);
    };
    try {
      if (proxy === undefined || url.protocol !== "https:") start({ agent: false });
      else {
        tunnel(proxy, url, signal)
          .then((socket) => start({ createConnection: () => connectTls(socket, url, options.env) }))
          .catch(reject);
      }
    } catch (error) {
      reject(error instanceof Error ? error : new Error(String(error)));
    }
  });
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > longest) throw new Error("the answer is longer than 5 MB");
    chunks.push(chunk);
  }
  const text = Buffer.concat(chunks).toString("utf8");
  return { status: answer.statusCode ?? 0, text, headers: answer.headers };
}

function connectTls(socket: Duplex, url: URL, env: NodeJS.ProcessEnv): Duplex {
  const ca = authorities(env);
  return connect({ socket, servername: url.hostname, ...(ca === undefined ? {} : { ca }) });
}

/** The usual authorities and those of GIT_SSL_CAINFO; undefined leaves the choice to Node. */
function authorities(env: NodeJS.ProcessEnv): string[] | undefined {
  const path = env["GIT_SSL_CAINFO"]?.trim();
  if (path === undefined || path === "") return undefined;
  return [...rootCertificates, readFileSync(path, "utf8")];
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** What the server said, on one line and not too long. */
function saidIn(text: string, redact: (text: string) => string): string {
  const json = parse(text) as Record<string, unknown> | undefined;
  const parts = [json?.["message"], json?.["error_description"], json?.["error"], json?.["errors"]]
    .filter((part) => part !== undefined && part !== null)
    .map((part) => (typeof part === "string" ? part : JSON.stringify(part)));
  // Hidden before it is cut: half a secret would not be found any more.
  const said = redact([...new Set(parts)].join("; "))
    .replace(/[\u0000-\u001f\u007f]+/g, " ")
    .slice(0, 500);
  return said === "" ? "." : `: ${said}`;
}
