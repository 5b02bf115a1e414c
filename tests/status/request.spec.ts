import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { loadKubeconfig } from "../../status/ask/kubeconfig.ts";
import { openContext } from "../../status/ask/kubernetesApi.ts";
import { openObjects } from "../../status/ask/objectApi.ts";
import { kubeconfigOf } from "../support/kubernetesApi.ts";

/* An API server that says for a moment that the storage of a kind is initializing. */

let server: Server;
let lists: number;
let refusals: number;
let status: number;
let message: string;
const kind = { group: "source.toolkit.fluxcd.io", version: "v1", plural: "gitrepositories" };
const apiVersion = `${kind.group}/${kind.version}`;

beforeAll(async () => {
  server = createServer(({ url = "" }, response) => {
    const send = (body: object, code = 200) =>
      void response.writeHead(code, { "content-type": "application/json" }).end(JSON.stringify(body));
    if (!url.includes(kind.plural))
      return send({ resources: [{ name: kind.plural, kind: "GitRepository", namespaced: true }] });
    lists += 1;
    if ((refusals -= 1) >= 0) return send({ kind: "Status", message }, status);
    send({ items: [{ metadata: { name: "edge-config" } }] });
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  [lists, refusals, status, message] = [0, 2, 429, "storage is (re)initializing"];
});

const config = () =>
  loadKubeconfig(kubeconfigOf({ a: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }));
const ask = {
  "to be looked at": (timeout: number, signal?: AbortSignal) =>
    openContext(config(), "a", { timeout, signal })!.list(kind),
  "to be changed": (timeout: number) =>
    openObjects(config(), "a", timeout)!.list(apiVersion, "GitRepository"),
};

it.each(Object.entries(ask))("a cluster %s is asked again until its kinds are served", async (_, list) => {
  expect(await list(10_000)).toMatchObject([{ metadata: { name: "edge-config" } }]);
  expect(lists).toBe(3);
  [lists, refusals, status] = [0, 1, 503];
  expect(await list(10_000)).toHaveLength(1);
  expect(lists).toBe(2);
});

it.each(Object.entries(ask))("a cluster %s is given up after a while, in its words", async (_, list) => {
  refusals = Infinity;
  await expect(list(700)).rejects.toThrow("storage is (re)initializing");
  expect(lists).toBeGreaterThan(1);
});

it.each(Object.entries(ask))("a cluster %s is asked once where it says anything else", async (_, list) => {
  message = "too many requests, please try again later";
  await expect(list(10_000)).rejects.toThrow(message);
  expect(lists).toBe(1);
});

it("the end of a status ends the wait", async () => {
  refusals = Infinity;
  await expect(ask["to be looked at"](10_000, AbortSignal.timeout(700))).rejects.toThrow("no answer in time");
  await expect(ask["to be looked at"](10_000, AbortSignal.abort())).rejects.toThrow("no answer in time");
});
