import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { pageHtml } from "./html.ts";
import type { PageData } from "./pageData.ts";

/** A page that is served. */
export interface ServedPage {
  readonly url: string;
  readonly close: () => Promise<void>;
}

/**
 * Serves the page to this machine alone. `look` is asked anew at most every `refresh` seconds, however many look at the page.
 * Rejects where the port is taken.
 */
export async function servePage(
  look: () => Promise<PageData>,
  { port, refresh }: { readonly port: number; readonly refresh: number },
): Promise<ServedPage> {
  let last = { at: 0, data: undefined as Promise<PageData> | undefined };
  const data = (): Promise<PageData> => {
    if (last.data === undefined || Date.now() - last.at >= refresh * 1000) {
      const next = look();
      last = { at: Date.now(), data: next };
      // A look that failed is made again by the next who asks.
      next.catch(() => (last = { at: 0, data: undefined }));
    }
    return last.data!;
  };
  const server = createServer((request, response) => {
    const { port: own } = server.address() as AddressInfo;
    const send = (code: number, type: string, body: string): void =>
      void response
        .writeHead(code, {
          "content-type": `${type}; charset=utf-8`,
          "cache-control": "no-store",
          "x-content-type-options": "nosniff",
        })
        .end(body);
    // A page of somebody else could reach this one by a name of its own that leads here.
    const isHere = [`127.0.0.1:${own}`, `localhost:${own}`].includes(request.headers.host ?? "");
    if (!isHere || request.method !== "GET")
      return send(403, "text/plain", "This page is for this machine alone.\n");
    const answer =
      request.url === "/"
        ? data().then(async (found) => send(200, "text/html", await pageHtml(found, { refresh })))
        : request.url === "/data.json"
          ? data().then((found) => send(200, "application/json", JSON.stringify(found)))
          : Promise.resolve(send(404, "text/plain", "There is / and /data.json.\n"));
    answer.catch((error: Error) => send(500, "text/plain", `${error.message}\n`));
  });
  await listening(server, port);
  const { port: own } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${own}/`,
    close: () => new Promise((resolve) => server.close(() => resolve()).closeAllConnections()),
  };
}

function listening(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => resolve());
  });
}
