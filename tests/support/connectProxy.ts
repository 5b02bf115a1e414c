import { createServer } from "node:http";
import { connect } from "node:net";
import type { AddressInfo, Socket } from "node:net";

/** A proxy that takes CONNECT alone and leads every host it knows to a port of this machine. */
export interface ConnectProxy {
  readonly url: string;
  /** What was asked for, such as `dev.azure.com:443`. */
  readonly asked: string[];
  close(): Promise<void>;
}

export async function startConnectProxy(ports: ReadonlyMap<string, number>): Promise<ConnectProxy> {
  const asked: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((_, response) => response.writeHead(405).end());
  server.on("connect", (request, client: Socket) => {
    const target = request.url ?? "";
    asked.push(target);
    const port = ports.get(target);
    if (port === undefined) {
      client.end("HTTP/1.1 403 Forbidden\r\n\r\n");
      return;
    }
    const upstream = connect(port, "127.0.0.1", () => {
      client.write("HTTP/1.1 200 Connection established\r\n\r\n");
      upstream.pipe(client).pipe(upstream);
    });
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", () => socket.destroy());
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
