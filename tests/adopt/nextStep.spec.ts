import { describe, expect, it } from "vitest";
import { argumentsOf, commandsOf, nextStep, stockOf, whichFlux } from "../../adopt/index.ts";
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
const url = "https://git.example.com/edge/fleet.git";
const gitRepository = (name: string, namespace = "flux-system", of = url) => ({
  metadata: { name, namespace },
  spec: { url: of },
});
const sources = [gitRepository("flux-system"), gitRepository("edge-config")];
const bootstrap = kustomization(ours, undefined, {
  sourceRef: { kind: "GitRepository", name: "edge-config" },
});

function stepOf(
  kustomizations: readonly object[],
  leave: readonly string[] = [],
  instances: readonly object[] = [],
  takers: readonly object[] = [],
  configurations: Parameters<typeof stockOf>[3] = [],
  {
    gitRepositories = sources,
    of = cluster!,
  }: { gitRepositories?: typeof sources; of?: typeof cluster } = {},
) {
  const stock = stockOf(
    of,
    url,
    {
      kustomizations: kustomizations as never,
      gitRepositories,
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
    expect(step).toMatchObject({
      old: { goes: [{ source: { namespace: "flux-system", name: "flux-system" } }] },
    });
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

  it("looks for a root and its source where they are, in whatever namespace", () => {
    const elsewhere = (name: string, owner: string, spec: object = {}) => {
      const labels = {
        "kustomize.toolkit.fluxcd.io/name": owner,
        "kustomize.toolkit.fluxcd.io/namespace": "gitops",
      };
      return kustomization(name, owner, spec, { namespace: "gitops", labels });
    };
    const sourceRef = { kind: "GitRepository", name: "fleet" };
    const top = (more: object = {}) =>
      elsewhere("fleet", "fleet", { path: "./clusters/a", sourceRef, ...more });
    const goesWith = (gitRepositories: typeof sources, spec: object = {}) =>
      stepOf([top(spec)], [], [], [], [], { gitRepositories }).stock.goes[0]?.source;
    expect(goesWith([gitRepository("fleet", "gitops")])).toEqual({ namespace: "gitops", name: "fleet" });
    const named = { sourceRef: { ...sourceRef, namespace: "sources" } };
    const there = [
      gitRepository("fleet", "gitops", "https://git.example.com/other.git"),
      gitRepository("fleet", "sources"),
    ];
    expect(goesWith(there, named)).toEqual({ namespace: "sources", name: "fleet" });
    const { step } = stepOf([top({ ...suspended, ...named }), ...taken, bootstrap], [], [], [], [], {
      gitRepositories: there,
    });
    const { run } = commandsOf(step, { context: "edge-0", bootstrap: ours, windows: [] });
    expect(run).toEqual([
      "kubectl --context edge-0 -n sources delete gitrepository fleet",
      "kubectl --context edge-0 -n gitops delete kustomization fleet",
    ]);
  });

  it("takes a set in a namespace of its own for the one that is there", () => {
    const of = { ...cluster!, sets: cluster!.sets.map((set) => ({ ...set, namespace: "apps" })) };
    const there = [...old, ...taken].map((one) => ({
      ...one,
      metadata: { ...one.metadata, namespace: "apps" },
    }));
    const at = (...objects: readonly object[]) => stepOf(objects, [], [], [], [], { of });
    expect(at(root(), ...there.slice(0, 2))).toMatchObject({
      step: { kind: "letGo" },
      stock: { leftBehind: [], sets: [{ isThere: true, owner: "flux-system" }, { isThere: true }] },
    });
    expect(at(root({ ...suspended }, mark), ...there.slice(2), bootstrap).step.kind).toBe("remove");
    expect(at(...there.slice(2), bootstrap).step.kind).toBe("done");
  });

  it("leaves the windows of the fleet file alone, and what another team applies from its own repository", () => {
    const of = { ...cluster!, sets: cluster!.sets.map((set) => ({ ...set, window: "nightly" })) };
    const window = kustomization("window-nightly", ours);
    const inWindow = ["pos", "web"].map((name) => kustomization(name, "window-nightly"));
    expect(stepOf([bootstrap, window, ...inWindow], [], [], [], [], { of }).step.kind).toBe("done");
    const sourceRef = { kind: "GitRepository", name: "team" };
    const team = kustomization("team", "team", { path: "./", sourceRef });
    const gitRepositories = [
      ...sources,
      gitRepository("team", "flux-system", "https://git.example.com/team.git"),
    ];
    expect(stepOf([...taken, bootstrap, team], [], [], [], [], { gitRepositories }).step.kind).toBe("done");
    expect(stepOf([root(), ...old, team], [], [], [], [], { gitRepositories }).stock.goes).toHaveLength(1);
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
      expect.stringMatching(/^pos: .* differ in path,/),
    ]);
  });

  it("prints commands that do the same by hand, and what takes each back", () => {
    const at = { context: "edge-0", bootstrap: ours, windows: [] };
    const { run, undo } = commandsOf(stepOf([root({ deletionPolicy: "Delete" }), ...old]).step, at);
    expect(run).toEqual([
      `kubectl --context edge-0 -n flux-system patch kustomization flux-system --type=merge -p '{"metadata":{"annotations":{"arcflux.io/adopted-by":"${ours}"}},"spec":{"suspend":true,"prune":false,"deletionPolicy":"Orphan"}}'`,
    ]);
    expect(undo).toEqual([
      `kubectl --context edge-0 -n flux-system patch kustomization flux-system --type=merge -p '{"metadata":{"annotations":{"arcflux.io/adopted-by":null}},"spec":{"suspend":null,"prune":true,"deletionPolicy":"Delete"}}'`,
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
    expect(commandsOf(step, { context: "edge-0", bootstrap: ours, windows: [] }).run[0]).toBe(
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
    ...{ kustomizations: ["pos", "web"], pruning: ["pos", "web"], anew: ["--suspend true"], ...over },
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

  it("is made anew by az as it was, and suspended", () => {
    expect(
      argumentsOf({
        namespace: "flux-workspace",
        gitRepository: { url, repositoryRef: { branch: "main" } },
        kustomizations: {
          infra: { path: "./infra", prune: true },
          pos: { path: "./my apps", dependsOn: ["infra"] },
        },
      }),
    ).toEqual([
      `--namespace flux-workspace --scope cluster --url ${url}`,
      "--branch main",
      "--suspend true",
      "--kustomization name=infra path=./infra prune=false",
      "--kustomization name=pos path='./my apps' prune=false depends_on=infra",
    ]);
  });

  it("is refused where a set is the very Kustomization that the configuration makes, and deletes when it goes", () => {
    const of = {
      ...cluster!,
      sets: cluster!.sets.map((set) => ({
        ...set,
        name: `workspace-${set.name}`,
        namespace: "flux-workspace",
      })),
    };
    const { step } = stepOf(both(), [], [], [], [configuration()], { of });
    expect((step as { reasons?: string[] }).reasons).toEqual([
      expect.stringMatching(
        /^Azure's configuration workspace makes workspace-pos, workspace-web itself, .* such as pos, without namespace;/,
      ),
    ]);
  });

  it("is refused where a kustomization of the configuration is in no set, or has another path", () => {
    const reasons = (...args: Parameters<typeof at>) => (at(...args).step as { reasons?: string[] }).reasons;
    expect(
      reasons([...both(), inWorkspace("extra")], configuration(), ["flux-workspace/workspace-extra"]),
    ).toEqual([
      expect.stringContaining("Azure's configuration workspace has flux-workspace/workspace-extra too"),
    ]);
    expect(reasons([inWorkspace("pos", { path: "./other" }), inWorkspace("web")], configuration())).toEqual([
      expect.stringMatching(/^pos: .* differ in path,/),
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
    expect(commandsOf(now.step, { context: "edge-0", bootstrap: ours, windows: [] }).run.at(-1)).toBe(
      `kubectl --context edge-0 -n flux-workspace patch kustomization web --type=merge -p '{"metadata":{"annotations":{"arcflux.io/adopted-by":"${ours}"}},"spec":{"suspend":true,"prune":false}}'`,
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
    const arc = { name: "edge-0", resourceGroup: "rg" };
    const by = { context: "edge-0", bootstrap: ours, windows: ["nightly"], arc };
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
    const there = [...both(suspended), ...applied, bootstrap];
    expect(commandsOf(at(there, letGo).step, by)).toEqual({
      run: [`az k8s-configuration flux delete ${of} --yes`],
      undo: [`az k8s-configuration flux create ${of} --suspend true   # with the credentials that it had`],
    });
    expect(commandsOf({ kind: "update" }, by).undo.slice(2)).toEqual([
      `az k8s-configuration flux delete ${of.replace("workspace", "edge-config")} --yes`,
      `kubectl --context edge-0 -n flux-system patch kustomization window-nightly --type=merge -p '{"spec":{"suspend":true,"prune":false}}'`,
      "kubectl --context edge-0 -n flux-system delete kustomization window-nightly",
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
