import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { loadFleet } from "../../fleet/load.ts";
import { run } from "../../lab/run.ts";
import { LabStack, projectRoot } from "../../lab/stack.ts";
import { readPreview, violationFindings } from "../../review/index.ts";
import { expectCode, presentFleet, startTestLab, type TestLab } from "../support/lab.ts";
import { TestProgram } from "../support/program.ts";

const folder = join(projectRoot, "examples");
const examples = readdirSync(folder, { withFileTypes: true }).filter(
  (entry) => entry.isDirectory() && existsSync(join(folder, entry.name, "fleet.yaml")),
);
const fleetOf = (name: string): string => readFileSync(join(folder, name, "fleet.yaml"), "utf8");

/** One stack for all: a preview makes nothing, so each finds what the first one found. */
describe("a preview with the policy pack, as the README has it", () => {
  let test: TestLab;
  let stack: LabStack;
  beforeAll(async () => {
    test = await startTestLab({ assumeClusters: true });
    // What the examples pin, follow and patch has to be there, as in any repository.
    const app = (name: string) =>
      `apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: { name: ${name} }\nspec: { interval: 10m }\n`;
    await test.person.commit("Apps", {
      "infrastructure/base.yaml":
        "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: base, namespace: default }\n",
      ...Object.fromEntries(["pos", "signage"].map((name) => [`apps/${name}/app.yaml`, app(name)])),
      ...Object.fromEntries(
        ["pos", "signage"].map((name) => [`apps/${name}/kustomization.yaml`, "resources: [app.yaml]\n"]),
      ),
    });
    const git = (...args: string[]) =>
      execFileSync("git", ["-C", test.lab.gitDir, ...args], { env: test.env });
    for (const branch of ["test", "prod"]) git("branch", branch, "main");
    for (const tag of ["v1.4.0", "v1.5.0-rc.1"]) git("tag", tag, "main");
    stack = await LabStack.init(test.lab, "examples", "");
    // As it is unless somebody says otherwise, which stacks of a lab do.
    await stack.must(["config", "set", "arcflux:protect", "true", "--stack", stack.name]);
  });
  afterAll(() => test.stop());

  it.each(examples.map(({ name }) => name))(
    "finds nothing wrong with the example %s",
    async (name) => {
      const [tip = ""] = await test.repository.commits();
      await stack.writeFleet(fleetOf(name).replace(/[0-9a-f]{40}/, tip));
      const { stdout } = expectCode(await stack.operate("preview", ["--policy-pack", "policy"]), 0);
      expect(stdout).not.toMatch(/mandatory|could not be read/);
      expect(stdout).toMatch(/Policies:\s+.*arcflux/);
    },
    180_000,
  );

  it("that a policy stops has a log of events, whose violations stand at the lines of their sets", async () => {
    const policies = join(test.lab.dir, "policies.json");
    writeFileSync(
      policies,
      JSON.stringify({ "minimum-interval": { enforcementLevel: "mandatory", minimumSeconds: 1200 } }),
    );
    const events = join(test.lab.dir, "events.json");
    const text = presentFleet({ hall: ["one"], "hall-2": ["one"] });
    await stack.writeFleet(text);
    const options = ["--policy-pack", "policy", "--policy-pack-config", policies, "--event-log", events];
    const args = ["preview", "--stack", stack.name, ...options];
    const ran = await stack.pulumi(args, undefined, { PULUMI_DEBUG_COMMANDS: "1" });
    expect([ran.code === 0, ran.stdout]).toEqual([false, expect.stringContaining("minimum-interval")]);
    const preview = readPreview(readFileSync(events, "utf8"));
    const { fleet, finding } = loadFleet(text, "fleet.yaml");
    const found = violationFindings(preview.violations, fleet ?? { clusters: [] }, finding);
    // The engine tells of resources in no order.
    const told = found.map(({ severity, path, judgement }) => [severity, path, judgement]);
    expect(told.sort(([, one = ""], [, other = ""]) => one.localeCompare(other))).toEqual(
      ["hall-2", "hall"].map((name) => ["error", `clusters.${name}.sets.one`, "policy minimum-interval"]),
    );
    expect(found[0]?.message).toContain("at least 1200 s is needed");
    expect(preview.changes?.["create"]).toBeGreaterThan(0);
  });

  it("sees what a program hides: nested components, aliases, files as a secret, values of a chart, base64", async () => {
    const token = `ghp_${"a1B2".repeat(9)}`;
    const files = {
      "flux/till.yaml": JSON.stringify({
        ...{ apiVersion: "helm.toolkit.fluxcd.io/v2", kind: "HelmRelease", metadata: { name: "till" } },
        spec: {
          interval: "10m",
          values: { auth: { password: "swordfish" }, pull: Buffer.from(token).toString("base64") },
        },
      }),
      "flux/charts.yaml": JSON.stringify({
        ...{
          apiVersion: "source.toolkit.fluxcd.io/v1",
          kind: "HelmRepository",
          metadata: { name: "charts" },
        },
        spec: { interval: "10m", url: "http://charts.example.com" },
      }),
    };
    const passed = "the update passes freeze xmas on cluster past";
    const freezes = [
      { name: "xmas", until: "2027-01-06", reason: "Trade", clusters: ["past"], emergency: "INC-7" },
    ];
    const source = (files: string): string =>
      `import * as pulumi from "@pulumi/pulumi";
import * as tls from "@pulumi/tls";
import { GitFiles } from "./provider/gitFiles.ts";
class Nest extends pulumi.ComponentResource {
  constructor(name, depth, opts) {
    super("mine:index:Nest", name, {}, opts);
    if (depth > 0) new Nest(name + depth, depth - 1, { parent: this });
    else {
      const edge = new Edge("past", { parent: this });
      const options = { parent: edge, aliases: [{ name: "other" }] };
      const key = new tls.PrivateKey("past-key", { algorithm: "RSA", rsaBits: 2048 }, options);
      new GitFiles("past-files", {
        repository: ${JSON.stringify(test.lab.repositoryUrl)}, branch: "main", directory: "clusters/past", message: "Past",
        author: { name: "Arcflux", email: "arcflux@example.com" }, files: ${files},
      }, options);
    }
    this.registerOutputs({});
  }
}
class Edge extends pulumi.ComponentResource {
  constructor(name, opts) {
    super("arcflux:index:EdgeCluster", name, {}, opts);
    this.registerOutputs({});
  }
}
class Fleet extends pulumi.ComponentResource {
  constructor() {
    super("arcflux:index:Fleet", "fleet", {});
    this.registerOutputs({ facts: { clusters: {}, stages: [], update: { reach: [], deletions: [], freezes: ${JSON.stringify(freezes)} } } });
  }
}
new Nest("nest", 2);
new Fleet();
new tls.PrivateKey("theirs", { algorithm: "RSA", rsaBits: 2048 });
`;
    const program = await TestProgram.create(
      test.lab,
      "past",
      source(`pulumi.secret(${JSON.stringify(files)})`),
    );
    const preview = (...args: string[]) =>
      program.pulumi("preview", "--policy-pack", join(projectRoot, "policy"), ...args);
    const bad = await preview();
    const said = bad.stdout + bad.stderr;
    expect(bad.code).not.toBe(0);
    // That files are a secret is refused as well, which may end the run before all else is judged.
    for (const words of [
      "HelmRepository 'charts': spec.url is plain HTTP",
      "spec.values.auth.password of HelmRelease 'till' in file 'flux/till.yaml' holds",
      "spec.values.pull of HelmRelease 'till' in file 'flux/till.yaml' holds a GitHub token",
    ])
      expect(said).toContain(words);
    expect(said).not.toMatch(/swordfish|a1B2a1B2|Z2hwX2/);

    // By group: what is mandatory fails the preview, and what is advisory is said.
    await program.write(source(`{ ...${JSON.stringify(files)}, "flux/new.yaml": key.publicKeyPem }`));
    const config = join(test.lab.dir, "levels.json");
    const at = async (levels: Readonly<Record<string, string>>) => {
      writeFileSync(config, JSON.stringify({ all: "advisory", ...levels }));
      const { code, stdout } = await preview("--policy-pack-config", config);
      for (const words of ["rsaBits is 2048", "holds a GitHub token"]) expect(stdout).toContain(words);
      // D03: what is not known yet is said once, hides nothing, and is nowhere taken for a value.
      expect(stdout.match(/file 'flux\/new\.yaml'/g)).toHaveLength(1);
      expect(stdout).not.toMatch(/PrivateKey 'theirs'|04da6b54/);
      return { code, stdout };
    };
    expect((await at({ "onboarding-key": "mandatory" })).code).not.toBe(0);
    const stack = await at({ "freezes-respected": "mandatory" });
    expect([stack.code === 0, stack.stdout]).toEqual([false, expect.stringContaining(passed)]);
    const advised = await at({});
    expect([advised.code, advised.stdout]).toEqual([0, expect.stringContaining(passed)]);
  });

  it("has tags and explicit defaults written at the level remediate", async () => {
    const config = join(test.lab.dir, "remediate.json");
    const tags = { enforcementLevel: "remediate", tags: ["cost"], defaults: { cost: "42" } };
    writeFileSync(config, JSON.stringify({ "required-tags": tags }));
    const arc = await LabStack.init(test.lab, "tags");
    const { stdout } = expectCode(
      await arc.operate("preview", ["--policy-pack", "policy", "--policy-pack-config", config, "--diff"]),
      0,
    );
    expect(stdout).toMatch(/cost\s*: "42"/);
    expect(stdout).toMatch(/remediate.*required-tags/);
  });

  it("stops an update that passes a freeze before anything is written, though no preview went before", async () => {
    const held =
      "freezes: { xmas: { from: 2020-01-01, until: 2999-01-01, reason: Trade, liveSets: true } }\n";
    await stack.writeFleet(presentFleet({ hall: ["one"] }).replace("clusters:", `${held}clusters:`));
    const before = await test.repository.commits();
    const config = join(test.lab.dir, "freeze.json");
    const update = (exempt: readonly object[]) => {
      writeFileSync(config, JSON.stringify({ "freezes-respected": { exempt } }));
      const args = ["up", "--yes", "--skip-preview", "--stack", stack.name, "--policy-pack", "policy"];
      return stack.pulumi([...args, "--policy-pack-config", config], undefined, {
        ARCFLUX_EMERGENCY: "INC-7",
      });
    };
    const stopped = await update([]);
    expect([stopped.code === 0, stopped.stdout]).toEqual([
      false,
      expect.stringContaining("the update passes freeze xmas on cluster hall (until 2999-01-01;"),
    ]);
    expect(await test.repository.commits()).toEqual(before);

    const until = `${new Date(Date.now() + 3_600_000).toISOString().slice(0, 16)}Z`;
    const { stdout } = expectCode(
      await update([{ cluster: "hall", until, reason: "The tills stand still", by: "Ada" }]),
      0,
    );
    expect(stdout).toContain(`cluster hall is exempt until ${until} (The tills stand still, by Ada)`);
    expect(await test.repository.commits()).toHaveLength(before.length + 1);

    // The state alone tells how the cluster was last written, with no program, repository or cloud.
    const state = join(test.lab.dir, "state.json");
    writeFileSync(state, await stack.must(["stack", "export", "--stack", stack.name]));
    const analyze = (...args: string[]) =>
      run("pulumi", ["policy", "analyze", "--file", state, "--policy-pack", "policy", ...args], {
        ...{ cwd: projectRoot, env: test.env },
      });
    const alone = await analyze();
    expect([alone.code === 0, alone.stdout + alone.stderr]).toEqual([
      false,
      expect.stringContaining("the update passes freeze xmas on cluster hall"),
    ]);
    expectCode(await analyze("--policy-pack-config", config), 0);
  });
});
