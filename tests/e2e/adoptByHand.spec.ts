import { afterAll, beforeAll, expect, it } from "vitest";
import { stringify } from "yaml";

import { asObject, type Json } from "../../lab/azure/json.ts";
import { type KubernetesObject, refOf } from "../../lab/cluster/clusterApi.ts";
import { startFluxOperator } from "../../lab/cluster/startFluxOperator.ts";
import { LabStack, projectRoot } from "../../lab/stack.ts";
import { findClusterTools } from "../../lab/tools/find.ts";
import { again, walkByHand, workloads } from "../support/adoption.ts";
import {
  type ClusterLab,
  configMap,
  deployment,
  OnCluster,
  runPods,
  startClusterLab,
} from "../support/clusterLab.ts";
import { arcflux } from "../cli/process.ts";

/*
 * Clusters as flux-operator and people with kubectl leave them, with real Flux, brought to a new bootstrap by the text of the
 * plan alone: each command that `arcflux adopt --dry-run` prints goes to a shell as it stands there. flux-operator is the real
 * one.
 */

const operated = "edge-operated";
const plain = "edge-plain";
const namespace = "flux-system";

let test: ClusterLab;
beforeAll(async () => {
  test = await startClusterLab([{ name: operated }, { name: plain }]);
});
afterAll(() => test.stop());

function kustomization(set: string, source: string): KubernetesObject {
  return {
    apiVersion: "kustomize.toolkit.fluxcd.io/v1",
    kind: "Kustomization",
    metadata: { name: set, namespace },
    spec: {
      ...{ interval: "5m", retryInterval: "2s", timeout: "1m", prune: true, path: `./${set}` },
      sourceRef: { kind: "GitRepository", name: source },
    },
  };
}

function instance(path: string): KubernetesObject {
  const sync = {
    kind: "GitRepository",
    url: test.env["ARCFLUX_REPOSITORY_URL"]!,
    ref: "refs/heads/main",
    path,
  };
  return {
    apiVersion: "fluxcd.controlplane.io/v1",
    kind: "FluxInstance",
    metadata: { name: "flux", namespace },
    spec: {
      distribution: { version: "2.9.x", registry: "ghcr.io/fluxcd" },
      components: ["source-controller", "kustomize-controller"],
      // Its Deployments never run here.
      wait: false,
      sync,
    },
  };
}

/** Two sets of a cluster in the repository, of a ConfigMap and a Deployment with its Pods. */
const sets = (cluster: string): Record<string, string> => ({
  ...configMap(`${cluster}-settings`, "settings", { of: cluster }),
  [`${cluster}-web/web.yaml`]: deployment,
});

/** A stack of what import makes of a cluster as it runs. */
async function imported(on: OnCluster): Promise<LabStack> {
  const { out, err } = await arcflux(["import", "--context", on.name], test.lab.dir, { env: test.env });
  expect(err).toContain("mean the same as before");
  const url = test.env["ARCFLUX_REPOSITORY_URL"]!;
  const fleet = out
    .replace(/^ {2}url: .*$/m, `  url: ${url}`)
    .replace(`${on.name}:\n`, `${on.name}:\n    kubeconfig: { context: ${on.name} }\n`);
  return LabStack.init(test.lab, on.name, fleet);
}

it("keeps every workload of flux-operator's root, and gives the operator back without it", async () => {
  const on = new OnCluster(test, operated);
  const folder = `clusters/${operated}`;
  await test.person.commit("As flux-operator syncs it", {
    ...sets(operated),
    [`${folder}/settings.yaml`]: stringify(kustomization(`${operated}-settings`, "flux-system")),
    [`${folder}/web.yaml`]: stringify(kustomization(`${operated}-web`, "flux-system")),
  });
  const { fluxOperator } = findClusterTools(projectRoot, process.env);
  if (fluxOperator === undefined) throw new Error("Run npm run setup -- --cluster --flux-operator first.");
  const home = test.kubernetes.clusters.find(({ name }) => name === operated)!;
  const operator = await startFluxOperator(home, fluxOperator, test.env);
  await on.api.apply(instance(`./${folder}`));
  try {
    await runPods(on, "web");
    const before = await on.until("both sets", async () => {
      const found = await workloads(on);
      return "ConfigMap default/settings" in found && found;
    });
    expect(Object.keys(before).join(" ")).toMatch(/Deployment default\/web.*Pod default\/web-/);

    const stack = await imported(on);
    const done = await walkByHand(test, stack, on, async () => {
      expect(await again(on, before)).toEqual(before);
    });
    expect(done).toEqual([
      "kubectl -n flux-system annotate fluxinstance flux fluxcd.controlplane.io/reconcile=disabled --overwrite",
      expect.stringContaining("kubectl -n flux-system patch kustomization flux-system"),
      "pulumi up",
      "kubectl -n flux-system delete gitrepository flux-system",
      "kubectl -n flux-system delete kustomization flux-system",
      expect.stringContaining(
        `patch fluxinstance flux --type=json -p '[{"op":"remove","path":"/spec/sync"}]'`,
      ),
      "kubectl -n flux-system annotate fluxinstance flux fluxcd.controlplane.io/reconcile=enabled --overwrite",
    ]);
    // The operator works on, and makes no root any more.
    await on.until("the operator has looked at what it is now", async () => {
      const found = await on.api.read(refOf(instance("")));
      const { generation } = asObject(found?.metadata);
      const conditions = (asObject(found?.["status"])["conditions"] ?? []) as Json[];
      const ready = conditions.find(({ type }) => type === "Ready");
      return ready?.["status"] === "True" && ready["observedGeneration"] === generation;
    });
    expect(await on.kustomization("flux-system")).toBeUndefined();
    expect(operator.failure()).toBeUndefined();
  } finally {
    await operator.stop();
  }
  expect((await on.kustomization(`${operated}-web`))?.metadata.labels).toMatchObject({
    "kustomize.toolkit.fluxcd.io/name": "edge-config-bootstrap",
  });
});

it("keeps every workload of Kustomizations that somebody applied by hand", async () => {
  const on = new OnCluster(test, plain);
  await test.person.commit("As people apply it", sets(plain));
  const url = test.env["ARCFLUX_REPOSITORY_URL"]!;
  await on.api.apply({
    apiVersion: "source.toolkit.fluxcd.io/v1",
    kind: "GitRepository",
    metadata: { name: "apps", namespace },
    spec: { interval: "1m", url, ref: { branch: "main" } },
  });
  for (const set of ["settings", "web"]) await on.api.apply(kustomization(`${plain}-${set}`, "apps"));
  await runPods(on, "web");
  const before = await on.until("both sets", async () => {
    const found = await workloads(on);
    return "ConfigMap default/settings" in found && found;
  });
  expect(Object.keys(before).join(" ")).toMatch(/Deployment default\/web.*Pod default\/web-/);

  const done = await walkByHand(test, await imported(on), on);
  expect(done).toEqual(["pulumi up"]);
  expect(await again(on, before)).toEqual(before);
});
