import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { type FluxObjects, nextStep, readAzure, stockOf } from "../../adopt/index.ts";
import { renderConfiguration } from "../../lab/azure/agent/renderConfiguration.ts";
import { Arm } from "../../lab/azure/arm.ts";
import { armTypes, subscriptionId } from "../../lab/azure/armId.ts";
import { type ArmServer, startArm } from "../../lab/azure/http/startArm.ts";
import { registerConnectedCluster } from "../../lab/azure/registerConnectedCluster.ts";
import { azureAccess } from "../../status/index.ts";
import { mustLoad } from "../fleet/fixture.ts";
import { arcflux } from "./process.ts";

/* Azure's Flux configurations as a fleet file, by the lab's Azure and the clients that Azure itself is asked with. */

let dir: string;
let azure: ArmServer;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "arcflux-import-azure-"));
  azure = await startArm({ dir });
  const arm = new Arm({ root: join(dir, "azure") });
  const put = (
    cluster: string,
    type: "extensions" | "fluxConfigurations",
    name: string,
    properties: object,
  ) =>
    arm.put(
      {
        type: type === "extensions" ? armTypes.extension : armTypes.fluxConfiguration,
        resourceGroup: "rg-edge",
        cluster,
        name,
      },
      { properties },
    );
  for (const name of ["store-1", "store-2"]) {
    registerConnectedCluster(dir, { resourceGroup: "rg-edge", name });
    put(name, "extensions", "flux", {
      extensionType: "microsoft.flux",
      autoUpgradeMinorVersion: true,
      releaseTrain: "Stable",
      scope: { cluster: { releaseNamespace: "flux-system" } },
      configurationSettings: {
        "multiTenancy.enforce": "true",
        "image-reflector-controller.enabled": "true",
        "helm-controller.detectDrift": "true",
      },
    });
    put(name, "fluxConfigurations", "retail", {
      scope: "cluster",
      namespace: "flux-system",
      sourceKind: "GitRepository",
      gitRepository: {
        url: "https://git.example.com/edge/retail.git",
        repositoryRef: { branch: "prod" },
        syncIntervalInSeconds: 120,
      },
      kustomizations: {
        infra: { path: "./infrastructure", prune: true },
        apps: {
          path: `./apps/${name}`,
          prune: true,
          wait: false,
          dependsOn: ["infra"],
          syncIntervalInSeconds: 3600,
          retryIntervalInSeconds: 90,
          postBuild: { substitute: { site: "0042" } },
        },
      },
    });
  }
  // As the portal and most guides have it: a namespace of its own, and names that another configuration has too.
  put("store-2", "fluxConfigurations", "edge-config", {
    scope: "cluster",
    namespace: "flux-workspace",
    sourceKind: "GitRepository",
    gitRepository: {
      url: "https://git.example.com/edge/retail.git",
      repositoryRef: { branch: "prod" },
    },
    kustomizations: {
      apps: { path: "./workspace", prune: true },
      bootstrap: {
        path: "./more",
        prune: true,
        dependsOn: ["apps"],
        postBuild: { substituteFrom: [{ kind: "ConfigMap", name: "settings" }] },
      },
    },
  });
  put("store-2", "fluxConfigurations", "platform", {
    scope: "cluster",
    namespace: "platform",
    sourceKind: "GitRepository",
    gitRepository: { url: "https://git.example.com/edge/platform.git", repositoryRef: { branch: "main" } },
    kustomizations: { all: { path: "./", prune: true } },
  });
});
afterAll(async () => {
  await azure.close();
  await rm(dir, { recursive: true });
});

/** What the agents make of a cluster's configurations, as its API lists it. */
function onCluster(cluster: string): FluxObjects {
  const arm = new Arm({ root: join(dir, "azure") });
  const id = { type: armTypes.connectedCluster, resourceGroup: "rg-edge", cluster, name: cluster };
  const made = arm.children(id, "fluxConfigurations").map((child) => {
    const properties = arm.get({ ...child, cluster })!["properties"] as Record<string, unknown>;
    const configuration = { name: child.name, operationId: "1", protectedKeys: [], properties };
    return renderConfiguration(configuration, { lockdown: true });
  });
  const plain = (objects: readonly object[]) => objects as FluxObjects["kustomizations"];
  return {
    kustomizations: plain(made.flatMap(({ kustomizations }) => kustomizations)),
    gitRepositories: plain(made.map(({ repository }) => repository)),
    ...{ takers: [], instances: [] },
  };
}

const run = (...args: string[]) => arcflux(args, dir, { env: { ARCFLUX_ARM_ENDPOINT: azure.url } });

describe("arcflux import --subscription", () => {
  it("takes every Flux configuration with the extension's settings, and what it writes validates", async () => {
    const { code, out, err } = await run(
      "import",
      "--subscription",
      subscriptionId,
      "--resource-group",
      "rg-edge",
    );
    expect(err.split("\n")[0]).toBe("2 clusters, 6 sets, no sources; 6 of 6 mean the same as before.");
    expect(code).toBe(0);
    const moved: Record<string, unknown> = {};
    const timing = { timeout: "10m", serviceAccountName: "flux-applier" };
    expect(parse(out)).toMatchObject({
      repository: { url: "https://git.example.com/edge/retail.git", branch: "prod" },
      arc: {
        subscription: subscriptionId,
        resourceGroup: "rg-edge",
        location: "westeurope",
        extension: {
          controllers: { "image-reflector-controller": true },
          settings: { "helm-controller.detectDrift": "true" },
        },
      },
      config: "edge-config-2",
      sets: { infra: { path: "./infrastructure", interval: "10m", prune: true, wait: true, ...timing } },
      clusters: {
        "store-1": {
          agents: "present",
          adopt: true,
          sets: {
            apps: {
              path: "./apps/store-1",
              interval: "1h",
              retryInterval: "90s",
              dependsOn: ["infra"],
              postBuild: { substitute: { site: "0042" } },
              ...timing,
            },
          },
        },
        "store-2": {
          sets: {
            "apps-retail": { path: "./apps/store-2", dependsOn: ["infra"] },
            "apps-edge-config": { path: "./workspace" },
            "bootstrap-edge-config": { path: "./more", dependsOn: ["apps-edge-config"] },
          },
        },
      },
    });
    expect(JSON.stringify(parse(out))).not.toMatch(/platform|"(namespace|sources?|sourceRef)"/);
    expect(err).toContain(
      "Flux configuration platform of store-2: is left out: it takes another repository than the fleet's",
    );
    expect(err).toContain(
      "Flux configuration retail of store-1: is written as sets infra, apps in flux-system: Azure's own",
    );
    expect(err).toContain(
      "Flux configuration edge-config of store-2: names ConfigMap settings of flux-workspace; put that into flux-system too",
    );
    expect(err).toMatch(
      /^Flux configurations retail of store-1, .*: deletes its Kustomizations with all that they applied/m,
    );
    expect(out).not.toContain("take platform: kubernetes out");
    await writeFile(join(dir, "fleet.yaml"), out);
    expect((await run("validate")).code).toBe(0);

    const { clusters, repository } = mustLoad(out);
    for (const cluster of clusters) {
      const access = await azureAccess({ ARCFLUX_ARM_ENDPOINT: azure.url });
      const inAzure = await readAzure(cluster, repository, access, AbortSignal.timeout(60_000));
      expect(inAzure).not.toHaveProperty("taken");
      const stock = stockOf(cluster, repository.url, onCluster(cluster.name), inAzure.others);
      expect([stock.leftBehind, stock.unknown]).toEqual([[], []]);
      expect(nextStep(stock, `${cluster.config}-bootstrap`, []).kind).toBe("letGo");
      moved[cluster.name] = Object.fromEntries(stock.sets.map(({ name, from }) => [name, from]));
    }
    expect(moved).toEqual({
      "store-1": { infra: "retail-infra", apps: "retail-apps" },
      "store-2": {
        infra: "retail-infra",
        "apps-retail": "retail-apps",
        "apps-edge-config": "flux-workspace/edge-config-apps",
        "bootstrap-edge-config": "flux-workspace/edge-config-bootstrap",
      },
    });
  }, 120_000);

  it("says where there is nothing, and what goes together", async () => {
    const none = await run("import", "--subscription", subscriptionId, "--resource-group", "rg-other");
    expect([none.code, none.out]).toEqual([2, ""]);
    expect(none.err).toContain(`subscription ${subscriptionId} has no cluster that could be taken`);
    const wrong = await run("import", "--subscription", "my sub", "--resource-group", "rg edge");
    expect([wrong.code, wrong.out, wrong.err]).toEqual([
      2,
      "",
      '--subscription "my sub" is not allowed; write a GUID, such as 11111111-2222-3333-4444-555555555555.\n' +
        '--resource-group "rg edge" is not allowed; a resource group has 1 to 90 letters, digits, -, _, ., ( and ), and no . last.\n',
    ]);
    const both = await run("import", "clusters", "--subscription", subscriptionId);
    expect([both.code, both.err]).toEqual([2, expect.stringContaining("--subscription; one of them")]);
  }, 120_000);
});
