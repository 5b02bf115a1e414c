import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ArmServer, startArm } from "../../lab/azure/http/startArm.ts";
import { BareGit } from "../../lab/bareGit.ts";
import { Person } from "../../lab/person.ts";
import { seedRepository } from "../../lab/seedRepository.ts";
import type { StatusDocument } from "../../status/index.ts";
import { arcflux } from "../cli/process.ts";
import { report, type Reported } from "./labFleet.ts";

/*
 * 1,000 clusters behind the lab's Azure: 851 fine, 100 away for good, 30 windowed, 19 broken. Five more in a resource group
 * of their own make a second page of Resource Graph, where all are asked for.
 */

const names = Array.from({ length: 1000 }, (_, index) => `store-${String(index + 1).padStart(4, "0")}`);
const annex = Array.from({ length: 5 }, (_, index) => `annex-${index + 1}`);
const group = (index: number): "away" | "night" | "broken" | "fine" =>
  index % 10 === 9 ? "away" : index < 33 ? "night" : index % 50 === 7 ? "broken" : "fine";

let dir: string;
let arm: ArmServer;
let tip: string;
let first: string;
let requests: string[];

beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), "arcflux-thousand-"));
  const gitDir = path.join(dir, "fleet.git");
  await seedRepository(gitDir, "main", { "README.md": "fleet\n" });
  const person = new Person(gitDir, path.join(dir, "person"));
  const repository = new BareGit(gitDir);
  first = (await repository.commits())[0] ?? "";
  const files: Record<string, string> = {};
  for (const [index, name] of names.entries()) {
    files[`clusters/${name}/flux/pos.yaml`] = "x: 1\n";
    if (group(index) === "night") files[`clusters/${name}/windows/nightly/web.yaml`] = "x: 1\n";
    else files[`clusters/${name}/flux/web.yaml`] = "x: 1\n";
  }
  for (const name of annex)
    for (const set of ["pos", "web"]) files[`clusters/${name}/flux/${set}.yaml`] = "x: 1\n";
  await person.commit("Generated", files);
  tip = (await repository.commits())[0] ?? "";
  const clusters = names.map((name, index) => {
    const kind = group(index) === "night" ? "night" : "day";
    return `  ${name}: { stage: prod, labels: { kind: ${kind} } }`;
  });
  await writeFile(
    path.join(dir, "fleet.yaml"),
    `apiVersion: arcflux/v1
repository: { url: ${gitDir} }
arc: { resourceGroup: rg-edge, location: westeurope }
windows: { nightly: { open: "0 1 * * *", close: "0 4 * * *", timeZone: Europe/Berlin } }
sets: { pos: { path: ./apps/pos }, web: { path: ./apps/web } }
stages:
  prod: { ready: { share: 80%, failing: 20 } }
  annex: { arc: { resourceGroup: rg-annex } }
groups:
  day: { match: { kind: day }, agents: present, sets: { pos: {}, web: {} } }
  night: { match: { kind: night }, agents: present, sets: { pos: {}, web: { window: nightly } } }
clusters:
${clusters.join("\n")}
${annex.map((name) => `  ${name}: { stage: annex, labels: { kind: day } }`).join("\n")}
`,
  );
  for (const [index, name] of names.entries()) {
    const base: Reported = { name, runs: tip, sets: ["pos", "web"] };
    const kind = group(index);
    if (kind === "away") report(dir, { ...base, connectivity: "Offline", lastSeen: "2026-11-20T08:00:00Z" });
    else if (kind === "night") report(dir, { ...base, at: { web: first } }, "nightly");
    else if (kind === "broken") {
      const message = "timeout waiting for: [Deployment/default/web status: 'InProgress']";
      report(dir, { ...base, ready: { web: { status: "False", reason: "HealthCheckFailed", message } } });
    } else report(dir, base);
  }
  for (const name of annex) report(dir, { name, resourceGroup: "rg-annex", runs: tip, sets: ["pos", "web"] });
  requests = [];
  arm = await startArm({ dir, log: (line) => requests.push(line) });
});
afterAll(async () => {
  await arm.close();
  await rm(dir, { recursive: true, force: true });
});

const env = () => ({ ARCFLUX_ARM_ENDPOINT: arm.url, KUBECONFIG: path.join(dir, "none") });
const faults = (rules: object[]): Promise<void> =>
  writeFile(path.join(dir, "faults.json"), JSON.stringify(rules));
const graphPages = (): number => requests.filter((line) => line.includes("ResourceGraph")).length;

describe("a thousand clusters", () => {
  it("one page of Azure and the details of those that are not fine, in a document of the published schema", async () => {
    const { code, out, err } = await arcflux(["status", "--json", "--stage", "prod"], dir, { env: env() });
    expect(err).toBe("");
    expect(code).toBe(4);
    const document = JSON.parse(out) as StatusDocument;
    const schema = JSON.parse(
      await readFile(path.join(import.meta.dirname, "../../status.schema.json"), "utf8"),
    ) as object;
    const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(schema);
    expect(validate(document), JSON.stringify(validate.errors?.slice(0, 3))).toBe(true);
    const count = document.counts[0];
    expect(count).toMatchObject({ stage: "prod", of: 1000 });
    const expected = { fine: 0, away: 0, night: 0, broken: 0 };
    names.forEach((_, index) => (expected[group(index)] += 1));
    expect(count?.ready).toBe(expected.fine);
    expect(count?.others["offline"]).toHaveLength(expected.away);
    expect(count?.others["waiting for a window"]).toHaveLength(expected.night);
    expect(count?.others["failing"]).toHaveLength(expected.broken);
    expect(graphPages()).toBe(1);
    expect(requests.filter((line) => line.includes("fluxConfigurations"))).toHaveLength(expected.broken);
    const broken = document.clusters.find(({ word }) => word === "failing");
    expect(broken?.sets.find(({ name }) => name === "web")).toMatchObject({
      word: "failing",
      meaning: "All was applied, but something did not become ready in time.",
    });
  });

  it("more of them take a second page, and without that one what the first told is said to be a part", async () => {
    requests.length = 0;
    const { code, out, err } = await arcflux(["status", "--failing"], dir, { env: env() });
    expect([code, graphPages()]).toEqual([4, 2]);
    expect(err).not.toContain("did not answer");
    expect(out).toMatch(/^prod: \d+ of 1000 ready/m);
    expect(out).toMatch(/^annex: 5 of 5 ready, 0 failing$/m);
    // Resource groups in order: the annex comes first, and the last of prod on the second page.
    await faults([{ type: "Microsoft.ResourceGraph/resources", name: "later", effect: "slow", seconds: 60 }]);
    const part = await arcflux(["status", "--failing", "--timeout", "12s"], dir, { env: env() });
    expect(part.err).toContain("Azure did not answer to the end: no answer in time");
    expect(part.out).toMatch(/^annex: 5 of 5 ready, 0 failing$/m);
    expect(part.out).toMatch(/^prod: .* 5 not asked \(store-0996, store-0997/m);
  });

  it("is asked again where Azure throttles, and says what it did not get to", async () => {
    await faults([
      { type: "Microsoft.ResourceGraph/resources", effect: "throttle", seconds: 1, times: 2 },
      { type: "azure-native:kubernetesconfiguration:FluxConfiguration", operation: "read", effect: "fail" },
    ]);
    const { code, out, err } = await arcflux(
      ["status", "--failing", "--timeout", "20s", "--stage", "prod"],
      dir,
      {
        env: env(),
      },
    );
    expect(code).toBe(4);
    expect(out).toContain("web: failing, HealthCheckFailed: timeout waiting for");
    expect(out).toMatch(/prod: \d+ of 1000 ready, \d+ failing/);
    expect(err).toContain("Azure gave no details of store-");
    expect(err).toMatch(/Nor of \d+ more/);
  });

  it("Azure down: nobody is taken for ready, within the time given", async () => {
    await faults([{ type: "Microsoft.ResourceGraph/resources", effect: "slow", seconds: 60 }]);
    const start = Date.now();
    const { code, out, err } = await arcflux(["status", "--timeout", "3s", "--stage", "prod"], dir, {
      env: env(),
    });
    expect(Date.now() - start).toBeLessThan(15_000);
    expect(err).toContain("Azure did not answer: no answer in time");
    expect(out).toContain("prod: 0 of 1000 ready, 0 failing, 1000 not asked");
    expect(err).toMatch(/^Nobody could be asked what store-0001, .* more run \(/m);
    expect(code).toBe(1);
  });

  it("Azure that throttles without end is said after its own patience, and nobody is taken for ready", async () => {
    await faults([{ type: "Microsoft.ResourceGraph/resources", effect: "throttle", seconds: 1 }]);
    const { out, err } = await arcflux(["status", "--timeout", "20s", "--stage", "prod"], dir, {
      env: env(),
    });
    expect(err).toMatch(/^Azure did not answer: The number of requests exceeded/m);
    expect(out).toContain("prod: 0 of 1000 ready, 0 failing, 1000 not asked");
  });

  it("Git down: what runs is said, and nobody is taken for ready", async () => {
    await faults([]);
    const { out, err } = await arcflux(["status", "--stage", "prod", "--timeout", "10s"], dir, {
      env: { ...env(), ARCFLUX_REPOSITORY_URL: path.join(dir, "gone.git") },
    });
    expect(err).toContain("gone.git");
    expect(out).toMatch(/store-0041 +prod +not asked +main +main@[0-9a-f]{7}/);
    const count = out.split("\n").find((line) => line.startsWith("prod: ")) ?? "";
    expect(count).toMatch(/^prod: 0 of 1000 ready, 19 failing .* 100 offline .* 8\d\d not asked/);
  });

  it("wait ends once enough have a commit, and with 4 when the time is up", async () => {
    const waits = async (...args: string[]) => arcflux(["wait", ...args], dir, { env: env() });
    const met = await waits("--commit", tip.slice(0, 10), "--label", "kind=day");
    expect(met).toMatchObject({ code: 0, err: "" });
    const strict = await waits("--commit", tip, "--failing", "0", "--timeout", "1s");
    expect(strict.code).toBe(4);
    expect(strict.out).toMatch(/30 wait for nightly \(next (01:00|now)\)/);
    expect(strict.out).toContain("Not ready within 1 s");
    const unknown = await waits("--commit", "0123abc", "--timeout", "1s");
    expect(unknown).toMatchObject({
      code: 2,
      err: expect.stringContaining("0123abc is not a commit") as string,
    });
  });
});
