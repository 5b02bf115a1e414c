import { describe, expect, it } from "vitest";
import type { Cluster } from "../../fleet/model.ts";
import { loadFleet } from "../../fleet/load.ts";
import { azureObject, fluxObject, type FluxObject } from "../../status/fluxObject.ts";
import { historyOf } from "../../status/history.ts";
import { idleNotes } from "../../status/judge/idleNotes.ts";
import { judgeCluster } from "../../status/judge/judgeCluster.ts";
import { explainedReasons } from "../../status/judge/meaning.ts";
import type { ClusterState, Wanted, Word } from "../../status/index.ts";

/* Objects in, words out: the objects are what the controllers of Flux 2.7 and 2.9 leave in the API. */

const old = "a".repeat(40);
const tip = "b".repeat(40);
const history = historyOf(
  new Map([
    [old, { parents: [], time: 1 }],
    [tip, { parents: [old], time: 2 }],
  ]),
);
const now = new Date("2026-11-28T12:00:00Z");
const url = "https://git.example.com/edge/fleet.git";

const { fleet, findings } = loadFleet(
  `apiVersion: arcflux/v1
repository: { url: ${url} }
arc: { resourceGroup: rg-edge, location: westeurope }
windows: { nightly: { open: "0 1 * * *", close: "0 4 * * *" } }
sources: { infrastructure: { kind: GitRepository, url: self } }
sets: { infrastructure: { path: ./infrastructure, source: infrastructure } }
stages: { prod: { branch: prod, pins: { infrastructure: { tag: v0.1.0 } } } }
clusters:
  edge:
    agents: present
    sets:
      pos: { path: ./apps/pos }
      web: { path: ./apps/web, dependsOn: [pos] }
      held: { path: ./apps/held, suspend: { reason: INC-4711, until: 2026-12-24 } }
      night: { path: ./apps/night, window: nightly }
  blue: { agents: present, idle: true, sets: { pos: { path: ./apps/pos }, base: { path: ./base, idle: false } } }
  still: { agents: present, suspend: { reason: fair, until: 2026-12-27 }, sets: { pos: { path: ./apps/pos } } }
  store: { agents: present, stage: prod, sets: { infrastructure: {}, pos: { path: ./apps/pos } } }
`,
  "fleet.yaml",
);
const clusterOf = (name: string): Cluster => {
  const found = fleet?.clusters.find((cluster) => cluster.name === name);
  if (found === undefined) throw new Error(findings.map(({ message }) => message).join("\n"));
  return found;
};

interface Shape {
  kind?: string;
  at?: string;
  ready?: [status: string, reason: string, message?: string];
  suspendedBy?: string;
  spec?: object;
  generation?: number;
}

/** An object as the API returns it. */
function object(
  name: string,
  { kind = "Kustomization", at = tip, ready, suspendedBy, spec, generation = 3 }: Shape = {},
): FluxObject {
  const [status, reason, message = ""] = ready ?? [
    "True",
    "ReconciliationSucceeded",
    `Applied revision: main@sha1:${at}`,
  ];
  const revision =
    kind === "Kustomization"
      ? { lastAppliedRevision: `main@sha1:${at}` }
      : { artifact: { revision: `main@sha1:${at}` } };
  return fluxObject(
    {
      metadata: {
        ...{ name, namespace: "flux-system", generation },
        managedFields:
          suspendedBy === undefined
            ? []
            : [
                {
                  manager: "kustomize-controller",
                  time: "2026-11-28T10:00:00Z",
                  fieldsV1: { "f:spec": { "f:path": {} } },
                },
                {
                  manager: suspendedBy,
                  time: "2026-11-28T11:00:00Z",
                  fieldsV1: { "f:spec": { "f:suspend": {} } },
                },
              ],
      },
      spec: { ...spec, ...(suspendedBy !== undefined && { suspend: true }) },
      status: {
        ...revision,
        conditions: [
          {
            type: "Ready",
            status,
            reason,
            message,
            lastTransitionTime: "2026-11-28T11:30:00Z",
            observedGeneration: 3,
          },
        ],
      },
    },
    kind,
  );
}

const bootstrapSpec = {
  path: "./clusters/edge/flux",
  ...{ interval: "10m0s", retryInterval: "2m0s", timeout: "5m0s", prune: true },
  sourceRef: { kind: "GitRepository", name: "edge-config" },
};
const repositorySpec = { url, ref: { branch: "main" }, interval: "10m0s", timeout: "5m0s" };

/** A cluster on which everything is as it should be. */
function good(): Record<string, FluxObject> {
  return {
    "edge-config": object("edge-config", {
      kind: "GitRepository",
      spec: repositorySpec,
      ready: ["True", "Succeeded"],
    }),
    "edge-config-bootstrap": object("edge-config-bootstrap", { spec: bootstrapSpec }),
    "window-nightly": object("window-nightly", { kind: "GitRepository", suspendedBy: "kubectl-patch" }),
    pos: object("pos"),
    web: object("web"),
    held: object("held", { suspendedBy: "kustomize-controller" }),
    night: object("night"),
  };
}

const wanted: Wanted = {
  branch: "main",
  commit: tip,
  committedAt: "2026-11-28T09:00:00Z",
  pins: {},
  sets: ["pos", "web", "held", "night"],
};

function judge(
  change: Record<string, FluxObject | undefined>,
  wants: Partial<Wanted> = {},
  name = "edge",
): ClusterState {
  const objects = Object.values({ ...good(), ...change }).flatMap((each) => each ?? []);
  const context = { history, now, committedTo: "main", url };
  return judgeCluster(
    clusterOf(name),
    { ...wanted, ...wants },
    { source: "cluster", asOf: now.toISOString(), objects },
    context,
  );
}
const wordOf = (state: ClusterState, set: string): Word | undefined =>
  state.sets.find(({ name }) => name === set)?.word;
const reasonOf = (state: ClusterState, set: string): string | undefined =>
  state.sets.find(({ name }) => name === set)?.reason;

describe("a cluster where all is as it should be", () => {
  const state = judge({});
  it("is ready, but for what somebody suspended", () => {
    expect(state.sets.map(({ name, word }) => `${name}: ${word}`)).toEqual([
      "held: suspended",
      "night: ready",
      "pos: ready",
      "web: ready",
    ]);
    expect(state).toMatchObject({ word: "suspended", runs: { bootstrap: `main@sha1:${tip}` }, notes: [] });
    expect(reasonOf(state, "held")).toBe("suspended in the fleet file: INC-4711, until 2026-12-24");
  });
});

describe("a cluster that the fleet file suspends", () => {
  const shut = {
    "edge-config": object("edge-config", {
      kind: "GitRepository",
      at: old,
      suspendedBy: "arc",
      spec: repositorySpec,
    }),
    "edge-config-bootstrap": object("edge-config-bootstrap", {
      at: old,
      suspendedBy: "arc",
      spec: { ...bootstrapSpec, path: "./clusters/still/flux" },
    }),
  };
  const says = "suspended in the fleet file: fair, until 2026-12-27";
  it("is suspended and no alarm, though its sets are behind", () => {
    const state = judge({ ...shut, pos: object("pos", { at: old }) }, {}, "still");
    expect(state).toMatchObject({ word: "suspended", notes: [] });
    expect(state.sets).toMatchObject([{ name: "pos", word: "suspended", reason: says }]);
    expect(state.others.map(({ word, next }) => [word, next])).toEqual([
      ["suspended", undefined],
      ["suspended", undefined],
    ]);
  });
  it("still fails where a set fails", () => {
    const pos = object("pos", { at: old, ready: ["False", "HealthCheckFailed", "x"] });
    expect(judge({ ...shut, pos }, {}, "still").word).toBe("failing");
  });
  it("says that it is on its way while the bootstrap is not suspended", () => {
    const state = judge({ pos: object("pos", { at: old }) }, {}, "still");
    expect(state.word).toBe("behind");
    expect(state.notes.map(({ text }) => text)).toContain(`${says}; the bootstrap is not suspended yet`);
  });
});

describe("an idle cluster", () => {
  const patches = clusterOf("blue").sets.find(({ name }) => name === "pos")?.spec["patches"];
  const stopped = object("pos", { spec: { patches } });
  const path = "./clusters/blue/flux";
  const bootstrap = object("edge-config-bootstrap", { spec: { ...bootstrapSpec, path } });
  const blue = { "edge-config-bootstrap": bootstrap, base: object("base") };
  const texts = (state: ClusterState) => state.notes.map(({ text }) => text);

  it("is called so, and has nothing to tell once its sets are, but those that go on", () => {
    const state = judge({ ...blue, pos: stopped }, { sets: ["pos", "base"] }, "blue");
    expect([state.word, state.idle, texts(state)]).toEqual(["ready", true, []]);
  });
  it("has its sets outside flux-system looked at too", () => {
    const own = clusterOf("blue");
    const sets = own.sets.map((set) => (set.name === "pos" ? { ...set, namespace: "apps" } : set));
    const running = { ...object("pos", { spec: {} }), namespace: "apps" };
    const tell = (pos: FluxObject) => idleNotes({ ...own, sets }, [pos]).map(({ text }) => text);
    expect(tell(running)).toEqual(["idle in the fleet file, not on the cluster yet: pos"]);
    expect(tell({ ...stopped, namespace: "apps" })).toEqual([]);
  });
  it("says which sets still run, and an active one which are stopped", () => {
    const state = judge(blue, { sets: ["pos", "base"] }, "blue");
    expect(texts(state)).toEqual(["idle in the fleet file, not on the cluster yet: pos"]);
    const active = judge({ pos: stopped });
    expect([active.idle, texts(active)]).toEqual([
      undefined,
      ["idle on the cluster, no longer in the fleet file: pos"],
    ]);
  });
});

describe("a set", () => {
  const failed = (reason: string, message = "x"): Shape => ({ at: old, ready: ["False", reason, message] });
  it.each<
    [
      what: string,
      set: string,
      change: Record<string, FluxObject | undefined>,
      word: Word,
      wants?: Partial<Wanted>,
    ]
  >([
    [
      "whose folder is missing",
      "pos",
      {
        pos: object(
          "pos",
          failed(
            "ArtifactFailed",
            "kustomization path not found: stat /tmp/x/apps/pos: no such file or directory",
          ),
        ),
      },
      "failing",
    ],
    ["that kustomize cannot build", "pos", { pos: object("pos", failed("BuildFailed")) }, "failing"],
    [
      "whose health check fails",
      "pos",
      {
        pos: object(
          "pos",
          failed("HealthCheckFailed", "timeout waiting for: [Deployment/default/web status: 'InProgress']"),
        ),
      },
      "failing",
    ],
    [
      "behind a dependency",
      "web",
      { web: object("web", failed("DependencyNotReady", "dependency 'flux-system/pos' is not ready")) },
      "held back",
    ],
    [
      "that Flux works on",
      "pos",
      { pos: object("pos", { at: old, ready: ["Unknown", "Progressing", "Reconciliation in progress"] }) },
      "progressing",
    ],
    ["whose spec Flux has not seen", "pos", { pos: object("pos", { generation: 4 }) }, "progressing"],
    ["at an old commit, of hours ago", "pos", { pos: object("pos", { at: old }) }, "behind"],
    [
      "at an old commit, of minutes ago",
      "pos",
      { pos: object("pos", { at: old }) },
      "progressing",
      { committedAt: "2026-11-28T11:55:00Z" },
    ],
    ["suspended by kubectl", "pos", { pos: object("pos", { suspendedBy: "kubectl-patch" }) }, "suspended"],
    ["suspended by flux", "pos", { pos: object("pos", { suspendedBy: "flux" }) }, "suspended"],
    [
      "in a shut window, at the last opening's commit",
      "night",
      { night: object("night", { at: old }) },
      "waiting for a window",
    ],
    ["in a window that never opened", "night", { night: undefined }, "waiting for a window"],
    [
      "in a shut window whose source lost its artifact",
      "night",
      {
        night: object(
          "night",
          failed("ArtifactFailed", "Source is not ready, artifact not found, retrying in 30s"),
        ),
      },
      "waiting for a window",
    ],
    [
      "in a shut window, which fails",
      "night",
      { night: object("night", failed("HealthCheckFailed")) },
      "failing",
    ],
    ["that the fleet file suspends, and that runs on", "held", { held: object("held") }, "behind"],
    ["that is not committed", "pos", { pos: undefined }, "behind", { sets: ["web", "held", "night"] }],
    ["that the bootstrap applied and somebody deleted", "pos", { pos: undefined }, "behind"],
    [
      "that a broken bootstrap cannot bring",
      "pos",
      {
        pos: undefined,
        "edge-config-bootstrap": object("edge-config-bootstrap", {
          spec: bootstrapSpec,
          ...failed("BuildFailed"),
        }),
      },
      "held back",
    ],
    ["of which Git does not say what it should run", "pos", {}, "not asked", { commit: undefined } as never],
  ])("%s is named for it", (_, set, change, word, wants = {}) => {
    const state = judge(change, wants);
    expect(`${wordOf(state, set)}: ${reasonOf(state, set)}`).toMatch(new RegExp(`^${word}: .+`));
  });

  it("suspended by kubectl is told apart from one that stays", () => {
    const part = (by: string) =>
      judge({ pos: object("pos", { suspendedBy: by }) }).sets.find(({ name }) => name === "pos");
    expect(part("kubectl-patch")?.meaning).toContain("within minutes");
    expect(part("flux")?.meaning).toContain("stays until");
  });

  it("of a pinned source is judged by the pin, and one of another branch waits for promotion", () => {
    const pinned = (revision: string): FluxObject => ({ ...object("infrastructure"), revision });
    const prod: Partial<Wanted> = {
      branch: "prod",
      pins: { infrastructure: { tag: "v0.1.0" } },
      sets: ["infrastructure"],
    };
    const state = (revision: string) =>
      judge({ infrastructure: pinned(revision), pos: undefined }, prod, "store");
    expect(wordOf(state(`v0.1.0@sha1:${old}`), "infrastructure")).toBe("ready");
    expect(wordOf(state(`v0.0.9@sha1:${old}`), "infrastructure")).toBe("behind");
    expect(state(`v0.1.0@sha1:${old}`).sets.find(({ name }) => name === "pos")).toMatchObject({
      word: "waiting for promotion",
      next: "Run pulumi up if it is not on main yet, then arcflux promote prod.",
    });
  });
});

describe("a cluster", () => {
  it("fails with its source, though its sets run on", () => {
    const repository = object("edge-config", {
      kind: "GitRepository",
      spec: repositorySpec,
      at: old,
      ready: ["False", "GitOperationFailed", "failed to checkout: couldn't find remote ref"],
    });
    const state = judge({ "edge-config": repository });
    expect(state).toMatchObject({
      word: "failing",
      reason: expect.stringContaining("edge-config: GitOperationFailed") as string,
    });
    expect(wordOf(state, "pos")).toBe("ready");
  });

  it("goes on failing while Flux tries the same revision again, and progresses with a new one", () => {
    const attempt = (revision: string): FluxObject =>
      fluxObject(
        {
          metadata: { name: "web", namespace: "flux-system", generation: 3 },
          status: {
            lastAttemptedRevision: `main@sha1:${revision}`,
            history: [
              { lastReconciledStatus: "HealthCheckFailed", metadata: { revision: `main@sha1:${old}` } },
              { lastReconciledStatus: "ReconciliationSucceeded", metadata: { revision: "main@sha1:0" } },
            ],
            conditions: [{ type: "Ready", status: "Unknown", reason: "Progressing", message: "in progress" }],
          },
        },
        "Kustomization",
      );
    const again = judge({ web: attempt(old) });
    expect(wordOf(again, "web")).toBe("failing");
    expect(reasonOf(again, "web")).toBe("HealthCheckFailed; Flux tries the same revision again");
    expect(wordOf(judge({ web: attempt(tip) }), "web")).toBe("progressing");
  });

  it("waits for promotion with a bootstrap that cannot find its folder yet, and is behind where nothing is promoted", () => {
    const ready: [string, string, string] = [
      "False",
      "ArtifactFailed",
      "kustomization path not found: stat /tmp/x",
    ];
    const bootstrap = object("edge-config-bootstrap", { ready, spec: bootstrapSpec });
    const store = judge(
      { "edge-config-bootstrap": bootstrap, pos: undefined },
      { branch: "prod", sets: [] },
      "store",
    );
    const of = ({ others }: ClusterState) =>
      others.find(({ name }) => name === "edge-config-bootstrap")?.word;
    expect([of(store), wordOf(store, "pos")]).toEqual(["waiting for promotion", "waiting for promotion"]);
    const edge = judge({ "edge-config-bootstrap": bootstrap, pos: undefined }, { sets: [] });
    expect([of(edge), wordOf(edge, "pos")]).toEqual(["behind", "behind"]);
    // A folder that is on the branch and not found is a fault.
    expect(judge({ "edge-config-bootstrap": bootstrap }).word).toBe("failing");
  });

  it("whose source is refused after the token's day says that first", () => {
    const repository = object("edge-config", {
      kind: "GitRepository",
      spec: repositorySpec,
      ready: ["False", "GitOperationFailed", "failed to checkout: authentication required: HTTP 401"],
    });
    const objects = Object.values({ ...good(), "edge-config": repository });
    const after = (tokenEnds: string) =>
      judgeCluster(
        clusterOf("edge"),
        wanted,
        { source: "cluster", objects },
        { history, now, committedTo: "main", url, tokenEnds },
      ).reason;
    expect(after("2026-11-01")).toMatch(
      /^edge-config: the Git token ended on 2026-11-01; GitOperationFailed: /,
    );
    expect(after("2027-01-31")).toMatch(/^edge-config: GitOperationFailed: /);
  });

  it("edited by hand is said field by field, with the command that mends it", () => {
    const edited = object("edge-config-bootstrap", {
      spec: { ...bootstrapSpec, interval: "7m0s", prune: false },
    });
    const { word, notes } = judge({ "edge-config-bootstrap": edited });
    expect(word).toBe("behind");
    expect(notes).toEqual([
      {
        text: "Kustomization edge-config-bootstrap is not what the fleet file says: interval is 7m0s, not 10m; prune is false, not true",
        next: `kubectl patch kustomization edge-config-bootstrap --namespace flux-system --type merge --patch '{"spec":{"interval":"10m","prune":true}}'`,
        edited: true,
      },
    ]);
  });

  it("without its two objects fails; with none asked nobody is ready", () => {
    expect(judge({ "edge-config": undefined }).word).toBe("failing");
    const context = { history, now, committedTo: "main", url };
    const nobody = judgeCluster(clusterOf("edge"), wanted, { notAsked: "Azure did not answer" }, context);
    expect(nobody).toMatchObject({ word: "not asked", source: "git", reason: "Azure did not answer" });
    const offline = { reason: "Azure has not heard of it", since: "2026-11-20T08:00:00Z" };
    const away = judgeCluster(
      clusterOf("edge"),
      wanted,
      { source: "azure", objects: Object.values(good()), offline },
      context,
    );
    expect(away).toMatchObject({
      word: "offline",
      since: "2026-11-20T08:00:00Z",
      runs: { bootstrap: `main@sha1:${tip}` },
    });
  });

  it("is told the same by Azure, which has conditions and no specs", () => {
    const status = (kind: string, name: string, message: string, complianceState = "Compliant") =>
      azureObject({
        ...{ kind, name, namespace: "flux-system", complianceState, appliedBy: null },
        statusConditions: [
          {
            type: "Ready",
            status: "True",
            reason: "ReconciliationSucceeded",
            message,
            lastTransitionTime: "2026-11-28T11:30:00Z",
          },
        ],
      });
    const applied = `Applied revision: main@sha1:${tip}`;
    const objects = [
      status("GitRepository", "edge-config", `stored artifact for revision 'main@sha1:${tip}'`),
      status("Kustomization", "edge-config-bootstrap", applied),
      ...["pos", "web", "night"].map((name) => status("Kustomization", name, applied)),
      status("Kustomization", "held", applied, "Suspended"),
    ];
    const state = judgeCluster(
      clusterOf("edge"),
      wanted,
      { source: "azure", objects },
      { history, now, committedTo: "main", url },
    );
    expect(state.sets.map(({ word }) => word)).toEqual(["suspended", "ready", "ready", "ready"]);
    expect(state.runs).toEqual({ bootstrap: `main@sha1:${tip}`, sets: `main@sha1:${tip}` });
  });
});

it("every reason that is explained has a line in the guide", async () => {
  const { readFile } = await import("node:fs/promises");
  const guide = await readFile(new URL("../../docs/guide/day-two.md", import.meta.url), "utf8");
  expect(explainedReasons.filter((reason) => !guide.includes(`\`${reason}\``))).toEqual([]);
});
