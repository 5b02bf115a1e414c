import { createServer, request as forward } from "node:http";
import type { AddressInfo } from "node:net";

/** What went to and came from a host. */
export interface Traffic {
  requests: number;
  /** Bodies alone, in bytes. */
  sent: number;
  received: number;
}

/** Stands in front of a Git host on this machine and counts. */
export async function startCountingProxy(
  target: string,
): Promise<{ readonly url: string; readonly traffic: Traffic; readonly close: () => Promise<void> }> {
  const traffic: Traffic = { requests: 0, sent: 0, received: 0 };
  const { host: authority } = new URL(target);
  const server = createServer((incoming, outgoing) => {
    traffic.requests += 1;
    const { method = "GET", headers } = incoming;
    const asked = forward(new URL(incoming.url ?? "/", target), {
      method,
      headers: { ...headers, host: authority },
    });
    incoming.on("data", (chunk: Buffer) => (traffic.sent += chunk.length)).pipe(asked);
    asked.on("response", (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.on("data", (chunk: Buffer) => (traffic.received += chunk.length)).pipe(outgoing);
    });
    asked.on("error", () => outgoing.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    traffic,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Megabytes or kilobytes, for people. */
export function bytesText(bytes: number): string {
  return bytes >= 1e6 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e3).toFixed(1)} kB`;
}
