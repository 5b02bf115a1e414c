import { createServer, request as ask } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** What stands between git and a host: passes requests on, but for those that `answer` answers itself. */
export interface FrontServer {
  readonly url: string;
  /** True where it has answered. Set by a test; everything is passed on without it. */
  answer: ((request: IncomingMessage, response: ServerResponse) => boolean) | undefined;
  close(): Promise<void>;
}

export async function startFrontServer(target: string): Promise<FrontServer> {
  const { hostname, port } = new URL(target);
  const server = createServer((request, response) => {
    if (front.answer?.(request, response) === true) {
      request.resume();
      return;
    }
    const { method, headers } = request;
    const on = ask({ hostname, port, path: request.url, method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    on.on("error", () => response.destroy());
    request.pipe(on);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  const front: FrontServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answer: undefined,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  return front;
}
