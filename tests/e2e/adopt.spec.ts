import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { stringify } from "yaml";

import type { ArmId } from "../../lab/azure/armId.ts";
import { armTypes, subscriptionId } from "../../lab/azure/armId.ts";
import type { Json } from "../../lab/azure/json.ts";
import { asObject } from "../../lab/azure/json.ts";
import { ArmClient } from "../../lab/providers/armClient.ts";
import { mustRun } from "../../lab/run.ts";
import { LabStack } from "../../lab/stack.ts";
import { arcflux, type Result } from "../cli/process.ts";
import { again, applied, killed, killedUpdate, ownerOf, uids, workloads } from "../support/adoption.ts";
import {
  type ClusterLab,
  configMap,
  deployment,
  kustomizationRef,
  OnCluster,
  readyOf,
  runPods,
  startClusterLab,
} from "../support/clusterLab.ts";
import { expectCode } from "../support/lab.ts";
import { agentKeys, helmRelease } from "../lab/helmRelease.ts";

/* Clusters as `flux bootstrap` and Azure leave them, with real Flux: brought to a new bootstrap step by step, with a kill at each. */

const name = "edge-newest";
const folder = `clusters/${name}`;
const namespace = "flux-system";
const behindAzure = "edge-azure";

let test: ClusterLab;
let edge: OnCluster;
beforeAll(async () => {
  test = await startClusterLab([
    { name, kustomizeController: "newest" },
    { name: behindAzure, kustomizeController: "azure", lockdown: true },
  ]);
  edge = new OnCluster(test, name);
});
afterAll(() => test.stop());

const cli = (...args: string[]): Promise<Result> => arcflux(args, test.lab.dir, { env: test.env });

function kustomization(set: string, path: string): object {
  return {
    apiVersion: "kustomize.toolkit.fluxcd.io/v1",
    kind: "Kustomization",
    metadata: { name: set, namespace },
    spec: {
      ...{ interval: "5m", retryInterval: "2s", timeout: "1m", prune: true, path },
      sourceRef: { kind: "GitRepository", name: "flux-system" },
    },
  };
}

/** The folder of `apps`: two Kustomizations, one of them over a third, and a ConfigMap that stays with it. */
const inner = {
  "apps/tree/shop.yaml": stringify(kustomization("shop", "./apps/shop")),
  "apps/tree/hub.yaml": stringify(kustomization("hub", "./apps/hub")),
  "apps/hub/deep.yaml": stringify(kustomization("deep", "./apps/deep")),
};
const tree = {
  ...inner,
  ...configMap("apps/tree", "settings", { version: "1" }),
  "apps/shop/shop.yaml": deployment.replaceAll("web", "shop"),
  ...configMap("apps/deep", "deep", { version: "1" }),
};

it("keeps every workload from import to the removal of the old files", async () => {
  const root = kustomization("flux-system", `./${folder}`);
  const source = {
    apiVersion: "source.toolkit.fluxcd.io/v1",
    kind: "GitRepository",
    metadata: { name: "flux-system", namespace },
    spec: { interval: "5m", url: test.env["ARCFLUX_REPOSITORY_URL"], ref: { branch: "main" } },
  };
  const sync = [source, root].map((each) => stringify(each)).join("---\n");
  const commit = await test.person.commit("flux bootstrap", {
    ...configMap("apps/app", "app", { version: "1" }),
    "apps/web/web.yaml": deployment,
    ...tree,
    [`${folder}/flux-system/gotk-sync.yaml`]: sync,
    [`${folder}/app.yaml`]: stringify(kustomization("app", "./apps/app")),
    [`${folder}/web.yaml`]: stringify(kustomization("web", "./apps/web")),
    [`${folder}/apps.yaml`]: stringify(kustomization("apps", "./apps/tree")),
  });
  for (const object of [source, root]) await edge.api.apply(object as never);
  const names = ["app", "web", "apps", "shop", "hub", "deep"];
  for (const set of names) await edge.untilReady(set, commit);
  for (const app of ["web", "shop"]) await runPods(edge, app);
  const before = await workloads(edge);
  expect(
    Object.keys(before)
      .map((each) => each.replace(/(Pod [^-]*-).*/, "$1"))
      .sort(),
  ).toEqual([
    ...["app", "deep", "settings"].map((each) => `ConfigMap default/${each}`),
    ...["shop", "web"].map((each) => `Deployment default/${each}`),
    ...["shop", "web"].map((each) => `Pod default/${each}-`),
  ]);
  const sets = names.map(kustomizationRef);
  const setsBefore = await uids(edge, sets);

  // The cluster alone says what applies what, not by which files: inner ones stay with their set.
  const asked = await cli("import", "--context", name);
  expect(asked.err).toContain("3 sets, no sources; 3 of 3 mean the same as before");
  const clone = join(test.lab.dir, "clone");
  await mustRun("git", ["clone", "--quiet", test.lab.gitDir, clone], { cwd: test.lab.dir, env: test.env });
  const imported = await cli("import", join(clone, folder));
  expect(imported.err).toContain("6 sets, no sources; 4 of 6 mean the same as before");
  const stack = await LabStack.init(
    test.lab,
    "adopt",
    imported.out.replace(`${name}:\n`, `${name}:\n    kubeconfig: { context: ${name} }\n`),
  );
  const adopt = (...args: string[]) => cli("adopt", name, "--file", stack.fleetFile, ...args);

  const dry = await adopt("--dry-run");
  expect([dry.code, dry.err]).toEqual([0, ""]);
  expect(dry.out).toContain("flux-system applies ./clusters/edge-newest, with prune.");
  expect(dry.out).toMatch(
    /patch kustomization flux-system --type=merge -p '.*"spec":\{"suspend":true,"prune":false\}\}'/,
  );
  expect((await edge.kustomization("flux-system"))?.["spec"]).toMatchObject({ prune: true });

  // Below the old folder the old root would apply the new files too: nothing is suspended for an update that cannot come.
  const fleet = await readFile(stack.fleetFile, "utf8");
  await stack.writeFleet(fleet.replace("cluster: fleet/{cluster}", "cluster: clusters/{cluster}"));
  const blocked = await adopt();
  expect([blocked.code, blocked.out]).toEqual([2, expect.stringContaining("Nothing was done: an update of")]);
  expect((await edge.kustomization("flux-system"))?.["spec"]).toMatchObject({ prune: true });
  await stack.writeFleet(fleet);

  // Each step is killed in the middle; a run that was killed is a run again.
  const args = ["adopt", name, "--file", stack.fleetFile];
  await killed(test, args);
  expect((await edge.kustomization("flux-system"))?.["spec"]).toMatchObject({ suspend: true, prune: false });
  expect((await adopt()).out).toContain("Next: run the update");
  await killedUpdate(
    test,
    stack,
    edge,
    async () => (await edge.kustomization("edge-config-bootstrap")) !== undefined,
  );
  expectCode(await stack.operate("up", ["--skip-preview"]), 0);
  const last = await edge.until("the bootstrap owns the sets", async () => {
    const { code, out } = await adopt();
    return code === 0 && out;
  });
  expect(last).toContain("It is done with --yes.");
  expect(await edge.kustomization("flux-system")).toBeDefined();
  const source0 = { apiVersion: source.apiVersion, kind: source.kind, namespace, name: "flux-system" };
  const isRemoved = async (): Promise<boolean> => (await edge.api.read(source0)) === undefined;
  await killed(test, [...args, "--yes"]);
  // Flux's controller takes its finalizer off after the answer.
  await edge.until("the old source is removed", isRemoved);
  expect(await edge.kustomization("flux-system")).toBeDefined();
  await edge.until("nothing is left", async () => (await adopt("--yes")).out.includes("Next: nothing."));
  expect(await edge.kustomization("flux-system")).toBeUndefined();
  expect(await again(edge, before)).toEqual(before);
  for (const ref of sets) expect(await ownerOf(edge, ref)).toBe("edge-config-bootstrap");

  // As the note says: prune as it was, once the bootstrap owns the inner ones.
  const adopted = await readFile(stack.fleetFile, "utf8");
  const pruning = adopted.replaceAll("prune: false", "prune: true");
  expect(pruning).not.toBe(adopted);
  await stack.writeFleet(pruning);
  expectCode(await stack.operate("up", ["--skip-preview"]), 0);
  await edge.fetchNow();
  for (const set of ["apps", "hub"])
    await edge.until(`${set} prunes again`, async () => {
      const found = await edge.kustomization(set);
      const isSeen = asObject(found?.["status"])["observedGeneration"] === found?.metadata["generation"];
      return isSeen && readyOf(found).status === "True" && asObject(found?.["spec"])["prune"] === true;
    });
  expect(await applied(edge, "apps")).toEqual(["default_settings__ConfigMap"]);
  expect(await applied(edge, "hub")).toEqual([]);
  expect(await again(edge, before)).toEqual(before);

  const after = await test.person.commit("The old files go, and the apps change", {
    [`${folder}/flux-system/gotk-sync.yaml`]: null,
    ...Object.fromEntries(["app", "web", "apps"].map((each) => [`${folder}/${each}.yaml`, null])),
    ...Object.fromEntries(Object.keys(inner).map((file) => [file, null])),
    // Git has no empty folders.
    ...configMap("apps/hub", "hub", { version: "1" }),
    ...configMap("apps/app", "app", { version: "2" }),
    ...configMap("apps/deep", "deep", { version: "2" }),
  });
  await edge.fetchNow();
  for (const set of names) await edge.untilReady(set, after);
  for (const each of ["app", "deep"]) expect((await edge.data(each))?.["version"]).toBe("2");
  expect(await again(edge, before)).toEqual(before);
  expect(await uids(edge, sets)).toEqual(setsBefore);
});

const inGroup = { resourceGroup: "rg-edge", cluster: behindAzure };
const target = (type: ArmId["type"], each: string) => ({
  id: { ...inGroup, type, name: each },
  apiVersion: type === armTypes.connectedCluster ? "2024-02-01-preview" : "2023-05-01",
});

/** Connects the cluster as `az` would, with the extension and a configuration whose kustomizations are the sets. */
async function asTheAdrHasIt(arm: ArmClient, on: OnCluster): Promise<void> {
  const keys = agentKeys();
  await arm.put(target(armTypes.connectedCluster, behindAzure), {
    location: "westeurope",
    identity: { type: "SystemAssigned" },
    properties: { agentPublicKeyCertificate: keys.certificate },
  });
  await on.api.apply({ apiVersion: "v1", kind: "Namespace", metadata: { name: "azure-arc-release" } });
  const names = { subscriptionId, resourceGroupName: "rg-edge", resourceName: behindAzure };
  await on.api.apply(helmRelease({ ...names, onboardingPrivateKey: keys.privateKey }));
  await on.until("it is connected", async () => {
    const found = await arm.get(target(armTypes.connectedCluster, behindAzure));
    return asObject(found?.["properties"])["connectivityStatus"] === "Connected";
  });
  await arm.put(target(armTypes.extension, "flux"), {
    identity: { type: "SystemAssigned" },
    properties: { extensionType: "microsoft.flux" },
  });
  const set = (path: string, more: Json = {}) => ({
    path,
    prune: true,
    wait: false,
    retryIntervalInSeconds: 5,
    ...more,
  });
  await arm.put(target(armTypes.fluxConfiguration, "workspace"), {
    properties: {
      ...{ namespace: "flux-workspace", scope: "cluster", sourceKind: "GitRepository" },
      gitRepository: { url: test.env["ARCFLUX_REPOSITORY_URL"]!, repositoryRef: { branch: "main" } },
      kustomizations: {
        infra: set("./adr/infra"),
        "set-01": set("./adr/sets/set-01", { dependsOn: ["infra"] }),
        night: set("./adr/windowed/night"),
      },
    },
  });
}

it("keeps every workload of sets that stand in Azure's configuration", async () => {
  const on = new OnCluster(test, behindAzure);
  const arm = new ArmClient(test.env["ARCFLUX_ARM_ENDPOINT"]!);
  await test.person.commit("Sets as the ADR has them", {
    ...configMap("adr/infra", "infra", { version: "1" }),
    "adr/sets/set-01/web.yaml": deployment,
    ...configMap("adr/windowed/night", "night", { version: "1" }),
  });
  await asTheAdrHasIt(arm, on);
  await runPods(on, "web");
  const before = await on.until("the workloads", async () => {
    const found = await workloads(on);
    return "ConfigMap default/night" in found && "ConfigMap default/infra" in found && found;
  });
  expect(Object.keys(before).join(" ")).toMatch(/Deployment default\/web.*Pod default\/web-/);
  const stack = await LabStack.init(
    test.lab,
    "adopt-azure",
    `apiVersion: arcflux/v1
repository: { url: "${test.env["ARCFLUX_REPOSITORY_URL"]!}" }
arc: { resourceGroup: rg-edge, location: westeurope }
bootstrap: { interval: 5m, retryInterval: 2s }
defaults: { interval: 5m, retryInterval: 2s, timeout: 1m, wait: false }
windows: { nightly: { open: "0 1 * * *", close: "0 4 * * *", timeZone: Europe/Berlin } }
clusters:
  ${behindAzure}:
    agents: present
    adopt: true
    kubeconfig: { context: ${behindAzure} }
    sets:
      infra: { path: ./adr/infra }
      set-01: { path: ./adr/sets/set-01, dependsOn: [infra] }
      night: { path: ./adr/windowed/night, window: nightly }
`,
  );
  const args = ["adopt", behindAzure, "--file", stack.fleetFile];
  const dry = await cli(...args, "--dry-run");
  expect([dry.code, dry.err]).toEqual([0, ""]);
  expect(dry.out).toContain(
    "Workloads move: flux-workspace/workspace-infra to infra, flux-workspace/workspace-night to night,",
  );
  expect(dry.out).toContain("-n workspace --suspend true");

  const early = await stack.operate("preview");
  expect(early.code).not.toBe(0);
  expect(`${early.stdout}${early.stderr}`).toContain(
    "Azure's configuration workspace, which applies ./adr/infra as set infra",
  );
  await killed(test, args);
  await on.until("the update is next", async () => (await cli(...args)).out.includes("Next: run the update"));
  await killedUpdate(
    test,
    stack,
    on,
    async () => (await on.kustomization("edge-config-bootstrap")) !== undefined,
  );
  expectCode(await stack.operate("up", ["--skip-preview"]), 0);
  await on.until("only the windowed set is missing", async () =>
    (await cli(...args)).out.includes("Next: wait: night comes when window nightly opens"),
  );
  const window = {
    apiVersion: "source.toolkit.fluxcd.io/v1",
    kind: "GitRepository",
    namespace,
    name: "window-nightly",
  };
  await on.api.patch(window, { spec: { suspend: false } });
  await on.until("the old ones may go", async () =>
    (await cli(...args)).out.includes("It is done with --yes."),
  );
  await killed(test, [...args, "--yes"]);
  await on.until("nothing is left", async () => (await cli(...args, "--yes")).out.includes("Next: nothing."));

  expect(await arm.get(target(armTypes.fluxConfiguration, "workspace"))).toBeUndefined();
  const kustomizations = await on.api.list("kustomize.toolkit.fluxcd.io/v1", "Kustomization");
  expect(kustomizations.map(({ metadata }) => metadata.namespace)).not.toContain("flux-workspace");
  expect(await again(on, before)).toEqual(before);
});
