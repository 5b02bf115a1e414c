import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { httpClient } from "../../git/access/http.ts";
import { Patience } from "../../git/access/patience.ts";

const seen: string[] = [];
const proxy = createServer();

beforeAll(async () => {
  proxy.on("connect", ({ headers }, socket) => {
    const [, text = ""] = /^Basic (.*)$/.exec(headers["proxy-authorization"] ?? "") ?? [];
    seen.push(Buffer.from(text, "base64").toString());
    socket.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n");
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
});
afterAll(() => proxy.close());

it("a proxy gets the user of its URL, also one whose escapes are none", async () => {
  const { port } = proxy.address() as AddressInfo;
  for (const user of ["p%40t:a%20b", "pat:50%zz"]) {
    const env = { HTTPS_PROXY: `http://${user}@127.0.0.1:${port}` };
    const http = httpClient({ env, redact: (text) => text, patience: new Patience({ env }) });
    const call = { method: "GET", url: "https://git.example.com/x", headers: {}, what: "The look" } as const;
    await expect(http(call)).rejects.toMatchObject({
      kind: "unreachable",
      message: expect.stringContaining(`the proxy 127.0.0.1:${port} answered 407`) as string,
    });
  }
  expect(seen).toEqual(["p@t:a b", "pat:50%zz"]);
});
