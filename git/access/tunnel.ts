import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import type { Duplex } from "node:stream";
import { unescaped } from "../../values/repositoryUrl.ts";

/** The proxy stands in the way: what it answers to CONNECT opens nothing. The message names it without its login. */
export class ProxyRefusal extends Error {
  override readonly name = "ProxyRefusal";
}

/** A connection through the proxy. Rejects with ProxyRefusal, or with the error of the network. */
export function tunnel(proxy: URL, url: URL, signal: AbortSignal): Promise<Duplex> {
  return new Promise((resolve, reject) => {
    const target = `${url.hostname}:${url.port === "" ? "443" : url.port}`;
    const user = `${unescaped(proxy.username)}:${unescaped(proxy.password)}`;
    const authorization =
      proxy.username === "" ? {} : { "proxy-authorization": `Basic ${Buffer.from(user).toString("base64")}` };
    const request = (proxy.protocol === "https:" ? httpsRequest : httpRequest)({
      host: proxy.hostname,
      port: proxy.port === "" ? (proxy.protocol === "https:" ? 443 : 80) : proxy.port,
      method: "CONNECT",
      path: target,
      headers: { host: target, ...authorization },
      agent: false,
      signal,
    });
    request.on("connect", (answer, socket) => {
      if (answer.statusCode === 200) resolve(socket);
      else {
        socket.destroy();
        reject(
          new ProxyRefusal(`the proxy ${proxy.host} answered ${answer.statusCode ?? 0} to CONNECT ${target}`),
        );
      }
    });
    request.on("response", (answer) => {
      answer.resume();
      reject(
        new ProxyRefusal(`the proxy ${proxy.host} answered ${answer.statusCode ?? 0} to CONNECT ${target}`),
      );
    });
    request.on("error", (error) => reject(signal.aborted ? (signal.reason as Error) : error));
    request.end();
  });
}
