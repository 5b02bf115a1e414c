import { request as overHttp } from "node:http";
import type { RequestOptions } from "node:https";
import { request as overHttps } from "node:https";
import { KubeConfig } from "@kubernetes/client-node";
import type { Json } from "../azure/json.ts";
import { asObject } from "../azure/json.ts";

/** What the Kubernetes API answered in place of success, in its own words. */
export class ApiError extends Error {
  /** HTTP status, such as 404. */
  readonly status: number;
  /** Machine-readable, such as `NotFound`. */
  readonly reason: string;

  constructor(what: string, status: number, answer: Json) {
    const { message, reason } = answer;
    const words = typeof message === "string" ? message : `HTTP status ${status}`;
    super(`${what}: ${words}`);
    this.name = "ApiError";
    this.status = status;
    this.reason = typeof reason === "string" ? reason : "";
  }
}

export interface ApiCall {
  readonly method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Such as `/api/v1/namespaces`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Of the body. Defaults to JSON. */
  readonly contentType?: string;
  /** Longest wait for the answer. Defaults to 30: a test that waits must say so, and not hang. */
  readonly seconds?: number;
}

/** Sends one request with a context of a kubeconfig and gives the answer as it is. */
export type SendCall = (call: ApiCall) => Promise<Json>;

/** Opens a context of a kubeconfig; nothing is sent. Throws when the file or the context is not there. */
export function openApi(kubeconfig: string, context: string): SendCall {
  const config = new KubeConfig();
  config.loadFromFile(kubeconfig);
  if (config.getContextObject(context) === null) {
    const names = config.getContexts().map(({ name }) => name);
    throw new Error(`${kubeconfig} has no context '${context}'. It has ${names.join(", ") || "none"}.`);
  }
  config.setCurrentContext(context);
  const server = config.getCurrentCluster()?.server.replace(/\/$/, "") ?? "";
  return async (call) => {
    const options: RequestOptions = {};
    await config.applyToHTTPSOptions(options);
    const { method = "GET", path, query } = call;
    const search = query === undefined ? "" : `?${new URLSearchParams(query).toString()}`;
    const { status, text } = await send(new URL(`${server}${path}${search}`), call, options);
    const answer = parseAnswer(text);
    if (status < 200 || status > 299)
      throw new ApiError(`${method} ${path} on ${context}`, status, asObject(answer));
    return asObject(answer);
  };
}

function send(url: URL, call: ApiCall, options: RequestOptions): Promise<{ status: number; text: string }> {
  const { method = "GET", body, contentType = "application/json", seconds = 30 } = call;
  const payload = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
  const headers = {
    ...options.headers,
    accept: "application/json",
    ...(payload && { "content-type": contentType, "content-length": payload.length }),
  };
  const start = url.protocol === "http:" ? overHttp : overHttps;
  return new Promise((resolve, reject) => {
    const sent = start(
      url,
      { ...options, method, headers, signal: AbortSignal.timeout(seconds * 1000) },
      (answer) => {
        const chunks: Buffer[] = [];
        answer.on("data", (chunk: Buffer) => chunks.push(chunk));
        answer.once("error", reject);
        answer.once("end", () =>
          resolve({ status: answer.statusCode ?? 0, text: Buffer.concat(chunks).toString("utf8") }),
        );
      },
    );
    sent.once("error", (error) => {
      const slow = error.name === "AbortError" || error.name === "TimeoutError";
      const words = slow ? `no answer within ${seconds} s` : error.message;
      reject(new Error(`${method} ${url.href}: ${words}`, { cause: error }));
    });
    sent.end(payload);
  });
}

function parseAnswer(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return { message: text.trim() };
  }
}
