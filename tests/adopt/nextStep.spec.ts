import { describe, expect, it } from "vitest";
import { commandsOf, nextStep, stockOf, whichFlux } from "../../adopt/index.ts";
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
  configurations: Parameters<typeof stockOf>[2] = [],
) {
  const stock = stockOf(
    cluster!,
    {
      kustomizations: kustomizations as never,
      gitRepositories: [source],
      takers: takers as never,
      instances: instances as never,
    },
    configurations,
  );
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
    expect(step).toMatchObject({ old: { goes: [{ source: "flux-system" }] } });
    const goes = (...args: Parameters<typeof stepOf>) => stepOf(...args).stock.goes[0];
    expect(goes([root(suspended, mark), ...taken, bootstrap, left])).not.toHaveProperty("source");
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
      expect(goes([...done, ...more], [], [], takers)).not.toHaveProperty("source");
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

describe("a cluster that flux-operator keeps", () => {
  const instance = (annotations: object = {}) => ({
    metadata: { name: "flux", namespace: "flux-system", annotations },
    spec: { sync: { kind: "GitRepository" } },
  });
  const paused = instance({ "fluxcd.controlplane.io/reconcile": "disabled" });

  it("lets go of the operator before the root, which it would put back, and hands back at the end", () => {
    const { step } = stepOf([root(suspended), ...old], [], [instance()]);
    expect(step).toMatchObject({ kind: "letGo", old: { instance: { name: "flux", isPaused: false } } });
    expect(commandsOf(step, { context: "edge-0", bootstrap: ours }).run[0]).toBe(
      "kubectl --context edge-0 -n flux-system annotate fluxinstance flux fluxcd.controlplane.io/reconcile=disabled --overwrite",
    );
    expect(stepOf([root(suspended), ...old], [], [paused]).step.kind).toBe("update");
    expect(stepOf([...taken, bootstrap], [], [paused]).step.kind).toBe("handBack");
    expect(stepOf([...taken, bootstrap], [], [{ ...paused, spec: {} }]).step.kind).toBe("done");
  });
});

describe("a cluster whose sets stand in a configuration of Azure, in flux-workspace", () => {
  const inWorkspace = (name: string, spec: object = {}, ids: readonly string[] = []) => {
    const made = kustomization(`workspace-${name}`, undefined, { path: `apps/${name}/`, ...spec });
    const labels = { "clusterconfig.azure.com/name": "workspace" };
    const inventory = { entries: ids.map((id) => ({ id, v: "v1" })) };
    return {
      ...made,
      metadata: { ...made.metadata, namespace: "flux-workspace", labels },
      status: { inventory },
    };
  };
  const configuration = (over: object = {}) => ({
    ...{ id: "/subscriptions/s", name: "workspace", namespace: "flux-workspace", suspended: false },
    ...{ kustomizations: ["pos", "web"], pruning: ["pos", "web"], ...over },
  });
  const letGo = configuration({ suspended: true, pruning: [] });
  const posId = "default_pos__ConfigMap";
  const both = (spec: object = {}) => [inWorkspace("pos", spec, [posId]), inWorkspace("web", spec)];
  const at = (
    objects: readonly object[],
    one: ReturnType<typeof configuration>,
    leave: readonly string[] = [],
  ) => stepOf(objects, leave, [], [], [one]);
  const applied = taken.map((one) => ({
    ...one,
    status: { inventory: { entries: [{ id: posId, v: "v1" }] } },
  }));

  it("is let go in Azure, waits for the cluster to hear of it, and gets the update", () => {
    expect(at(both(), configuration())).toMatchObject({
      step: { kind: "letGo" },
      stock: {
        sets: [
          { name: "pos", from: "flux-workspace/workspace-pos" },
          { from: "flux-workspace/workspace-web" },
        ],
      },
    });
    expect(at(both(), letGo).step).toMatchObject({
      kind: "wait",
      why: expect.stringContaining("has not heard from Azure") as string,
    });
    expect(at(both(suspended), letGo).step.kind).toBe("update");
  });

  it("keeps the old ones until the new sets apply all that they did", () => {
    const there = [...both(suspended), bootstrap];
    expect(at([...there, ...taken], letGo).step).toMatchObject({
      kind: "wait",
      why: expect.stringContaining("no set applies ConfigMap default/pos yet") as string,
    });
    expect(at([...there, ...applied], letGo).step.kind).toBe("remove");
    expect(at([...there, ...taken], letGo, ["ConfigMap default/pos"]).step.kind).toBe("remove");
    // Killed between the Kustomizations and Azure's record of them.
    expect(at([...applied, bootstrap], letGo).step.kind).toBe("remove");
  });

  it("is refused where a kustomization of the configuration is in no set, or has another path", () => {
    const reasons = (...args: Parameters<typeof at>) => (at(...args).step as { reasons?: string[] }).reasons;
    expect(
      reasons([...both(), inWorkspace("extra")], configuration(), ["flux-workspace/workspace-extra"]),
    ).toEqual([
      expect.stringContaining("Azure's configuration workspace has flux-workspace/workspace-extra too"),
    ]);
    expect(reasons([inWorkspace("pos", { path: "./other" }), inWorkspace("web")], configuration())).toEqual([
      expect.stringMatching(/^pos says something else .*\(path\)/),
    ]);
  });

  it("lets go of sets in Git too, which a kustomization of the configuration brings, and removes them first", () => {
    const child = (name: string, spec: object = {}) => {
      const made = kustomization(name, "workspace-bootstrap", spec);
      const labels = { ...made.metadata.labels, "kustomize.toolkit.fluxcd.io/namespace": "flux-workspace" };
      return { ...made, metadata: { ...made.metadata, namespace: "flux-workspace", labels } };
    };
    const top = (spec: object = {}) => inWorkspace("bootstrap", { path: "./clusters/edge-0", ...spec });
    const one = configuration({ kustomizations: ["bootstrap"], pruning: ["bootstrap"] });
    const now = at([top(), child("pos"), child("web")], one);
    expect(now).toMatchObject({
      step: { kind: "letGo" },
      stock: { sets: [{ from: "flux-workspace/pos" }, {}] },
    });
    expect(commandsOf(now.step, { context: "edge-0", bootstrap: ours }).run.at(-1)).toBe(
      `kubectl --context edge-0 -n flux-workspace patch kustomization web --type=merge -p '{"spec":{"suspend":true,"prune":false}}'`,
    );
    expect(now.stock.goes.map(({ name }) => name)).toEqual(["pos", "web", "workspace-bootstrap"]);
    expect(at([top(suspended), child("pos", suspended), child("web")], letGo).step.kind).toBe("letGo");
    expect(at([top(suspended), child("pos", suspended), child("web", suspended)], letGo).step.kind).toBe(
      "update",
    );
    const strange = child("extra");
    expect(
      (at([top(), child("pos"), child("web"), strange], one).step as { reasons?: string[] }).reasons,
    ).toEqual([expect.stringContaining("applies flux-workspace/extra too")]);
  });

  it("prints az commands that do the same by hand, and take it back", () => {
    const by = { context: "edge-0", bootstrap: ours, arc: { name: "edge-0", resourceGroup: "rg" } };
    const { run, undo } = commandsOf(at(both(), configuration({ pruning: ["pos"] })).step, by);
    const of = "-g rg -c edge-0 -t connectedClusters -n workspace";
    expect(run).toEqual([
      `az k8s-configuration flux update ${of} --suspend true`,
      `az k8s-configuration flux kustomization update ${of} -k pos --prune false`,
    ]);
    expect(undo).toEqual([
      `az k8s-configuration flux kustomization update ${of} -k pos --prune true`,
      `az k8s-configuration flux update ${of} --suspend false`,
    ]);
  });
});

describe("which Flux runs there", () => {
  const deployments = (...names: readonly string[]) => names.map((name) => ({ metadata: { name } }));
  const seen = (...names: readonly string[]) => ({ controllers: deployments(...names), instances: [] });
  const onArc = { name: "edge-0", platform: "arc", config: "edge-config" } as const;

  it("is Azure's on Arc, and what is not cannot be handed over", () => {
    const azure = (hasExtension: boolean) => ({ azure: { hasExtension, others: [] } });
    expect(whichFlux(onArc, { ...seen("kustomize-controller"), ...azure(true) })).toEqual({
      by: "extension",
    });
    expect(whichFlux(onArc, { ...seen(), ...azure(false) })).toEqual({ by: "nobody" });
    expect(whichFlux(onArc, { ...seen("kustomize-controller"), ...azure(false) }).refused).toMatch(
      /controllers are those of flux bootstrap.*Microsoft documents no handover/,
    );
    const taken = { azure: { hasExtension: true, others: [], taken: "flux-workspace" } };
    expect(whichFlux(onArc, { ...seen(), ...taken }).refused).toContain(
      "Write another `config` in the fleet file.",
    );
  });

  it("stays on Kubernetes, unless it is the extension's", () => {
    const plain = { ...onArc, platform: "kubernetes" } as const;
    expect(whichFlux(plain, seen("kustomize-controller"))).toEqual({ by: "flux bootstrap" });
    expect(whichFlux(plain, { ...seen("kustomize-controller"), instances: [{}] })).toEqual({
      by: "flux-operator",
    });
    expect(whichFlux(plain, seen("kustomize-controller", "fluxconfig-agent")).refused).toContain(
      "Write platform: arc",
    );
  });
});
