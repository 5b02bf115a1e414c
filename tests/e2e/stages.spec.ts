import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";

import { LabStack } from "../../lab/stack.ts";
import { arcflux, type Result } from "../cli/process.ts";
import { type ClusterLab, configMap, OnCluster, runPods, startClusterLab } from "../support/clusterLab.ts";
import { expectCode } from "../support/lab.ts";

const script = join(import.meta.dirname, "../../cli/arcflux.ts");
const stages = ["dev", "test", "prod"] as const;
const branches = { dev: "main", test: "test", prod: "prod" } as const;

const fleet = (interval: string) => `apiVersion: arcflux/v1
repository: { url: https://git.example.com/edge/fleet.git }
arc: { resourceGroup: rg-edge, location: westeurope }
bootstrap: { interval: 5m, retryInterval: 10s, timeout: 1m }
defaults: { interval: ${interval}, retryInterval: 10s, timeout: 20s }
stages:
  dev: {}
  test: { branch: test, after: dev }
  prod: { branch: prod, after: test }
sets:
  app: { path: ./apps/app }
clusters:
${stages.map((stage) => `  ${stage}-1: { stage: ${stage}, kubeconfig: { context: ${stage}-1 }, sets: { app: {} } }`).join("\n")}
`;

let test: ClusterLab;
let stack: LabStack;
let on: Record<(typeof stages)[number], OnCluster>;

beforeAll(async () => {
  test = await startClusterLab(
    [...stages.map((stage) => `${stage}-1`), "off-1"].map((name) => ({
      name,
      kustomizeController: "newest",
    })),
  );
  const all = stages.map((stage) => [stage, new OnCluster(test, `${stage}-1`)] as const);
  on = Object.fromEntries(all) as typeof on;
  await test.person.commit("Version 1", configMap("apps/app", "app", { version: "1" }));
  for (const branch of ["test", "prod"]) await test.repository.git("branch", branch, "main");
  stack = await LabStack.init(test.lab, "stages", fleet("5m"));
});
afterAll(() => test.stop());

function cli(...args: string[]): Promise<Result> {
  const env = { ...test.env, ARCFLUX_ARM_ENDPOINT: test.env["ARCFLUX_LAB_ARM_URL"] ?? "" };
  return arcflux(args, test.lab.dir, { env });
}

async function update(interval: string): Promise<void> {
  await stack.writeFleet(fleet(interval));
  expectCode(await stack.operate("up", ["--skip-preview"]), 0);
}

/** What a cluster runs once it has the tip of its branch. */
async function runs(stage: (typeof stages)[number]): Promise<string | undefined> {
  const tip = await test.repository.git("rev-parse", branches[stage]);
  await on[stage].fetchNow();
  await on[stage].untilReady("edge-config-bootstrap", tip);
  await on[stage].untilReady("app", tip);
  return (await on[stage].data("app"))?.["version"];
}

/** Promotes once the stage before is ready at its tip, as the gate itself finds. */
async function promote(stage: "test" | "prod", ...args: string[]): Promise<Result> {
  await runs(stage === "test" ? "dev" : "test");
  let last: Result | undefined;
  await on[stage].until(`the stage before ${stage} is ready`, async () => {
    last = await cli("promote", stage, "--file", stack.fleetFile, ...args);
    return last.code !== 4;
  });
  return last!;
}

it("a bad version is taken back on prod; updates, and the fleet file set back, do not bring it again", async () => {
  await update("5m");
  for (const stage of ["test", "prod"] as const) expect(await promote(stage)).toMatchObject({ code: 0 });
  expect([await runs("dev"), await runs("test"), await runs("prod")]).toEqual(["1", "1", "1"]);

  await test.person.commit("Version 2, bad", configMap("apps/app", "app", { version: "2" }));
  expect(await promote("test")).toMatchObject({ code: 0 });
  // Nothing of prod moved while it was tried.
  expect([await runs("test"), await runs("prod")]).toEqual(["2", "1"]);
  expect(await promote("prod")).toMatchObject({ code: 0 });
  expect(await runs("prod")).toBe("2");

  const back = await cli("rollback", "prod", "--now", "--reason", "INC-4711", "--file", stack.fleetFile);
  expect(back).toMatchObject({ code: 0 });
  expect([await runs("dev"), await runs("test"), await runs("prod")]).toEqual(["2", "2", "1"]);

  const tip = await test.repository.git("rev-parse", "prod");
  await update("6m");
  await test.person.commit("Read me", { "README.md": "something else\n" });
  await update("5m");
  expect(await promote("test")).toMatchObject({ code: 0 });
  const stopped = await promote("prod");
  expect(stopped.out).toMatch(/- rollback +.* took back apps\/app\/app\.yaml/);
  expect(stopped.code).toBe(1);
  expect(await test.repository.git("rev-parse", "prod")).toBe(tip);
  expect(await runs("prod")).toBe("1");

  await test.person.commit("Version 3", configMap("apps/app", "app", { version: "3" }));
  for (const stage of ["test", "prod"] as const) expect(await promote(stage)).toMatchObject({ code: 0 });
  expect(await runs("prod")).toBe("3");
});

/** Sets of a cluster that no Flux has to do with, on a branch of their own. */
const playground = {
  "fleet.yaml": `apiVersion: arcflux/v1
repository: { url: https://git.example.com/edge/fleet.git }
platform: none
stages: { e2e: { branch: e2e } }
sets:
  ground: { path: ./play/ground }
  shop: { path: ./play/shop, dependsOn: [ground], timeout: 30s, postBuild: { substituteFrom: [{ kind: Secret, name: keys }] } }
clusters:
  play: { stage: e2e, variables: { site: s-1 }, sets: { ground: {}, shop: {} } }
`,
  "play/ground/ground.yaml": `apiVersion: v1
kind: Namespace
metadata: { name: play }
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: tills.play.example.com }
spec:
  group: play.example.com
  scope: Namespaced
  names: { kind: Till, plural: tills, singular: till }
  versions:
    - { name: v1, served: true, storage: true, schema: { openAPIV3Schema: { type: object, x-kubernetes-preserve-unknown-fields: true } } }
`,
  "play/shop/shop.yaml": `apiVersion: play.example.com/v1
kind: Till
metadata: { name: till, namespace: play }
spec: { site: "\${site}", key: "\${key}" }
---
apiVersion: v1
kind: ConfigMap
metadata: { name: was-there, namespace: default }
data: { site: "\${site}" }
---
apiVersion: apps/v1
kind: Deployment
metadata: { name: ui, namespace: default }
spec:
  selector: { matchLabels: { app: ui } }
  template:
    metadata: { labels: { app: ui } }
    spec: { containers: [{ name: ui, image: registry.example.com/shop/ui:1 }] }
`,
} as const;

it("a cluster without Flux gets its sets in order, twice the same, and loses what an apply made and no more", async () => {
  const folder = await mkdtemp(join(tmpdir(), "arcflux-play-"));
  const api = on.dev.api;
  const secrets = join(folder, "secrets.yaml");
  await writeFile(
    secrets,
    "apiVersion: v1\nkind: Secret\nmetadata: { name: keys }\nstringData: { key: kept-to-itself }\n",
  );
  const from = ["--repo", test.env["ARCFLUX_REPOSITORY_URL"]!, "--ref", "e2e"];
  const apply = (...more: string[]) =>
    arcflux(["apply", "play", "--context", "dev-1", ...from, "--secrets-from", secrets, ...more], folder, {
      env: test.env,
    });
  const was = { apiVersion: "v1", kind: "ConfigMap", namespace: "default", name: "was-there" };
  const { apiVersion, kind, ...metadata } = was;
  await api.apply({ apiVersion, kind, metadata, data: { other: "kept" } });
  const push = async (message: string, files: Readonly<Record<string, string | null>>) => {
    await test.person.commit(message, files);
    await test.repository.git("branch", "--force", "e2e", "main");
  };
  await push("A playground", playground);

  const typo = await apply("--variable", "sight=s-2", "--image", "uy=other:2");
  expect([typo.code, typo.err]).toEqual([
    2,
    expect.stringMatching(/^No set uses the variable sight: [^]*^No container has an image called uy: /m),
  ]);
  const [first] = await Promise.all([
    apply("--image", "ui=registry.example.com/shop/ui:2"),
    runPods(on.dev, "ui"),
  ]);
  expect(first).toEqual({
    code: 0,
    err: "",
    out: [
      "  + Namespace play (set ground)",
      "  + CustomResourceDefinition tills.play.example.com (set ground)",
      "  ~ ConfigMap default/was-there (set shop)",
      "  + Till play/till (set shop)",
      "  + Deployment default/ui (set shop)",
      "play: 2 of 2 sets are ready; 4 created, 1 changed, 0 as they were, 0 deleted.",
      "",
    ].join("\n"),
  });
  const till = { apiVersion: "play.example.com/v1", kind: "Till", namespace: "play", name: "till" };
  const ui = { apiVersion: "apps/v1", kind: "Deployment", namespace: "default", name: "ui" };
  expect((await api.read(till))?.["spec"]).toEqual({ site: "s-1", key: "kept-to-itself" });
  expect(JSON.stringify((await api.read(ui))?.["spec"])).toContain(
    '"image":"registry.example.com/shop/ui:2"',
  );
  expect(await on.dev.data("was-there")).toEqual({ other: "kept", site: "s-1" });

  const same = await apply("--image", "ui=registry.example.com/shop/ui:2");
  expect(same.out).toBe("play: 2 of 2 sets are ready; 0 created, 0 changed, 5 as they were, 0 deleted.\n");
  expect(same.code).toBe(0);

  await push("Without the shop's user interface", {
    "play/shop/shop.yaml": playground["play/shop/shop.yaml"].split("---\n").slice(0, 1).join("---\n"),
  });
  const less = await apply("--variable", "site=s-2");
  expect(less.out).toBe(
    [
      "  ~ Till play/till (set shop)",
      "  - Deployment default/ui (set shop)",
      "ConfigMap default/was-there was made by others, and stays",
      "play: 2 of 2 sets are ready; 0 created, 1 changed, 2 as they were, 1 deleted.",
      "",
    ].join("\n"),
  );

  const remove = (...more: string[]) =>
    arcflux(["delete", "play", "--context", "dev-1", ...more], folder, { env: test.env });
  const asked = await remove();
  expect([asked.code, asked.out]).toEqual([
    1,
    [
      "  - Till play/till",
      "  - CustomResourceDefinition tills.play.example.com",
      "  - Namespace play",
      "play: 3 objects would go. Delete them: --yes.",
      "",
    ].join("\n"),
  ]);
  expect(await api.read(till)).toBeDefined();
  const gone = await remove("--yes");
  expect([gone.code, gone.out]).toEqual([0, expect.stringMatching(/^play: what applies made is gone\.$/m)]);
  expect(await api.read({ apiVersion: "v1", kind: "Namespace", name: "play" })).toBeUndefined();
  expect(await on.dev.data("was-there")).toMatchObject({ other: "kept" });
  expect(await remove("--yes")).toMatchObject({
    code: 0,
    out: "Nothing on the cluster was made by an apply of play.\n",
  });
  await rm(folder, { recursive: true, force: true });
});

/** The same clusters, and one that goes off, as rings of one stage. */
const ringed = `apiVersion: arcflux/v1
repository: { url: https://git.example.com/edge/fleet.git, createBranch: fromDefault }
arc: { resourceGroup: rg-edge, location: westeurope }
bootstrap: { interval: 5m, retryInterval: 10s, timeout: 1m }
defaults: { interval: 5m, retryInterval: 10s, timeout: 20s }
stages:
  prod:
    branch: prod
    ready: { share: 50% }
    rings:
      - { name: first, match: { ring: first } }
      - { name: early, match: { ring: early } }
      - { name: rest, share: 100% }
sets:
  app: { path: ./apps/app }
groups:
  all: { match: {}, sets: { app: {} } }
clusters:
  dev-1: { stage: prod, labels: { ring: first }, kubeconfig: { context: dev-1 } }
  off-1: { stage: prod, labels: { ring: first }, kubeconfig: { context: off-1 } }
  test-1: { stage: prod, labels: { ring: early }, kubeconfig: { context: test-1 } }
  prod-1: { stage: prod, kubeconfig: { context: prod-1 } }
`;

it("three rings: one that is off is away, a kill resumes, a bad version stops after the first and goes back", async () => {
  const mustEnd = ({ code, out, err }: Result, wanted: number) =>
    expectCode({ code: code ?? 1, stdout: out, stderr: err }, wanted);
  const next = (...args: string[]) => cli("rollout", "next", "prod", "--file", stack.fleetFile, ...args);
  const start = async () => mustEnd(await cli("promote", "prod", "--file", stack.fleetFile), 0);
  const trees = () =>
    Promise.all(
      ["prod-first", "prod-early", "prod"].map((each) => test.repository.git("rev-parse", `${each}^{tree}`)),
    );
  const onBranch = async (name: keyof typeof on, branch: string): Promise<string | undefined> => {
    const tip = await test.repository.git("rev-parse", branch);
    await on[name].fetchNow();
    await on[name].untilReady("app", tip);
    return (await on[name].data("app"))?.["version"];
  };
  /** Calls next, as a schedule does, until every ring has the same. */
  const roll = async (): Promise<void> => {
    await on.dev.until("every ring has the same", async () => {
      await on.dev.fetchNow();
      await on.test.fetchNow();
      mustEnd(await next(), 0);
      return new Set(await trees()).size === 1;
    });
  };

  await stack.writeFleet(ringed);
  expectCode(await stack.operate("up", ["--skip-preview"]), 0);
  await start();
  const off = new OnCluster(test, "off-1");
  await off.fetchNow();
  await off.untilReady("app", await test.repository.git("rev-parse", "prod-first"));
  await roll();

  // Azure hears nothing of a cluster whose agents are gone.
  for (const { metadata } of await off.api.list("v1", "Secret", { namespace: "azure-arc-release" }))
    if (metadata.name.startsWith("sh.helm.release"))
      await off.api.delete({
        apiVersion: "v1",
        kind: "Secret",
        namespace: "azure-arc-release",
        name: metadata.name,
      });
  await off.until("Azure says offline", async () =>
    (await cli("status", stack.fleetFile, "--cluster", "off-1")).out.includes("offline"),
  );
  await test.person.commit("Version 4", configMap("apps/app", "app", { version: "4" }));
  await start();
  expect(await onBranch("dev", "prod-first")).toBe("4");
  // Killed at some point of its way, it leaves nothing but Git behind, and the next call goes on.
  const env = { ...test.env, ARCFLUX_ARM_ENDPOINT: test.env["ARCFLUX_LAB_ARM_URL"] ?? "" };
  const child = spawn(process.execPath, [script, "rollout", "next", "--file", stack.fleetFile], {
    cwd: test.lab.dir,
    env: { ...process.env, ...env },
    stdio: "ignore",
  });
  await new Promise((resolve) => setTimeout(resolve, 1500));
  child.kill("SIGKILL");
  await roll();
  expect([await onBranch("test", "prod-early"), await onBranch("prod", "prod")]).toEqual(["4", "4"]);

  const bad = Object.values(configMap("apps/app", "app", { version: "5" }))[0]!;
  await test.person.commit("Version 5, bad", {
    "apps/app/app.yaml": bad.replace("namespace: default", "namespace: nowhere"),
  });
  await start();
  const stopped = await on.dev.until("the roll-out stops", async () => {
    await on.dev.fetchNow();
    const result = await next();
    return result.code === 1 && result;
  });
  expect(stopped.out).toMatch(
    /stopped: more clusters of prod\/first fail than maxFailed lets\. On, .*arcflux rollout abort prod --back/,
  );
  const [first, ...others] = await trees();
  expect(new Set(others).size).toBe(1);
  expect(others).not.toContain(first);
  mustEnd(await cli("rollout", "abort", "prod", "--back", "--reason", "INC-5", "--file", stack.fleetFile), 0);
  expect(new Set(await trees()).size).toBe(1);
  expect(await onBranch("dev", "prod-first")).toBe("4");
}, 600_000);
