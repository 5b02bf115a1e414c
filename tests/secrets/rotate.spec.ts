import { readFile, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";

import type { Fleet } from "../../fleet/model.ts";
import { renderClusterFolder } from "../../flux/folder.ts";
import { sealedFile, type Values } from "../../secrets/index.ts";
import { arcflux } from "../cli/process.ts";
import { mustLoad } from "../fleet/fixture.ts";
import { GitWorkshop } from "../support/gitWorkshop.ts";
import { kubeconfigOf } from "../support/kubernetesApi.ts";

/* A secret that gets a new value in two steps. */

const recipient = "age1zvkyg2lqzraa2lnjvqej32nkuu0ues2s82hzrye869xeexvn73equnujwj";
const sealingKey = "8V1yQ0q1nq3b5x7TtP2mJ6cZ0aKfWuLsEoRgHdYiXvM=";
let shop: GitWorkshop;
let folder: string;
let url: string;
/** What the Kustomization of each cluster has applied. */
let runs: Record<string, string>;
let servers: Server[];

const text = () => `# The fleet.
apiVersion: arcflux/v1
repository: { url: "${url}" }
platform: kubernetes
secrets:
  till-api: # of the tills
    keys: { token: { config: "till-{version}" } }
    version: 1
clusters:
  one: { kubeconfig: { context: one }, recipient: ${recipient} }
  two: { kubeconfig: { context: two }, recipient: ${recipient} }
`;

beforeEach(async () => {
  shop = new GitWorkshop();
  folder = await shop.repository({ "README.md": "read me\n" });
  url = `file://${folder}`;
  runs = {};
  servers = ["one", "two"].map((name) =>
    createServer((request, response) => {
      const isKustomizations = request.url?.includes("/kustomizations") === true;
      const object = (object: string) => ({
        metadata: { name: object, namespace: "flux-system", generation: 1 },
        spec: { path: `./clusters/${name}/flux` },
        status: {
          observedGeneration: 1,
          lastAppliedRevision: `main@sha1:${runs[name]}`,
          conditions: [
            {
              type: "Ready",
              status: "True",
              reason: "ok",
              message: "Applied",
              lastTransitionTime: "2026-01-01T00:00:00Z",
            },
          ],
        },
      });
      const items = isKustomizations && runs[name] ? ["secrets", "edge-config-bootstrap"].map(object) : [];
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ items }));
    }),
  );
  const urls = await Promise.all(
    servers.map(async (server) => {
      await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    }),
  );
  await writeFile(join(shop.folder, "kubeconfig"), kubeconfigOf({ one: urls[0]!, two: urls[1]! }));
  await writeFile(join(shop.folder, "fleet.yaml"), text());
});
afterEach(() => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
  shop.remove();
});

/** What an update commits, with these values. */
function send(fleet: Fleet, values: Values): string {
  const files = fleet.clusters.flatMap((cluster) => {
    const sealed = Object.fromEntries(
      cluster.secrets!.map((secret) => [
        secret.key,
        sealedFile(secret, values, { recipients: [recipient], sealingKey }),
      ]),
    );
    return Object.entries(renderClusterFolder(cluster, fleet, sealed)).map(
      ([path, file]) => [`${cluster.folder}/${path}`, file] as const,
    );
  });
  return shop.commit(folder, Object.fromEntries(files));
}

const run = (...args: string[]) =>
  arcflux(["rotate", ...args], shop.folder, {
    env: { KUBECONFIG: join(shop.folder, "kubeconfig"), ARCFLUX_CACHE_DIR: shop.cache, HOME: shop.home },
  });
const fleetFile = () => readFile(join(shop.folder, "fleet.yaml"), "utf8");

it("holds both versions until every cluster has the new one, and tells versions by hash", async () => {
  const before = send(mustLoad(text()), { token: "old-canary" });
  runs = { one: before, two: before };
  const first = await run("till-api");
  expect(first).toMatchObject({ code: 0 });
  expect(first.out).toContain(
    "till-api has version 2 and previous 1. Now set the new values (where stack config arcflux:till-1 are, with 2 for 1)",
  );
  expect(await fleetFile()).toBe(text().replace("    version: 1\n", "    version: 2\n    previous: 1\n"));

  // Nothing was sent yet.
  expect(await run("till-api")).toMatchObject({
    code: 2,
    err: expect.stringContaining("The first step was not sent yet") as string,
  });

  const sent = send(mustLoad(await fleetFile()), {
    token: "new-canary",
    "token.previous": "old-canary",
  });
  runs = { one: sent, two: before };
  const behind = await run("till-api");
  expect(behind.code).toBe(4);
  expect(behind.out).toMatch(
    /till-api, by version:\n {2}[0-9a-f]{12}: 1 have it \(one\)\.\n {2}1 not known to have it: two \(.*\)\.\nNothing was changed\.\n$/,
  );
  expect(await fleetFile()).toContain("previous: 1");

  runs = { one: sent, two: sent };
  const last = await run("till-api");
  expect(last).toMatchObject({ code: 0 });
  expect(last.out).toContain("2 have it (one, two).");
  expect(last.out).toContain(
    "previous 1 taken out. Commit it, run pulumi up, and end version 1 where it was issued.",
  );
  expect(await fleetFile()).toBe(text().replace("version: 1", "version: 2"));

  // Started anew before that was sent: what clusters hold at once are two earlier versions.
  const anew = await run("till-api");
  expect(anew.out).toContain("till-api has version 3 and previous 2.");
  expect(await run("till-api")).toMatchObject({
    code: 2,
    err: expect.stringContaining("The first step was not sent yet") as string,
  });
  expect(await fleetFile()).toContain("previous: 2");
  for (const { out, err } of [first, behind, last]) expect(out + err).not.toContain("canary");
});

it("refuses what it cannot do in two steps, with a way on", async () => {
  expect((await run("tills")).err).toContain(
    '"tills" is not a secret of the fleet file; secrets are till-api.',
  );
  await writeFile(
    join(shop.folder, "fleet.yaml"),
    text().replace('"till-{version}"', "till").replace("    version: 1\n", ""),
  );
  const { code, err } = await run("till-api");
  expect(code).toBe(2);
  expect(err).toContain("Write {version} into the names under keys");
});
