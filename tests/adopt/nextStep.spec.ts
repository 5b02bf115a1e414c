import { describe, expect, it } from "vitest";
import { commandsOf, nextStep, stockOf } from "../../adopt/index.ts";
import { mustLoad } from "../fleet/fixture.ts";

const [cluster] = mustLoad(`apiVersion: arcflux/v1
repository: { url: https://git.example.com/edge/fleet.git }
platform: kubernetes
defaults: { retryInterval: null, timeout: null, wait: null }
clusters: { edge-0: { sets: { pos: { path: ./apps/pos }, web: { path: ./apps/web } } } }
`).clusters;

const ours = "edge-config-bootstrap";

function kustomization(name: string, owner: string | undefined, spec: object = {}, more: object = {}) {
  return {
    metadata: {
      name,
      namespace: "flux-system",
      labels: owner === undefined ? {} : { "kustomize.toolkit.fluxcd.io/name": owner },
      ...more,
    },
    spec: {
      interval: "10m",
      prune: true,
      path: `./apps/${name}`,
      sourceRef: { kind: "GitRepository", name: "flux-system" },
      ...spec,
    },
    status: { conditions: [{ type: "Ready", status: "True" }] },
  };
}
const root = (spec: object = {}, more: object = {}) =>
  kustomization("flux-system", "flux-system", { path: "./clusters/a", ...spec }, more);
const source = { metadata: { name: "flux-system", namespace: "flux-system" } };
const bootstrap = kustomization(ours, undefined, {
  sourceRef: { kind: "GitRepository", name: "edge-config" },
});

function stepOf(
  kustomizations: readonly object[],
  leave: readonly string[] = [],
  instances: readonly object[] = [],
  takers: readonly object[] = [],
) {
  const stock = stockOf(cluster!, {
    kustomizations: kustomizations as never,
    gitRepositories: [source],
    takers: takers as never,
    instances: instances as never,
  });
  return { stock, step: nextStep(stock, ours, leave) };
}

const old = [kustomization("pos", "flux-system"), kustomization("web", "flux-system")];
const taken = ["pos", "web"].map((name) =>
  kustomization(name, ours, { sourceRef: { kind: "GitRepository", name: "edge-config" } }),
);
const suspended = { suspend: true, prune: false };
const mark = { annotations: { "arcflux.io/adopted-by": ours } };

describe("the next step of adopting a cluster", () => {
  it.each([
    ["lets go of the root first", [root(), ...old], { kind: "letGo" }],
    ["also where an update came before", [root(), ...taken, bootstrap], { kind: "letGo" }],
    ["also where only half of it was done", [root({ suspend: true }), ...old], { kind: "letGo" }],
    [
      "also where the root says Delete itself",
      [root({ ...suspended, deletionPolicy: "Delete" }), ...old],
      { kind: "letGo" },
    ],
    ["is the update then", [root(suspended), ...old], { kind: "update" }],
    [
      "waits until all is taken",
      [root(suspended, mark), old[0]!, taken[1]!, bootstrap],
      { kind: "wait", why: `${ours} does not own pos yet` },
    ],
    ["removes the root with its source", [root(suspended, mark), ...taken, bootstrap], { kind: "remove" }],
    ["is nothing at the end", [...taken, bootstrap], { kind: "done" }],
    ["is the update where nothing is there", [], { kind: "update" }],
  ])("%s", (_, objects, wanted) => {
    expect(stepOf(objects).step).toMatchObject(wanted);
  });

  it("takes the source along only where nothing else needs it", () => {
    const left = kustomization("extra", undefined);
    const { step } = stepOf([root(suspended, mark), ...taken, bootstrap]);
    expect(step).toMatchObject({ root: { source: "flux-system" } });
    const used = stepOf([root(suspended, mark), ...taken, bootstrap, left]).step as { root: object };
    expect(used.root).not.toHaveProperty("source");
    const done = [root(suspended, mark), ...taken, bootstrap];
    const elsewhere = { ...left, metadata: { name: "apps", namespace: "team-a" } };
    elsewhere.spec = {
      ...elsewhere.spec,
      sourceRef: { ...elsewhere.spec.sourceRef, namespace: "flux-system" } as never,
    };
    const release = {
      spec: { chart: { spec: { sourceRef: { kind: "GitRepository", name: "flux-system" } } } },
    };
    for (const [more, takers] of [
      [[elsewhere], []],
      [[], [release]],
    ] as const)
      expect((stepOf([...done, ...more], [], [], takers).step as { root: object }).root).not.toHaveProperty(
        "source",
      );
  });

  it("is refused where something would lose its owner, be made anew, or come back", () => {
    const extra = kustomization("extra", "flux-system");
    const far = kustomization("far", "flux-system", {}, { namespace: "team-a" });
    expect((stepOf([root(), ...old, far]).step as { reasons?: string[] }).reasons).toEqual([
      expect.stringContaining("applies team-a/far too"),
    ]);
    const reasonsOf = (...args: Parameters<typeof stepOf>) =>
      (stepOf(...args).step as { reasons?: string[] }).reasons;
    expect(reasonsOf([root(), ...old, extra])).toEqual([expect.stringContaining("applies extra too")]);
    expect(stepOf([root(), ...old, extra], ["extra"]).step.kind).toBe("letGo");
    expect(reasonsOf([root(), kustomization("pos", "flux-system", { path: "./other" }), old[1]!])).toEqual([
      expect.stringMatching(/^pos says something else .*\(path\)/),
    ]);
    expect(reasonsOf([root(), ...old], [], [{}])).toEqual([expect.stringContaining("flux-operator")]);
  });

  it("prints commands that do the same by hand, and what takes each back", () => {
    const at = { context: "edge-0", bootstrap: ours };
    const { run, undo } = commandsOf(stepOf([root({ deletionPolicy: "Delete" }), ...old]).step, at);
    expect(run).toEqual([
      `kubectl --context edge-0 -n flux-system patch kustomization flux-system --type=merge -p '{"spec":{"suspend":true,"prune":false,"deletionPolicy":"Orphan"}}'`,
    ]);
    expect(undo).toEqual([
      `kubectl --context edge-0 -n flux-system patch kustomization flux-system --type=merge -p '{"spec":{"suspend":null,"prune":true,"deletionPolicy":"Delete"}}'`,
    ]);
  });

  it("names what the root applies itself, and nothing of Flux", () => {
    const ids = [
      "flux-system_settings__ConfigMap",
      "_flux-system__Namespace",
      "flux-system_source-controller_apps_Deployment",
      "flux-system_pos_kustomize.toolkit.fluxcd.io_Kustomization",
      "flux-system_shop_helm.toolkit.fluxcd.io_HelmRelease",
      "flux-system_flux-system_source.toolkit.fluxcd.io_GitRepository",
      "_crd-controller-flux-system_rbac.authorization.k8s.io_ClusterRole",
    ];
    const whole = { ...root(), status: { inventory: { entries: ids.map((id) => ({ id, v: "v1" })) } } };
    expect(stepOf([whole, ...old]).stock.alone).toEqual([
      "ConfigMap flux-system/settings",
      "HelmRelease flux-system/shop",
    ]);
  });
});
