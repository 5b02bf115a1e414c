import { connect as connectTls } from "node:tls";

import { proxyFor, tunnel } from "../git/index.ts";

/**
 * Opens TLS to a host, through the proxy that `HTTPS_PROXY` and `NO_PROXY` say, and closes it again: nothing is sent. Rejects
 * with ProxyRefusal, or with the error of network or TLS.
 */
export async function reach(host: string, env: NodeJS.ProcessEnv, signal: AbortSignal): Promise<void> {
  const url = new URL(`https://${host}`);
  const proxy = proxyFor(url, env);
  const place = { host: url.hostname, port: Number(url.port || 443) };
  const socket = proxy === undefined ? undefined : await tunnel(proxy, url, signal);
  await new Promise<void>((resolve, reject) => {
    const opened = connectTls({ ...(socket === undefined ? place : { socket }), servername: url.hostname });
    const end = (): void => void opened.destroy(new Error("aborted"));
    signal.addEventListener("abort", end, { once: true });
    opened.once("error", reject).once("secureConnect", () => {
      signal.removeEventListener("abort", end);
      opened.destroy();
      resolve();
    });
  });
}
