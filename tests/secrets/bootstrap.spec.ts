import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";

import { identitiesIn, makeAgeKeyPair, recipientOfIdentity } from "../../values/ageKey.ts";
import { arcflux } from "../cli/process.ts";
import { filesBelow } from "../support/lab.ts";
import { kubeconfigOf } from "../support/kubernetesApi.ts";

/* Keys that are put on clusters. */

/** An API server that keeps one Secret, as Kubernetes does; `isFlux`: whether it has the namespace. */
class Api {
  secret: { readonly data?: Readonly<Record<string, string>> } | undefined;
  isFlux = true;
  isForbidden = false;
  /** What it answers who creates something, in words that quote it. */
  refuses: number | undefined;
  readonly #server: Server;

  constructor() {
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request
        .on("data", (chunk: Buffer) => chunks.push(chunk))
        .on("end", () => {
          const [status, body] = this.#answer(
            request.method ?? "",
            request.url ?? "",
            Buffer.concat(chunks).toString(),
          );
          response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
        });
    });
  }

  async start(): Promise<string> {
    await new Promise<void>((listening) => this.#server.listen(0, "127.0.0.1", listening));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  #answer(method: string, url: string, body: string): [number, object] {
    if (this.isForbidden) return [403, { kind: "Status", message: "secrets is forbidden" }];
    if (url === "/api/v1")
      return [
        200,
        {
          kind: "APIResourceList",
          resources: [
            { name: "secrets", kind: "Secret", namespaced: true },
            { name: "namespaces", kind: "Namespace", namespaced: false },
          ],
        },
      ];
    if (method === "GET")
      return this.secret === undefined ? [404, { message: "not found" }] : [200, this.secret];
    if (this.refuses !== undefined) return [this.refuses, { kind: "Status", message: `denied: ${body}` }];
    if (url.startsWith("/api/v1/namespaces?") || url === "/api/v1/namespaces") {
      this.isFlux = true;
      return [201, JSON.parse(body) as object];
    }
    if (!this.isFlux) return [404, { message: 'namespaces "flux-system" not found' }];
    if (this.secret !== undefined) return [409, { message: "exists" }];
    this.secret = JSON.parse(body) as typeof this.secret;
    return [201, this.secret!];
  }

  /** The private key that it holds. */
  get identity(): string {
    const text = Buffer.from(this.secret?.data?.["age.agekey"] ?? "", "base64").toString();
    return identitiesIn(text)[0] ?? "";
  }
}

let dir: string;
let apis: Api[];
const fleet = `# The fleet.
apiVersion: arcflux/v1
include: [more.yaml]
repository: { url: https://git.example.com/edge/fleet.git }
platform: kubernetes
secrets: { till-api: { keys: { token: { env: TOKEN } } } }
clusters:
  one: { kubeconfig: { context: one }, labels: { kind: store } } # in the back room
  two: { kubeconfig: { context: two }, labels: { kind: store } }
  lab: { kubeconfig: { context: lab } }
`;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "arcflux-keys-"));
  apis = [new Api(), new Api(), new Api()];
  const [one, two, three] = await Promise.all(apis.map((api) => api.start()));
  await writeFile(join(dir, "kubeconfig"), kubeconfigOf({ one: one!, two: two!, three: three! }));
  await writeFile(join(dir, "fleet.yaml"), fleet);
  await writeFile(
    join(dir, "more.yaml"),
    "clusters:\n  # by the sea\n  three:\n    kubeconfig: { context: three }\n    labels: { kind: store }\n",
  );
});
afterEach(async () => {
  for (const api of apis) api.stop();
  await rm(dir, { recursive: true, force: true });
});

const run = (...args: string[]) =>
  arcflux(["secrets", "bootstrap", ...args], dir, {
    env: { KUBECONFIG: join(dir, "kubeconfig"), HOME: dir },
  });

it("puts a key on each cluster that answers, writes the public ones down, and is resumed later", async () => {
  apis[1]!.stop();
  const first = await run("--match", "kind=store");
  expect(first).toMatchObject({ code: 4 });
  expect(first.out).toContain("2 have their key (2 new in the fleet file).");
  expect(first.out).toContain("1 could not be reached: two (the API server of context two does not answer");
  const [one, three] = [recipientOfIdentity(apis[0]!.identity), recipientOfIdentity(apis[2]!.identity)];
  expect(await readFile(join(dir, "fleet.yaml"), "utf8")).toBe(
    fleet.replace("labels: { kind: store } } # in", `labels: { kind: store }, recipient: ${one} } # in`),
  );
  expect(await readFile(join(dir, "more.yaml"), "utf8")).toContain(`    recipient: ${three}\n`);

  const again = await run("--match", "kind=store", "--json");
  const { clusters } = JSON.parse(again.out) as { clusters: { cluster: string; outcome: string }[] };
  expect(clusters.map(({ outcome }) => outcome)).toEqual(["has", "offline", "has"]);

  // No private key but where it belongs: on the cluster.
  const said = Buffer.from(first.out + first.err + again.out + again.err);
  for (const [path, bytes] of [...(await filesBelow(dir)), ["said", said] as const])
    for (const { identity } of [apis[0]!, apis[2]!]) expect(bytes.includes(identity), path).toBe(false);
});

it("keeps a key that is there, and gives a replaced device another one", async () => {
  const { identity, recipient } = makeAgeKeyPair();
  const text = `# created: today\n${identity}\n`;
  apis[0]!.secret = { data: { "edge.agekey": Buffer.from(text).toString("base64") } };
  expect((await run("--cluster", "one")).code).toBe(0);
  expect(await readFile(join(dir, "fleet.yaml"), "utf8")).toContain(`recipient: ${recipient} }`);
  // What is new has no Flux yet: its key comes first, and all its secrets with the one update after.
  apis[0]!.secret = undefined;
  apis[0]!.isFlux = false;
  expect((await run("--cluster", "one")).code).toBe(0);
  const now = recipientOfIdentity(apis[0]!.identity);
  expect(now).not.toBe(recipient);
  expect(await readFile(join(dir, "fleet.yaml"), "utf8")).toContain(`recipient: ${now} }`);
});

it("tells clusters that refuse, or hold something else", async () => {
  apis[0]!.secret = { data: { tls: "bm9uZQ==" } };
  apis[1]!.secret = { data: { "age.agekey": "bm9uZQ==" } };
  apis[2]!.isForbidden = true;
  const { code, out } = await run();
  expect(code).toBe(1);
  expect(out).toContain("0 have their key");
  expect(out).toContain("2 have a Secret flux-system/sops-age without a key of age");
  expect(out).toContain(
    "1 refused: three (context three of the kubeconfig was refused: secrets is forbidden).",
  );
  expect(out).toContain("1 could not be reached: lab (your kubeconfig has no context for it).");
  expect(await readFile(join(dir, "fleet.yaml"), "utf8")).toBe(fleet);
});

it("shows nothing of an answer that may quote the private key, and tells a no from no answer", async () => {
  [422, 403, 503].forEach((status, index) => (apis[index]!.refuses = status));
  const { code, out, err } = await run("--match", "kind=store", "--json");
  expect(code).toBe(1);
  expect(JSON.parse(out)).toMatchObject({
    clusters: [
      { outcome: "refused", reason: /not take Secret flux-system\/sops-age: HTTP 422, in/ },
      { outcome: "refused", reason: /context two of the kubeconfig was refused: HTTP 403, in/ },
      { outcome: "offline", reason: /the API server of context three failed: HTTP 503, in/ },
    ].map(({ outcome, reason }) => ({ outcome, reason: expect.stringMatching(reason) as string })),
  });
  expect(out + err).not.toMatch(/denied|AGE-SECRET|QUdFLVNFQ1JFVC/);
  expect(await readFile(join(dir, "fleet.yaml"), "utf8")).toBe(fleet);
});
