import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { checkRepository } from "../../checks/checkRepository.ts";
import { openRepository } from "../../checks/openRepository.ts";
import type { Fleet } from "../../fleet/model.ts";
import type { Cluster, ClusterSet } from "../../fleet/model.ts";
import { removalOf } from "../../fleet/removal.ts";
import type { RemovalEntry } from "../../fleet/schema/removal.ts";
import { renderClusterFolder } from "../../flux/folder.ts";
import { GitWorkshop, type Fixture } from "../support/gitWorkshop.ts";
import { windowOf } from "../flux/fixture.ts";
import { clusterOf, fleetOf, setOf } from "./fleet.ts";
import { byHand, faultsIn } from "./repository.ts";

/** Sets without a folder of their own to look for. */
const elsewhere = { sourceRef: { kind: "OCIRepository", name: "charts" } } as const;
const set = (name: string, spec: Readonly<Record<string, unknown>> = {}, over: Partial<ClusterSet> = {}) =>
  setOf(name, spec, { ...elsewhere, ...over });
const needs = (...names: string[]) => ({ dependsOn: names.map((name) => ({ name })) });
const edge = (sets: readonly ClusterSet[], over: Partial<Cluster> = {}) => clusterOf("edge-0", sets, over);
const nightly = { windows: [windowOf("nightly")] };
const web = set("web");

/** What an earlier update left in the repository. */
function committed(...clusters: readonly Cluster[]): Fixture {
  return Object.fromEntries(
    clusters.flatMap((cluster) =>
      Object.entries(renderClusterFolder(cluster)).map(([path, text]) => [`${cluster.folder}/${path}`, text]),
    ),
  );
}

/** The faults of an update from one state of a cluster to another, with what `removed` names. */
const update = (before: Cluster, after: Cluster, files: Fixture = {}, removed: readonly string[] = []) =>
  faultsIn({ ...fleetOf(after), removed: removed.map(removalOf) }, { ...committed(before), ...files });

describe("a set that goes away (A16)", () => {
  it("is told at its cluster while it prunes, with the ways to keep what it applied", async () => {
    expect(await update(edge([set("pos"), web]), edge([web]))).toEqual([
      "error: clusters.edge-0: set pos goes away with prune: true, so Flux deletes everything that it applied on the cluster; which objects that are could not be seen (OCIRepository charts lies elsewhere). To keep that, first commit `deletionPolicy: Orphan` for the set (or `prune: false`, or suspend it), let the cluster take that, and remove the set then; if that is meant, add it to the list in the fleet file: `removed: [edge-0/pos]`",
    ]);
    // The last one, whose flux folder the inventory then keeps.
    expect(await update(edge([web]), edge([]))).toEqual([
      expect.stringContaining("clusters.edge-0: set web goes"),
    ]);
  });

  it.each(["Delete", "WaitForTermination"])(
    "is told where its policy is %s, whatever prune says",
    async (policy) => {
      const [warning, ...none] = await update(
        edge([set("pos", { prune: false, deletionPolicy: policy })]),
        edge([]),
      );
      expect(warning).toContain(`set pos goes away with deletionPolicy: ${policy}, so Flux deletes`);
      expect(warning).toContain("`deletionPolicy: Orphan`");
      // Would change nothing here.
      expect(warning).not.toContain("prune: false");
      expect(none).toEqual([]);
    },
  );

  it.each<[string, ClusterSet]>([
    ["deletionPolicy: Orphan", set("pos", { deletionPolicy: "Orphan" })],
    ["prune: false", set("pos", { prune: false })],
    ["prune: false", set("pos", { prune: false, deletionPolicy: "MirrorPrune" })],
    ["suspend: true", set("pos", {}, { suspension: { reason: "It moves" } })],
    ["suspend: true", set("pos", {}, { window: "nightly", suspension: { reason: "It moves" } })],
    ["deletionPolicy: Orphan", set("pos", { deletionPolicy: "Orphan" }, { window: "nightly" })],
    [
      "kustomize.toolkit.fluxcd.io/prune: disabled",
      set("pos", {}, { annotations: { "kustomize.toolkit.fluxcd.io/prune": "disabled" } }),
    ],
  ])("stays in Git while nobody knows that its cluster has applied %s", async (said, last) => {
    const [before, after] = [edge([last, web], nightly), edge([web], nightly)];
    expect(await update(before, after)).toEqual([
      `warning: clusters.edge-0: set pos stays in Git until an update after that: the cluster is not known to have applied the commit with \`${said}\`, and without it Flux deletes what the set applied. To let it go at once, add it to the list in the fleet file: \`removed: [edge-0/pos]\``,
    ]);
    expect(await update(before, after, {}, ["pos"])).toEqual([]);
    expect(
      await faultsIn(fleetOf(after), committed(before), { applied: () => Promise.resolve("yes") }),
    ).toEqual([]);
  });

  it("is no matter where the bootstrap does not prune, or a hand-written Kustomization goes on with it", async () => {
    const { bootstrap } = edge([]);
    const over = { bootstrap: { ...bootstrap, prune: false } };
    expect(await update(edge([set("pos"), web], over), edge([web], over))).toEqual([]);
    const files = { "clusters/edge-0/flux/team.yaml": byHand("pos") };
    expect(await update(edge([set("pos"), web]), edge([web]), files)).toEqual([]);
  });

  it("is told where the flux folder is the cluster folder, and not for files that others wrote", async () => {
    const over = { fluxFolder: "clusters/edge-0" };
    const files = { "clusters/edge-0/other.yaml": byHand("other") };
    expect(await update(edge([set("pos"), web], over), edge([web], over), files)).toEqual([
      expect.stringContaining("set pos goes away"),
    ]);
  });

  it("is said once for all clusters that lose it", async () => {
    const all = (...sets: ClusterSet[]) => ["a", "b", "c"].map((name) => clusterOf(name, sets));
    const faults = await faultsIn(fleetOf(...all(web)), committed(...all(set("pos"), web)));
    expect(faults).toEqual([
      expect.stringMatching(
        /^error: clusters\.a: set pos \(also in 2 more clusters: b, c\) goes away with prune: true.*`removed: \[pos\]`/,
      ),
    ]);
    const two = await faultsIn(
      { ...fleetOf(...all(web)), removed: [removalOf("b/pos")] },
      committed(...all(set("pos"), web)),
    );
    expect(two).toEqual([
      expect.stringMatching(/^error: clusters\.a: set pos \(also in 1 more cluster: c\) goes away/),
      expect.stringMatching(/^warning: clusters\.b: set pos goes away .*; `removed` says so$/),
    ]);
  });
});

describe("a set that is named under removed (A16)", () => {
  it.each(["pos", "edge-0/pos"])("as %s, goes with a warning that says what is deleted", async (entry) => {
    expect(await update(edge([set("pos"), web]), edge([web]), {}, [entry])).toEqual([
      "warning: clusters.edge-0: set pos goes away with prune: true, so Flux deletes everything that it applied on the cluster; which objects that are could not be seen (OCIRepository charts lies elsewhere); `removed` says so",
    ]);
  });

  it("of another cluster, does not count", async () => {
    expect(
      await update(edge([set("pos"), web]), edge([web]), {}, ["edge-1/pos", "po", "edge-0/web"]),
    ).toEqual([expect.stringMatching(/^error: clusters\.edge-0: set pos goes away/)]);
  });

  it("is told once it is gone, where the whole fleet is looked at", async () => {
    const fleet = { ...fleetOf(edge([web])), removed: ["edge-0/old", "pos", "till"].map(removalOf) };
    const files = committed(edge([set("pos"), set("till", { prune: false }), web]));
    const stale =
      "warning: removed[0]: edge-0/old is gone everywhere: take the entry out, or it stands for a later set of that name";
    const going: unknown = expect.stringMatching(/^warning: clusters\.edge-0: set pos goes away/);
    // `till` needs no word, and goes all the same.
    expect(await faultsIn(fleet, files, { whole: true })).toEqual([going, stale]);
    expect(await faultsIn(fleet, files)).toEqual([going]);
  });

  it("is told of a secret by the clusters that it names", async () => {
    const entries: RemovalEntry[] = [{ secret: "till" }, { secret: "till", cluster: "edge-0" }];
    const fleet = { ...fleetOf(edge([]), clusterOf("edge-1", [])), removed: entries.map(removalOf) };
    expect(
      await faultsIn(fleet, { "clusters/edge-1/secrets/till.yaml": "sealed: true\n" }, { whole: true }),
    ).toEqual([
      "warning: removed[1]: { secret: till, cluster: edge-0 } is gone everywhere: take the entry out, or it stands for a later secret of that name",
    ]);
  });
});

describe("a set that is renamed (A16)", () => {
  const path = "./clusters/edge-0/sets";
  const own = { sourceRef: { kind: "GitRepository", name: "edge-config" } } as const;

  it("is told with its new name, and how to rename it without deletion", async () => {
    const before = edge([set("edge-db", { path: "./apps/db" }), web]);
    expect(await update(before, edge([set("edge-database", { path: "./apps/db" }), web]))).toEqual([
      "error: clusters.edge-0: set edge-db looks renamed to edge-database, which applies the same. Flux knows a set by its name alone: with prune: true it deletes all that the old one applied and edge-database has not taken over by then. To rename without deletion, keep the old name, commit `deletionPolicy: Orphan` for it, let the cluster take that, and rename it then; if that is meant, add it to the list in the fleet file: `removed: [edge-0/edge-db]`",
    ]);
    // It is the old name that is removed.
    const after = edge([set("edge-database", { path: "./apps/db" })]);
    expect(await update(before, after, {}, ["edge-0/edge-database"])).toEqual([
      expect.stringMatching(/^error: clusters\.edge-0: set edge-db looks renamed/),
      expect.stringMatching(/^error: clusters\.edge-0: set web goes away/),
    ]);
    expect(await update(before, after, {}, ["edge-db", "web"])).toEqual([
      "warning: clusters.edge-0: set edge-db looks renamed to edge-database, which applies the same. Flux knows a set by its name alone: with prune: true it deletes all that the old one applied and edge-database has not taken over by then; `removed` says so",
      expect.stringMatching(/^warning: clusters\.edge-0: set web goes away/),
    ]);
    // Orphan was committed first.
    const ready = edge([set("edge-db", { path: "./apps/db", deletionPolicy: "Orphan" })]);
    const applied = () => Promise.resolve("yes" as const);
    const renamed = fleetOf(edge([set("edge-database", { path: "./apps/db" })]));
    expect(await faultsIn(renamed, committed(ready), { applied })).toEqual([]);
  });

  it("is known by its folder, moved or copied with it", async () => {
    const before = edge([set("edge-db", { path: `${path}/edge-db` }, own)]);
    const after = edge([set("edge-database", { path: `${path}/edge-database` }, own)]);
    const content = "kind: ConfigMap\n";
    const moved = { "clusters/edge-0/sets/edge-database/a.yaml": content };
    expect(await update(before, after, moved)).toEqual([
      expect.stringContaining("set edge-db looks renamed to edge-database"),
    ]);
    const copied = { ...moved, "clusters/edge-0/sets/edge-db/a.yaml": content };
    const unapplied: unknown = expect.stringContaining("edge-db is in the repository, but no set applies it");
    expect(await update(before, after, copied)).toEqual([
      expect.stringContaining("set edge-db looks renamed to edge-database"),
      unapplied,
    ]);
    const other = { ...moved, "clusters/edge-0/sets/edge-db/a.yaml": "kind: Secret\n" };
    expect(await update(before, after, other)).toEqual([
      expect.stringContaining("set edge-db goes away"),
      unapplied,
    ]);
  });

  it.each<[string, ClusterSet]>([
    ["another path", set("edge-database", { path: "./apps/other" })],
    [
      "another source",
      set("edge-database", { path: "./apps/db" }, { sourceRef: { kind: "Bucket", name: "charts" } }),
    ],
    ["another namespace", set("edge-database", { path: "./apps/db", targetNamespace: "db" })],
  ])("is not what a new set with %s is taken for", async (_, added) => {
    expect(await update(edge([set("edge-db", { path: "./apps/db" })]), edge([added]))).toEqual([
      expect.stringContaining("set edge-db goes away"),
    ]);
  });

  it("is not taken for a set that was there before", async () => {
    const twin = set("twin", { path: "./apps/db" });
    expect(await update(edge([set("edge-db", { path: "./apps/db" }), twin]), edge([twin]))).toEqual([
      expect.stringContaining("set edge-db goes away"),
    ]);
  });
});

describe("sets that go away together (A16)", () => {
  const order = "sets operator and db go away together, and db depends on operator.";
  const before = (db: ClusterSet) => edge([set("operator"), db, web]);
  const lines = async (last: Cluster, after: Cluster) =>
    (await update(last, after)).map((line) =>
      line.replace(/^\w+: clusters\.edge-0: /, "").slice(0, order.length),
    );

  it("are told where one depends on the other, to be removed one after the other", async () => {
    const faults = await update(before(set("db", {}, needs("operator"))), edge([web]));
    expect(faults).toHaveLength(3);
    expect(faults[2]).toBe(
      `error: clusters.edge-0: ${order} Flux deletes both at once, in no order, so what db applied may wait for ever for finalizers that operator ran. Remove db first, and operator in a later update, when the cluster has deleted the first; if that is meant, add it to the list in the fleet file: \`removed: [edge-0/operator, edge-0/db]\``,
    );
  });

  it("are decided on when both are named", async () => {
    const severities = async (...removed: string[]) => {
      const faults = await update(before(set("db", {}, needs("operator"))), edge([web]), {}, removed);
      return faults.map((line) => line.replace(/^(\w+): clusters\.edge-0: (sets? \w+).*$/, "$1 $2"));
    };
    expect(await severities("db")).toEqual(["error set operator", "error sets operator", "warning set db"]);
    expect(await severities("db", "edge-0/operator")).toEqual([
      "warning set db",
      "warning set operator",
      "warning sets operator",
    ]);
  });

  it("are not where they do not need each other, one stays, or one leaves what it applied", async () => {
    const db = set("db", {}, needs("operator"));
    expect(await lines(before(set("db")), edge([web]))).not.toContain(order);
    expect(await lines(before(db), edge([set("operator"), web]))).not.toContain(order);
    const orphan = set("db", { deletionPolicy: "Orphan" }, needs("operator"));
    expect(await lines(before(orphan), edge([web]))).not.toContain(order);
    expect(await lines(before(db), edge([web]))).toContain(order);
  });
});

describe("an update that removes no set (A16)", () => {
  let workshop: GitWorkshop;
  beforeEach(() => (workshop = new GitWorkshop()));
  afterEach(() => workshop.remove());

  const everything = edge([set("pos", {}, { window: "nightly" }), web], {
    ...nightly,
    apps: [{ name: "podinfo", resource: "../../../apps/podinfo" }],
  });
  const podinfo = { "apps/podinfo/a.yaml": "kind: ConfigMap\n" };

  it("is quiet: the same again, one more, another spec, a first commit", async () => {
    expect(await update(everything, everything, podinfo)).toEqual([]);
    const more = { ...everything, sets: [...everything.sets, set("new", { path: "./apps/pos" })] };
    expect(await update(everything, more, podinfo)).toEqual([]);
    expect(await update(edge([set("pos")]), edge([set("pos", { prune: false })]))).toEqual([]);
    expect(await faultsIn(fleetOf(edge([web])), {})).toEqual([]);
  });

  it("reads no file, and one that removes sets of many clusters asks for all their files at once", async () => {
    const clusters = (...sets: ClusterSet[]) =>
      Array.from({ length: 20 }, (_, index) => clusterOf(`edge-${index}`, sets));
    const before = clusters(set("db"), set("pos"), web);
    const location = await workshop.repository(committed(...before));
    const context = { env: workshop.env, tempRoot: workshop.tempRoot };
    const questions = async (after: readonly Cluster[]) => {
      const asked: (readonly string[])[] = [];
      await openRepository({ location, branch: "main" }, context, ({ committed }) => {
        asked.length = 0;
        const tree = {
          ...committed!,
          read: (paths: readonly string[]) => (asked.push(paths), committed!.read(paths)),
        };
        return checkRepository(fleetOf(...after), { committed: tree, followed: new Map([["main", tree]]) });
      });
      return asked;
    };
    expect(await questions(before)).toEqual([]);
    const [first, ...others] = await questions(clusters(web));
    expect(others).toEqual([]);
    expect(first).toHaveLength(40);
    expect(first).toContain("clusters/edge-19/flux/pos.yaml");
    expect(first).not.toContain("clusters/edge-19/flux/web.yaml");
  });
});

describe("a set that goes into a window or out of one", () => {
  const live = set("pos");
  const windowed = set("pos", {}, { window: "nightly" });
  const both = { windows: [windowOf("nightly"), windowOf("weekly")] };

  it.each([
    ["into window nightly", live, windowed, "live"],
    ["out of window nightly", windowed, live, "nightly"],
    ["out of window nightly into window weekly", windowed, set("pos", {}, { window: "weekly" }), "nightly"],
  ])("is refused %s, with the way on", async (how, before, after, from) => {
    expect(await update(edge([before, web], both), edge([after, web], both))).toEqual([
      `error: clusters.edge-0: set pos moves ${how}: Flux ends it at once and deletes what it applied, before it comes again. To keep that, first commit \`deletionPolicy: Orphan\`, wait until the cluster has applied that in its window, then move it, and take the policy back last; if that is meant, add it to the list in the fleet file: \`removed: [{ set: pos, from: ${from}, cluster: edge-0 }]\``,
    ]);
  });

  it("moves once its cluster has applied that it leaves everything, and not before", async () => {
    const orphan = set("pos", { deletionPolicy: "Orphan" });
    const after = edge([set("pos", { deletionPolicy: "Orphan" }, { window: "nightly" }), web], both);
    const before = committed(edge([orphan, web], both));
    for (const [answer, count] of [
      ["yes", 0],
      ["no", 1],
      ["unknown", 1],
    ] as const) {
      const faults = await faultsIn(fleetOf(after), before, { applied: () => Promise.resolve(answer) });
      expect(faults.filter((fault) => fault.startsWith("error"))).toHaveLength(count);
    }
  });

  it("goes at the next opening when it is removed, and asks like any other", async () => {
    expect(await update(edge([windowed, web], both), edge([web], both))).toEqual([
      expect.stringMatching(
        /^error: clusters\.edge-0: set pos goes away with prune: true, so Flux deletes everything that it applied on the cluster at the next opening of window nightly; which objects that are could not be seen .*\. /,
      ),
    ]);
  });

  it("holds its window, which is not removed while it has sets", async () => {
    expect(await update(edge([windowed, web], both), edge([web], { windows: [windowOf("weekly")] }))).toEqual(
      [
        expect.stringMatching(
          /^error: clusters\.edge-0: window nightly goes away with sets in it \(pos\): Flux ends them at once.*`removed: \[\{ window: nightly, cluster: edge-0 \}\]`$/,
        ),
      ],
    );
    expect(await update(edge([web], both), edge([web]))).toEqual([]);
    // An entry for one without sets confirms nothing, and is gone only once no branch has the window.
    const decided: Fleet = { ...fleetOf(edge([web])), removed: [{ kind: "window", name: "nightly" }] };
    expect(await faultsIn(decided, committed(edge([web], both)), { whole: true })).toEqual([]);
    expect(await faultsIn(decided, committed(edge([web])), { whole: true })).toEqual([
      expect.stringContaining("{ window: nightly } is gone everywhere"),
    ]);
  });

  it("is changed in its window without a word, but for another folder", async () => {
    const change = (spec: Readonly<Record<string, unknown>>) =>
      update(edge([windowed], both), edge([set("pos", spec, { window: "nightly" })], both));
    expect(await change({ interval: "7m" })).toEqual([]);
    expect(await change({ path: "./apps/till" })).toEqual([
      expect.stringContaining("set pos changes its path from ./apps/pos to ./apps/till"),
    ]);
  });
});
