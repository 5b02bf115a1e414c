import { afterAll, beforeAll, expect, it } from "vitest";

import { LabStack } from "../../lab/stack.ts";
import { arcflux, type Result } from "../cli/process.ts";
import { type ClusterLab, configMap, OnCluster, startClusterLab } from "../support/clusterLab.ts";
import { expectCode } from "../support/lab.ts";

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
    stages.map((stage) => ({ name: `${stage}-1`, kustomizeController: "newest" })),
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
