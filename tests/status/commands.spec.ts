import { spawnSync } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { parse } from "yaml";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ArmServer, startArm } from "../../lab/azure/http/startArm.ts";
import { BareGit } from "../../lab/bareGit.ts";
import { Person } from "../../lab/person.ts";
import { seedRepository } from "../../lab/seedRepository.ts";
import { formatInventory, inventoryName, objectId } from "../../git/index.ts";
import { metricNames, readRecord, recordPath } from "../../status/index.ts";
import { arcflux, type Result } from "../cli/process.ts";
import { hasOpenssl } from "../support/certificates.ts";
import { report, type Reported } from "./labFleet.ts";

/* Three clusters behind the lab's Azure: one fine, one broken, one away. */

const rulesFile = path.join(import.meta.dirname, "../../docs/reference/arcflux.rules.yaml");

let dir: string;
let arm: ArmServer;
let repository: BareGit;
let tip: string;
const fine = (): Reported => ({ name: "fine", runs: tip, sets: ["pos", "web"] });

beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), "arcflux-status-"));
  const gitDir = path.join(dir, "fleet.git");
  await seedRepository(gitDir, "main", { "README.md": "fleet\n" });
  repository = new BareGit(gitDir);
  const files = ["fine", "broken", "away"].flatMap((name) =>
    ["pos", "web"].map((set) => [`clusters/${name}/flux/${set}.yaml`, "x: 1\n"]),
  );
  await new Person(gitDir, path.join(dir, "person")).commit(
    "Generated",
    Object.fromEntries(files) as Record<string, string>,
  );
  tip = (await repository.commits())[0] ?? "";
  await writeFile(
    path.join(dir, "fleet.yaml"),
    `# The fleet.
apiVersion: arcflux/v1
include: [more.yaml]
repository: { url: ${gitDir}, expires: 2020-01-31 }
arc: { resourceGroup: rg-edge, location: westeurope }
sets: { pos: { path: ./apps/pos }, web: { path: ./apps/web, dependsOn: [pos] } }
groups: { all: { match: {}, agents: present, sets: { pos: {}, web: {} } } }
clusters:
  fine: {} # in the back room
  broken: { labels: { kind: store } }
`,
  );
  await writeFile(path.join(dir, "more.yaml"), "clusters:\n  # by the sea\n  away: {}\n");
  report(dir, fine());
  const message = "dependency 'flux-system/pos' is not ready";
  report(dir, {
    ...{ name: "broken", runs: tip, sets: ["pos", "web"] },
    ready: {
      pos: { status: "False", reason: "BuildFailed", message: "kustomize build failed: no such file" },
      web: { status: "False", reason: "DependencyNotReady", message },
    },
  });
  report(dir, { name: "away", runs: tip, sets: ["pos", "web"], connectivity: "Offline" });
  arm = await startArm({ dir });
});
afterAll(async () => {
  await arm.close();
  await rm(dir, { recursive: true, force: true });
});

const run = (...args: string[]): Promise<Result> =>
  arcflux(args, dir, { env: { ARCFLUX_ARM_ENDPOINT: arm.url, KUBECONFIG: path.join(dir, "none") } });
const recordOf = async () =>
  readRecord(await repository.git("show", `arcflux-record:${recordPath(new Date().toISOString())}`));

describe("status", () => {
  it("names what fails, what it means, and why leads from the fleet file to the cause", async () => {
    const { code, out } = await run("status", "--cluster", "broken");
    expect(code).toBe(4);
    expect(out).toContain("pos: failing, BuildFailed: kustomize build failed: no such file");
    expect(out).toContain("kustomize cannot build the folder.");
    const why = await run("why", "broken", "web");
    expect(why.code).toBe(0);
    const lines = why.out.split("\n");
    expect(
      lines.some((line) => /^sets\.web\.path: \.\/apps\/web \(sets\.web, fleet\.yaml:6\)$/.test(line)),
    ).toBe(true);
    const at = (text: string): number => lines.findIndex((line) => line.includes(text));
    expect(at("set web is held back")).toBeGreaterThan(at("broken follows main"));
    expect(at("set pos is failing")).toBeGreaterThan(at("set web is held back"));
    // Where nobody can be asked, what the fleet file says is no answer.
    const nobody = await arcflux(["why", "broken", "web"], dir, {
      env: { ARCFLUX_ARM_ENDPOINT: "http://127.0.0.1:9", KUBECONFIG: path.join(dir, "none") },
    });
    expect(nobody.code).toBe(1);
    expect(nobody.out).toContain("broken is not asked: ");
  });

  it("names why the extension failed, in its own words", async () => {
    report(dir, { ...fine(), extensionError: "Helm installation failed: timed out" });
    const { out } = await run("status", "--cluster", "fine");
    report(dir, fine());
    expect(out).toContain("the Flux extension is in state Failed: Helm installation failed: timed out");
  });

  it("--record keeps what changed, on a branch of its own, and nothing where nothing did", async () => {
    const first = await run("status", "--record");
    expect(first.out).toContain("Recorded on arcflux-record");
    expect((await recordOf()).map(({ c, w, by }) => [c, w, by])).toEqual([
      ["fine", "ready", "azure"],
      ["broken", "failing", "azure"],
      ["away", "offline", "azure"],
    ]);
    expect((await recordOf())[1]?.n).toEqual({ pos: "failing", web: "held back" });
    expect((await run("status", "--record")).out).toContain("Nothing changed");
    report(dir, { ...fine(), connectivity: "Offline" });
    await run("status", "--record");
    report(dir, fine());
    const entries = await recordOf();
    expect(entries).toHaveLength(4);
    expect(entries[3]).toMatchObject({ c: "fine", w: "offline", b: tip, o: "2026-11-01T10:00:00Z" });
    expect((await repository.git("log", "--format=%s", "arcflux-record")).trim().split("\n")).toHaveLength(2);
    expect((await repository.commits())[0]).toBe(tip);
  });

  it("--credentials says what ends, the first first, and ends with 4 once something has", async () => {
    const { code, out, err } = await run("status", "--credentials");
    expect(code).toBe(4);
    expect(out.split("\n")[0]).toMatch(/^2020-01-31 {2}-\d+ days {2}token/);
    expect(out).toContain("2026-12-10");
    expect(err).toContain("the token ended on 2020-01-31. Renew it.");
    expect(err).toContain("repository.expires");
  });

  it("--drift is 4 for drift alone: who fails or is away has not drifted, an edited file of Git has", async () => {
    const drift = await run("status", "--drift");
    expect(drift.out).toBe(
      "0 of 2 clusters drifted, 1 not asked (away), 1 failing: arcflux status --failing.\n",
    );
    expect(drift.code).toBe(0);
    const gitDir = path.join(dir, "edited.git");
    const fleet = await readFile(path.join(dir, "fleet.yaml"), "utf8");
    await writeFile(path.join(dir, "edited.yaml"), fleet.replace(path.join(dir, "fleet.git"), gitDir));
    const rendered = await run("render", "edited.yaml", "--cluster", "fine", "--json");
    const { files } = JSON.parse(rendered.out) as { files: Record<string, string> };
    const written = Object.entries(files).map(([file, text]) => {
      const blob = objectId("blob", Buffer.from(text), 40);
      return [file, { blob, executable: false, serial: 1 }] as const;
    });
    const inventory = { owner: "edge/prod/fine", left: [], files: new Map(written) };
    const listed = { [`clusters/fine/flux/${inventoryName}`]: formatInventory(inventory) };
    await seedRepository(gitDir, "main", { ...files, ...listed });
    const pos = "clusters/fine/flux/pos.yaml";
    const edited = { [pos]: (files[pos] ?? "").replace("10m", "7m") };
    await new Person(gitDir, path.join(dir, "hand")).commit("By hand", edited);
    const found = await run("status", "edited.yaml", "--drift", "--json", "--cluster", "fine");
    const { inGit } = JSON.parse(found.out) as { inGit: { line: number; message: string }[] };
    expect(inGit.map(({ line, message }) => [line, message.split(". ")[0]])).toEqual([
      [9, expect.stringMatching(/^1 cluster, [0-9a-f]{7} by Ada Person: interval$/)],
    ]);
    expect(found.code).toBe(4);
  });

  it.runIf(hasOpenssl)(
    "certificates of caFile are listed, and warned of at their line before they end",
    async () => {
      const ca = path.join(dir, "ca.pem");
      const args = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
      const files = ["-keyout", path.join(dir, "ca.key"), "-out", ca, "-subj", "/CN=Edge CA", "-days", "10"];
      expect(spawnSync("openssl", [...args, ...files]).status).toBe(0);
      const fleet = await readFile(path.join(dir, "fleet.yaml"), "utf8");
      await writeFile(path.join(dir, "ca.yaml"), fleet.replace("expires: 2020-01-31", `caFile: ${ca}`));
      const listed = await run("status", "ca.yaml", "--credentials");
      expect(listed.code).toBe(0);
      expect(listed.out).toMatch(
        /^\d{4}-\d\d-\d\d {2}(9|10) days {2}certificate {2}Edge CA {2}\(repository\.caFile\)$/m,
      );
      const checked = await run("validate", "ca.yaml", "--repo", path.join(dir, "fleet.git"));
      expect(checked.err + checked.out).toMatch(
        /ca\.yaml:4:\d+: warning: repository\.caFile: the certificate of Edge CA ends on \d{4}-\d\d-\d\d, in (9|10) days/,
      );
    },
  );
});

describe("metrics", () => {
  it("are in Prometheus' format, one series for each cluster and word", async () => {
    const { code, out } = await run("status", "--metrics");
    expect(code).toBe(4);
    expect(out).toContain('arcflux_cluster_state{cluster="broken",stage="",state="failing"} 1');
    expect(out).toContain('arcflux_cluster_state{cluster="fine",stage="",state="failing"} 0');
    expect(out).toContain('arcflux_cluster_sets_ready{cluster="broken",stage=""} 0');
    const sample = /^[a-z_]+(\{([a-z_]+="(\\.|[^"\\])*",?)*\})? -?\d+(\.\d+)?$/;
    const bad = out
      .trim()
      .split("\n")
      .filter((line) => !/^# (HELP|TYPE) [a-z_]+ ./.test(line) && !sample.test(line));
    expect(bad).toEqual([]);
  });

  it("carry alarm rules that name nothing else", async () => {
    const { groups } = parse(await readFile(rulesFile, "utf8")) as {
      groups: { rules: { alert: string; expr: string }[] }[];
    };
    const used = groups.flatMap(({ rules }) => rules.flatMap(({ expr }) => expr.match(/arcflux_\w+/g) ?? []));
    expect(used.filter((name) => !metricNames.some((known) => known === name))).toEqual([]);
    expect(used).toContain("arcflux_recorded_timestamp_seconds");
  });

  it.runIf(spawnSync("promtool", ["--version"]).status === 0)(
    "are as promtool wants them, and so are the alarms",
    async () => {
      const promtool = (args: string[], input = "") =>
        spawnSync("promtool", args, { input, encoding: "utf8" });
      const { out } = await run("status", "--metrics");
      const checked = promtool(["check", "metrics"], out);
      expect([checked.status, checked.stderr]).toEqual([0, ""]);
      const tests = path.join(import.meta.dirname, "alarms.test.yaml");
      for (const args of [
        ["check", "rules", rulesFile],
        ["test", "rules", tests],
      ]) {
        const { stdout, stderr } = promtool(args);
        expect(stdout + stderr).toContain("SUCCESS");
      }
    },
  );
});

describe("suspend", () => {
  it("writes the reason into the file that declares the cluster, comments kept", async () => {
    const before = await readFile(path.join(dir, "fleet.yaml"), "utf8");
    const one = await run("suspend", "fine", "web", "--reason", "INC-4711", "--until", "2999-12-24");
    expect(one).toMatchObject({ code: 0 });
    expect(await readFile(path.join(dir, "fleet.yaml"), "utf8")).toBe(
      before.replace(
        "  fine: {} # in the back room",
        "  fine: { sets: { web: { suspend: { reason: INC-4711, until: 2999-12-24 } } } } # in the back room",
      ),
    );
    expect((await run("suspend", "away", "--sets", "--reason", "rebuild")).out).toContain(
      "more.yaml: pos, web of away suspended",
    );
    const more = await readFile(path.join(dir, "more.yaml"), "utf8");
    expect(more).toContain("# by the sea");
    const { out } = await run("status", "--cluster", "away", "--cluster", "fine");
    expect(out).toContain("suspended in the fleet file: INC-4711, until 2999-12-24");
  });

  it("of a cluster without a set stops all that would reach it, in one line", async () => {
    const before = await readFile(path.join(dir, "fleet.yaml"), "utf8");
    const { code, out } = await run("suspend", "fine", "--reason", "INC-4712", "--through", "git");
    expect([code, out]).toEqual([0, expect.stringContaining("fine suspended: nothing new reaches it.")]);
    const [line] = (await readFile(path.join(dir, "fleet.yaml"), "utf8")).match(/^ {2}fine:.*$/m) ?? [];
    expect(line).toContain(", suspend: { reason: INC-4712, through: git } } # in the back room");
    const refused = await run("suspend", "fine", "web", "--reason", "x", "--through", "git");
    expect([refused.code, refused.err]).toEqual([2, expect.stringContaining("is for a whole cluster")]);
    await writeFile(path.join(dir, "fleet.yaml"), before);
  });

  it("refuses what is not there, with the nearest name", async () => {
    const { code, err } = await run("suspend", "fine", "pso", "--reason", "x");
    expect(code).toBe(2);
    expect(err).toContain("pso is not a set of fine. Did you mean pos?");
  });

  it("reconcile without a way to the cluster says how to get one", async () => {
    const { code, err } = await run("reconcile", "fine");
    expect(code).toBe(2);
    expect(err).toContain("az connectedk8s proxy --name fine --resource-group rg-edge");
  });
});
