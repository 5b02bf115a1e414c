import { createServer, type Server } from "node:http";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { BareGit } from "../../lab/bareGit.ts";
import { Person } from "../../lab/person.ts";
import { seedRepository } from "../../lab/seedRepository.ts";
import { loadKubeconfig } from "../../status/ask/kubeconfig.ts";
import { recordPath } from "../../status/index.ts";
import { arcflux, type Result } from "../cli/process.ts";

/* A cluster without Azure, by a stand-in for its API: what is sent and what becomes of each answer. */

let dir: string;
let server: Server;
let tip: string;
let requests: string[];
let answer: (method: string, path: string) => { status: number; body: object } | "never";
let handled: string | undefined;

const conditions = (reason = "ReconciliationSucceeded", status = "True") => [
  { type: "Ready", status, reason, message: `${reason} of it`, lastTransitionTime: "2026-11-28T11:30:00Z" },
];
const object = (name: string, spec: object, status: object) => ({
  metadata: { name, namespace: "flux-system", generation: 1 },
  ...{ spec, status: { ...status, ...(handled !== undefined && { lastHandledReconcileAt: handled }) } },
});
const good = (_method: string, where: string): { status: number; body: object } => {
  const items: Record<string, object[]> = {
    gitrepositories: [
      object(
        "edge-config",
        { url: path.join(dir, "fleet.git"), ref: { branch: "main" } },
        { artifact: { revision: `main@sha1:${tip}` }, conditions: conditions() },
      ),
    ],
    kustomizations: [
      object(
        "edge-config-bootstrap",
        {
          ...{ path: "./clusters/edge/flux", interval: "7m0s", retryInterval: "2m0s", timeout: "5m0s" },
          ...{ prune: true, sourceRef: { kind: "GitRepository", name: "edge-config" } },
        },
        { lastAppliedRevision: `main@sha1:${tip}`, conditions: conditions() },
      ),
      object("pos", {}, { lastAppliedRevision: `main@sha1:${tip}`, conditions: conditions() }),
    ],
    events: [
      {
        metadata: {},
        regarding: { kind: "Kustomization", name: "pos", namespace: "flux-system" },
        ...{
          type: "Warning",
          reason: "HealthCheckFailed",
          note: "timeout",
          eventTime: "2026-11-28T11:31:00Z",
        },
      },
    ],
  };
  const [, , , , plural = "", name] = where.replace(/\/namespaces\/[\w-]+/, "").split("/");
  const list = items[plural];
  if (list === undefined) return { status: 404, body: { kind: "Status", message: "not found" } };
  if (name === undefined) return { status: 200, body: { items: list } };
  const found = list.find((one) => (one as { metadata: { name: string } }).metadata.name === name);
  return { status: found === undefined ? 404 : 200, body: found ?? {} };
};

beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), "arcflux-cluster-"));
  const gitDir = path.join(dir, "fleet.git");
  await seedRepository(gitDir, "main", { "clusters/edge/flux/pos.yaml": "x: 1\n" });
  await new Person(gitDir, path.join(dir, "person")).commit("More", { "a.txt": "a\n" });
  tip = (await new BareGit(gitDir).commits())[0] ?? "";
  requests = [];
  answer = good;
  server = createServer((request, response) => {
    const where = (request.url ?? "").split("?")[0] ?? "";
    const method = request.method ?? "";
    requests.push(`${method} ${where}`);
    let text = "";
    request.on("data", (chunk: Buffer) => (text += chunk.toString()));
    request.on("end", () => {
      if (method === "PATCH") {
        const { metadata } = JSON.parse(text) as { metadata: { annotations: Record<string, string> } };
        handled = metadata.annotations["reconcile.fluxcd.io/requestedAt"];
      }
      const said = answer(method, where);
      if (said === "never") return;
      response.writeHead(said.status, { "content-type": "application/json" });
      response.end(JSON.stringify(said.body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await writeFile(
    path.join(dir, "kubeconfig"),
    `apiVersion: v1
kind: Config
clusters: [{ name: c, cluster: { server: "${url}", insecure-skip-tls-verify: true } }]
users: [{ name: u, user: { token: t0ken } }]
contexts: [{ name: edge, context: { cluster: c, user: u } }]
current-context: edge
`,
  );
  await writeFile(
    path.join(dir, "fleet.yaml"),
    `apiVersion: arcflux/v1
repository: { url: ${gitDir} }
platform: kubernetes
clusters: { edge: { sets: { pos: { path: ./apps/pos } } } }
`,
  );
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await rm(dir, { recursive: true, force: true });
});

const run = (...args: string[]): Promise<Result> =>
  arcflux(args, dir, { env: { KUBECONFIG: path.join(dir, "kubeconfig") } });
it("a cluster tells for itself, and an edit by hand is named with its command", async () => {
  const { code, out } = await run("status");
  expect(out).toMatch(/^edge +behind +main@[0-9a-f]{7} +main@[0-9a-f]{7} +1\/1 .*cluster, /m);
  expect(out).toContain("interval is 7m0s, not 10m");
  expect(out).toContain(`--patch '{"spec":{"interval":"10m"}}'`);
  expect(code).toBe(4);
  const drift = await run("status", "--drift");
  expect(drift.out).toMatch(
    /edge: .*interval is 7m0s, not 10m\n {4}kubectl patch .*\n1 of 1 clusters drifted\.\n$/,
  );
  expect(drift.code).toBe(4);
  expect((await run("events", "edge", "pos")).out).toBe(
    "2026-11-28T11:31:00Z ! Kustomization/pos HealthCheckFailed: timeout\n",
  );
});

it("reconcile asks the source first, then the bootstrap, then the set", async () => {
  requests.length = 0;
  const { code, err } = await run("reconcile", "edge", "pos");
  expect(err).not.toContain("Error");
  expect(code).toBe(0);
  expect(requests.filter((line) => line.startsWith("PATCH")).map((line) => line.split("/").at(-1))).toEqual([
    "edge-config",
    "edge-config-bootstrap",
    "pos",
  ]);
});

it("one that refuses us was not asked; one that does not answer is offline", async () => {
  answer = () => ({ status: 401, body: { kind: "Status", message: "Unauthorized" } });
  const refused = "context edge of the kubeconfig was refused: Unauthorized";
  const nobody = `Nobody could be asked what edge runs (${refused}).`;
  for (const option of ["--direct", "--failing", "--metrics", "--drift"]) {
    const { code, out, err } = await run("status", option);
    expect([option, code, err.includes(`${nobody}\n`)]).toEqual([option, 1, true]);
    if (option === "--direct") expect(out).toContain(`not asked: ${refused}`);
  }
  const { faults } = JSON.parse((await run("status", "--json")).out) as { faults: string[] };
  expect(faults).toEqual([nobody]);
  expect((await run("status", "--timeout", "0s")).err).toMatch(
    /^git got no answer in time and was stopped\./,
  );
  answer = () => "never";
  const silent = await run("status", "--timeout", "2s");
  expect(silent.out).toMatch(/edge +offline/);
  expect(silent.out).toContain("0 of 1 ready, 0 failing, 1 offline (edge)");
});

it("a kubeconfig that cannot be read is named with its line, and nothing of it is printed", async () => {
  const folded = await readFile(path.join(dir, "kubeconfig"), "utf8");
  const faulty = path.join(dir, "faulty");
  await writeFile(faulty, folded.replace("user: { token: t0ken }", 'user: { token: "s3cr3t-t0ken" x }'));
  const env = { KUBECONFIG: faulty };
  const fleet = await readFile(path.join(dir, "fleet.yaml"), "utf8");
  const windows = 'windows: { nightly: { open: "0 1 * * *", close: "0 4 * * *", timeZone: Europe/Berlin } }';
  await writeFile(path.join(dir, "windowed.yaml"), `${fleet}${windows}\n`);
  const said = `the kubeconfig ${faulty} cannot be read (line 4)`;
  for (const args of [
    ["status"],
    ["status", "--json"],
    ["status", "--record"],
    ["reconcile", "edge"],
    [
      "window",
      "open",
      "nightly",
      "--file",
      "windowed.yaml",
      "--context",
      "edge",
      "--cluster",
      "edge",
      "--reason",
      "x",
    ],
  ]) {
    const { out, err } = await arcflux(args, dir, { env });
    expect(out + err).toContain(said);
    expect(out + err).not.toContain("s3cr3t");
  }
  const repository = new BareGit(path.join(dir, "fleet.git"));
  const record = await repository.git("show", `arcflux-record:${recordPath(new Date().toISOString())}`);
  expect(record).not.toContain("s3cr3t");
  // One that is no header is refused by the client, which must not repeat it.
  await writeFile(faulty, folded.replace("token: t0ken", 'token: "s3cr3t\\nt0ken"'));
  const { out, err } = await arcflux(["status"], dir, { env });
  expect(out).toMatch(/edge +not asked/);
  expect(out + err).not.toContain("s3cr3t");
  expect(() => loadKubeconfig('users: [{ token: "s3cr3t" x }]')).toThrow(
    /^the kubeconfig from stack config cannot be read \(line 1\)$/,
  );
});
