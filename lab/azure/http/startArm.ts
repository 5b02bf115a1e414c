import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo, Server } from "node:net";
import path from "node:path";
import { Arm } from "../arm.ts";
import { ArmError } from "../armError.ts";
import type { ArmAnswer, ArmApiOptions } from "./armApi.ts";
import { ArmApi } from "./armApi.ts";
import { armErrorBody } from "./armErrorBody.ts";

export interface ArmServerOptions extends Partial<ArmApiOptions> {
  /** Folder of the lab: the resources are files in its `azure`. */
  readonly dir: string;
  /** Take any cluster that is named for one that was connected before. */
  readonly assumeClusters?: boolean;
  /** Looks at each request of ARM first, and may refuse it or take its time: faults on demand. */
  readonly before?: (method: string, path: string) => Promise<void>;
  /** PEM: serves HTTPS, since Azure's own clients give a token to nothing else. */
  readonly tls?: { readonly key: string; readonly cert: string };
}

/** A running emulator of Azure Resource Manager. */
export interface ArmServer {
  /** `http://127.0.0.1:PORT`, or https. */
  readonly url: string;
  readonly port: number;
  close(): Promise<void>;
}

const largestBody = 4 * 1024 * 1024;

/**
 * Serves the lab's Azure over HTTP on loopback: create, read, change, delete and list, with operations that go on after
 * the answer, as Azure's own clients expect. Every request of ARM needs a bearer token, whichever.
 */
export async function startArm(options: ArmServerOptions): Promise<ArmServer> {
  const { dir, assumeClusters = false, operationMs = 20, pageSize = 100 } = options;
  const arm = new Arm({ root: path.join(dir, "azure"), assumeClusters });
  const api = new ArmApi(arm, { operationMs, pageSize });
  const base = (): string => `${options.tls ? "https" : "http"}://127.0.0.1:${portOf(server)}`;
  const listener = (request: IncomingMessage, response: ServerResponse): void => {
    void answer(api, request, base(), options.before ?? (() => Promise.resolve())).then(
      (answered) => send(response, answered),
      (error: unknown) => {
        const { status, error: body } = armErrorBody(error);
        const wait = error instanceof ArmError ? error.retryAfterSeconds : undefined;
        const headers = wait === undefined ? {} : { "Retry-After": String(wait) };
        send(response, { status, headers, body: { error: body } });
      },
    );
  };
  const server = options.tls ? createSecureServer(options.tls, listener) : createServer(listener);
  // Clients keep their connections, and a request must not find one that is just being closed.
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(0, "127.0.0.1", resolve));
  return {
    url: base(),
    port: portOf(server),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

async function answer(
  api: ArmApi,
  request: IncomingMessage,
  base: string,
  before: NonNullable<ArmServerOptions["before"]>,
): Promise<ArmAnswer> {
  const { method = "GET", headers } = request;
  const url = new URL(request.url ?? "/", base);
  const forAgents = url.pathname.startsWith("/lab/agent/");
  const body = await readBody(request);
  if (forAgents && headers["x-lab-agent"] === undefined) {
    throw new ArmError(404, "NotFound", `There is nothing at ${url.pathname}.`);
  }
  if (!forAgents) {
    authenticate(headers.authorization);
    // The stand-in for Pulumi's provider looks for faults itself, by the names in the program.
    if (headers["x-lab-stand-in"] === undefined) await before(method, decodeURI(url.pathname));
  }
  return api.answer({ method, path: url.pathname, query: url.searchParams, body, base });
}

function authenticate(authorization: string | undefined): void {
  if (/^Bearer \S+$/i.test(authorization ?? "")) return;
  throw new ArmError(
    401,
    "AuthenticationFailed",
    "Authentication failed. The 'Authorization' header is missing or holds no bearer token.",
  );
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += (chunk as Buffer).length;
    if (size > largestBody) {
      throw new ArmError(
        413,
        "RequestContentTooLarge",
        `The request content is larger than ${largestBody} bytes.`,
      );
    }
    chunks.push(chunk as Buffer);
  }
  const text = Buffer.concat(chunks).toString("utf8");
  if (text === "") return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new ArmError(400, "InvalidRequestContent", "The request content is not valid JSON.");
  }
}

function send(response: ServerResponse, { status, headers = {}, body }: ArmAnswer): void {
  if (body === undefined) {
    response.writeHead(status, headers).end();
    return;
  }
  const text = JSON.stringify(body);
  const length = String(Buffer.byteLength(text));
  response
    .writeHead(status, { ...headers, "Content-Type": "application/json", "Content-Length": length })
    .end(text);
}
