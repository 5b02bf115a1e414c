import type { AddressInfo, Server } from "node:net";
import { createServer } from "node:net";

/**
 * Ports of loopback that are free now, all different. Another process may take one before it is used: who listens there
 * must be ready to be refused.
 */
export async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(Array.from({ length: count }, listen));
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}

function listen(): Promise<Server> {
  const server = createServer();
  return new Promise((resolve, reject) => {
    server.once("error", reject).listen(0, "127.0.0.1", () => resolve(server));
  });
}
