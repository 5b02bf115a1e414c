import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { FaultInjector } from "../../faults.ts";
import { ArmError } from "../armError.ts";
import { Subscription } from "../subscription.ts";
import { agentPath, answerAgent } from "./agentRequests.ts";
import { ArmRequests } from "./armRequests.ts";
import type { ArmServiceOptions } from "./armService.ts";
import { ArmService } from "./armService.ts";
import { readBody } from "./readBody.ts";
import type { Reply } from "./reply.ts";
import { errorReply } from "./reply.ts";

export interface ArmServerOptions extends ArmServiceOptions {
  /** Defaults to a free one. */
  readonly port?: number | undefined;
  /** Resources in one page of a list. Defaults to 100. */
  readonly pageSize?: number;
  /** Gets a line per request: method, path, status. Never a header or a body. */
  readonly log?: (line: string) => void;
}

/** A running emulator. */
export interface ArmServer {
  /** Without a trailing slash, such as `http://127.0.0.1:41234`. */
  readonly url: string;
  readonly port: number;
  /** Ends the server and its connections at once. May be called twice. */
  close(): Promise<void>;
}

/**
 * Azure Resource Manager on loopback, over the resources in `DIR/azure`, with the faults of `DIR/faults.json`. Any bearer
 * token will do. Operations that were in progress when an earlier emulator ended count as done. Rejects when the port is
 * taken.
 */
export async function startArm(options: ArmServerOptions): Promise<ArmServer> {
  const { dir, port = 0, pageSize = 100, log = () => undefined } = options;
  const service = new ArmService(options);
  let url = "";
  const requests = new ArmRequests({
    service,
    faults: new FaultInjector(dir),
    subscription: new Subscription(dir),
    url: () => url,
    pageSize,
  });

  const server = createServer((request, response) => {
    const [path = "", search = ""] = (request.url ?? "").split("?", 2);
    response.on("finish", () => log(`${request.method ?? ""} ${path} ${response.statusCode}`));
    void answer(request, path, search)
      .catch((error: unknown) => errorReply(asArmError(error)))
      .then((reply) => send(response, reply));
  });
  // An idle connection is kept for the next request, longer than clients keep it on their side.
  server.keepAliveTimeout = 60_000;

  async function answer(request: IncomingMessage, path: string, search: string): Promise<Reply> {
    const token = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? "")?.[1];
    const isAgent = path.startsWith(agentPath);
    if (token === undefined && !isAgent) {
      request.resume();
      return unauthenticated(request.headers.authorization === undefined);
    }
    const method = request.method ?? "GET";
    const query = new URLSearchParams(search);
    const body = await readBody(request);
    if (isAgent) return answerAgent(service.agents, { method, path, query, body, token: token ?? "" });
    const callerName = request.headers["x-lab-name"];
    return requests.answer({
      ...{ method, path, query, body },
      undisturbed: request.headers["x-lab-undisturbed"] !== undefined,
      callerName: typeof callerName === "string" ? decodeURIComponent(callerName) : undefined,
    });
  }

  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => {
      server.off("error", reject);
      resolve();
    });
  });
  const bound = (server.address() as AddressInfo).port;
  url = `http://127.0.0.1:${bound}`;

  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeAllConnections();
    return closed;
  };
  return { url, port: bound, close: () => (closing ??= close()) };
}

function send(response: ServerResponse, { status, headers = {}, body }: Reply): void {
  if (response.destroyed) return;
  const payload = body === undefined ? "" : JSON.stringify(body);
  response.writeHead(status, {
    ...headers,
    ...(body !== undefined && { "content-type": "application/json; charset=utf-8" }),
    ...(status !== 204 && { "content-length": String(Buffer.byteLength(payload)) }),
  });
  response.end(payload);
}

function unauthenticated(missing: boolean): Reply {
  const what = missing
    ? "The 'Authorization' header is missing."
    : "The 'Authorization' header is not 'Bearer' with a token.";
  return {
    status: 401,
    headers: {
      "www-authenticate":
        'Bearer authorization_uri="https://login.microsoftonline.com/", error="invalid_token"',
    },
    body: { error: { code: "AuthenticationFailed", message: `Authentication failed. ${what}` } },
  };
}

function asArmError(error: unknown): ArmError {
  if (error instanceof ArmError) return error;
  return new ArmError(
    500,
    "InternalServerError",
    `The lab's Azure failed: ${error instanceof Error ? error.message : String(error)}`,
  );
}
