import type { ChildProcess } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { isAllowed } from "./gitServer/authorize.ts";
import { endGroup, serveWithBackend } from "./gitServer/backend.ts";
import { parseTarget } from "./gitServer/target.ts";

/** How the server is to run. */
export interface GitServerOptions {
  /** Folder of bare repositories: `<root>/fleet.git` is served as `<url>/fleet.git`. */
  readonly root: string;
  /** Password that requests need, with any user name. Without one everything is open. */
  readonly token?: string | undefined;
  /** Password that is good for fetching, and for nothing else. */
  readonly readToken?: string | undefined;
  /** Whether fetching works without the token. Defaults to false. */
  readonly anonymousRead?: boolean | undefined;
  /** Defaults to a free one. */
  readonly port?: number | undefined;
  /** Defaults to 127.0.0.1. */
  readonly host?: string | undefined;
  /** Gets a line per request and per line of the backend's stderr; never a credential. */
  readonly logger?: ((line: string) => void) | undefined;
}

/** A running server. */
export interface GitServer {
  /** Without a trailing slash, such as `http://127.0.0.1:41234`. */
  readonly url: string;
  readonly port: number;
  /** Ends the server, its connections and its processes. May be called twice. */
  close(): Promise<void>;
}

/** Serves the bare repositories of a folder over HTTP. Rejects when the port is taken. */
export async function startGitServer(options: GitServerOptions): Promise<GitServer> {
  const {
    root,
    token,
    readToken,
    anonymousRead = false,
    port = 0,
    host = "127.0.0.1",
    logger = () => undefined,
  } = options;
  const children = new Map<ChildProcess, Promise<void>>();

  const server = createServer((request, response) => {
    response.on("finish", () =>
      logger(`${request.method ?? ""} ${request.url ?? ""} ${response.statusCode}`),
    );
    const target = parseTarget(request.url ?? "");
    if (target === undefined) {
      response.writeHead(400).end();
      return;
    }
    if (!isAllowed(request, target, { token, readToken, anonymousRead })) {
      // The rest of the body is read and dropped, so that git sees the answer and not a broken connection.
      request.resume();
      response.writeHead(401, {
        "www-authenticate": `Basic realm="arcflux lab"`,
        "content-type": "text/plain",
      });
      response.end("The token is missing or wrong.\n");
      return;
    }
    const child = serveWithBackend(root, target, request, response, logger);
    const gone = new Promise<void>((resolve) =>
      child.once("close", () => resolve()).once("error", () => resolve()),
    );
    children.set(
      child,
      gone.finally(() => children.delete(child)),
    );
  });
  // A push may be as big and as slow as it likes.
  server.requestTimeout = 0;

  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve();
    });
  });
  const address = server.address() as AddressInfo;

  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeAllConnections();
    for (const child of children.keys()) endGroup(child);
    await Promise.all([closed, ...children.values()]);
  };
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${address.port}`,
    port: address.port,
    close: () => (closing ??= close()),
  };
}
