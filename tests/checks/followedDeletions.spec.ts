import { formatInventory } from "../../git/commit/inventory.ts";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { checkFleet, type FleetChecks } from "../../checks/checkFleet.ts";
import { formatPath } from "../../fleet/finding.ts";
import type { Cluster, ClusterSet, Fleet, Source } from "../../fleet/model.ts";
import { removalOf } from "../../fleet/removal.ts";
import { renderClusterFolder } from "../../flux/folder.ts";
import { GitWorkshop, type Fixture } from "../support/gitWorkshop.ts";
import { clusterOf, fleetOf, setOf } from "./fleet.ts";

let workshop: GitWorkshop;
let repository: string;

beforeEach(async () => {
  workshop = new GitWorkshop();
  repository = await workshop.repository({ "README.md": "The fleet\n" });
});
afterEach(() => workshop.remove());

const at = (stage: string, sets: readonly ClusterSet[], over: Partial<Cluster> = {}): Cluster =>
  clusterOf(`edge-${stage}`, sets, { stage, follows: stage, ...over });
const filesOf = (clusters: readonly Cluster[]): Fixture =>
  Object.fromEntries(
    clusters.flatMap((cluster) =>
      Object.entries(renderClusterFolder(cluster)).map(([path, text]) => [`${cluster.folder}/${path}`, text]),
    ),
  );
/** What an update commits to main. */
const commit = (...clusters: readonly Cluster[]): string => workshop.commit(repository, filesOf(clusters));
/** What a promotion does to a branch: it gets what main has. */
const promote = (stage: string): void => {
  workshop.git(repository, "branch", "--force", stage, "main");
};

const check = async (fleet: Fleet, checks: Partial<FleetChecks> = {}) => {
  const { findings, kept } = await checkFleet(fleet, {
    repository,
    context: { env: workshop.env, tempRoot: workshop.tempRoot },
    finding: (severity, path, message) => ({
      ...{ severity, file: "", line: 1, column: 1, message },
      path: formatPath(path),
    }),
    extent: "deletions",
    ...checks,
  });
  return {
    kept,
    said: findings.map(({ severity, path, message }) => `${severity}: ${path}: ${message}`).sort(),
  };
};
const confirmed = (fleet: Fleet, ...removed: Parameters<typeof removalOf>[0][]): Fleet => ({
  ...fleet,
  removed: removed.map(removalOf),
});

const configMap = (name: string): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${name}, namespace: shop }\n`;
const pos = setOf("pos");
const web = setOf("web");
const orphan = setOf("pos", { deletionPolicy: "Orphan" });

describe("a set that goes, where clusters follow branches of their stages", () => {
  it("is let go by Orphan only where Orphan has arrived: promoted to one stage, it guards that one alone", async () => {
    commit(at("dev", [pos, web]), at("prod", [pos, web]));
    promote("dev");
    promote("prod");
    commit(at("dev", [orphan, web]), at("prod", [orphan, web]));
    promote("dev");
    const gone = fleetOf(at("dev", [web]), at("prod", [web]));
    const applied = () => Promise.resolve("yes" as const);
    expect((await check(gone, { applied })).said).toEqual([
      expect.stringMatching(/^error: clusters\.edge-prod: set pos goes away with prune: true/),
    ]);
    expect((await check(confirmed(gone, "edge-prod/pos"), { applied })).said).toEqual([
      expect.stringMatching(/^warning: clusters\.edge-prod: set pos goes away .*`removed` says so$/),
    ]);
  });

  it("stays where its cluster has not applied Orphan, with its source, and others let it go", async () => {
    const charts: Source = {
      ...{ name: "charts", kind: "OCIRepository", self: false },
      spec: { url: "oci://registry.example.com/charts", interval: "10m" },
    };
    const last = setOf(
      "pos",
      { deletionPolicy: "Orphan" },
      { sourceRef: { kind: "OCIRepository", name: "charts" } },
    );
    const all = (sets: readonly ClusterSet[], sources: readonly Source[] = []): Cluster[] =>
      ["a", "b", "c"].map((name) => clusterOf(name, sets, { sources }));
    const orphaned = commit(...all([last, web], [charts]));
    workshop.commit(repository, { "README.md": "More\n" });
    const asked: string[] = [];
    const { kept, said } = await check(fleetOf(...all([web])), {
      applied: ({ name }, commit) => {
        asked.push(`${name} ${commit}`);
        return Promise.resolve(name === "b" ? "yes" : "no");
      },
    });
    expect(asked.sort()).toEqual(["a", "b", "c"].map((name) => `${name} ${orphaned}`));
    expect(said).toEqual([
      "warning: clusters.a: set pos (also in 1 more cluster: c) stays in Git until an update after that: the cluster has not " +
        "applied the commit with `deletionPolicy: Orphan`, and without it Flux deletes what the set applied. To let it go at " +
        "once, add it to the list in the fleet file: `removed: [pos]`",
    ]);
    const [before] = all([last, web], [charts]);
    const files = renderClusterFolder(before!);
    expect(kept.get("a")).toEqual({
      "clusters/a/flux/pos.yaml": files["flux/pos.yaml"],
      "clusters/a/flux/source-charts.yaml": files["flux/source-charts.yaml"],
    });
    expect([...kept.keys()].sort()).toEqual(["a", "c"]);
  });

  it("keeps its entry until the last branch has it no more, and then says that it can go", async () => {
    commit(at("dev", [pos, web]), at("prod", [pos, web]));
    promote("dev");
    promote("prod");
    const gone = confirmed(fleetOf(at("dev", [web]), at("prod", [web])), "pos");
    workshop.commit(repository, {
      "clusters/edge-dev/flux/pos.yaml": null,
      "clusters/edge-prod/flux/pos.yaml": null,
    });
    const goesFrom = (name: string) =>
      expect.stringMatching(
        new RegExp(`^warning: clusters\\.${name}: set pos .*goes away .*says so$`),
      ) as unknown;
    expect((await check(gone, { whole: true })).said).toEqual([goesFrom("edge-dev")]);
    promote("dev");
    expect((await check(gone, { whole: true })).said).toEqual([goesFrom("edge-prod")]);
    expect((await check({ ...gone, removed: [] })).said).toEqual([
      expect.stringMatching(/^error: clusters\.edge-prod: set pos goes away/),
    ]);
    promote("prod");
    expect((await check(gone, { whole: true })).said).toEqual([
      "warning: removed[0]: pos is gone everywhere: take the entry out, or it stands for a later set of that name",
    ]);
  });

  it("is an error at the stage whose branch is not there, unless an update makes branches", async () => {
    commit(at("dev", [web]), at("prod", [web]));
    promote("dev");
    const fleet = fleetOf(at("dev", [web]), at("prod", [web]));
    expect((await check(fleet)).said).toEqual([
      `error: stages.prod.branch: ${repository} has no branch prod, so edge-prod would follow nothing. Branches there: dev, ` +
        "main. Create prod, name one of these, or write repository.createBranch: fromDefault to have the update make it",
    ]);
    const made = { ...fleet, repository: { ...fleet.repository, createBranch: "fromDefault" as const } };
    expect((await check(made)).said).toEqual([]);
  });
});

describe("a set that stays and takes from another place", () => {
  const infra = (spec: Record<string, string | { tag: string }>, name = "infra"): Source => ({
    ...{ name, kind: "GitRepository", self: false },
    spec: { interval: "10m", ...spec },
  });
  const from = (name: string, path = "./apps/pos") =>
    setOf("pos", { path }, { sourceRef: { kind: "GitRepository", name } });
  const v1 = infra({ url: "https://git.example.com/a.git", ref: { tag: "v1" } });
  const moved = infra({ url: "https://git.example.com/b.git", ref: { tag: "v1" } });

  it.each<[string, Cluster, string, string]>([
    ["path", clusterOf("a", [from("infra", "./apps/till")], { sources: [v1] }), "./apps/pos", "./apps/till"],
    [
      "source",
      clusterOf("a", [setOf("pos", { path: "./apps/pos" })], {}),
      "infra",
      "GitRepository edge-config",
    ],
    [
      "source's URL",
      clusterOf("a", [from("infra")], { sources: [moved] }),
      "https://git.example.com/a.git",
      "https://git.example.com/b.git",
    ],
  ])("asks where its %s changes", async (what, after, was, now) => {
    commit(clusterOf("a", [from("infra")], { sources: [v1] }));
    const entry = was.includes(":") ? JSON.stringify(was) : was;
    expect((await check(fleetOf(after))).said).toEqual([
      `error: clusters.a: set pos changes its ${what} from ${was} to ${now}: with prune: true, Flux deletes what it applied ` +
        "from there and does not find in the new place. To keep that, commit `prune: false` with the change, and take it out " +
        "again when the cluster has taken both; if that is meant, add it to the list in the fleet file: " +
        `\`removed: [{ set: pos, from: ${entry}, cluster: a }]\``,
    ]);
    const decided = confirmed(fleetOf(after), { set: "pos", from: was });
    expect((await check(decided, { whole: true })).said).toEqual([
      expect.stringMatching(/^warning: clusters\.a: set pos changes its .*`removed` says so$/),
    ]);
    // The set itself is no answer: it stays.
    expect((await check(confirmed(fleetOf(after), "pos"))).said[0]).toMatch(/^error/);
  });

  it("does not ask for another ref, another name of the same URL, a folder moved as it is, or without prune", async () => {
    commit(clusterOf("a", [from("infra")], { sources: [v1] }));
    const v2 = infra({ url: "https://git.example.com/a.git", ref: { tag: "v2" } });
    const named = infra({ url: "https://git.example.com/a.git" }, "other");
    const kept = setOf("pos", { path: "./apps/till", prune: false }, from("infra"));
    const quiet: Cluster[] = [
      clusterOf("a", [from("infra")], { sources: [v2] }),
      clusterOf("a", [from("other")], { sources: [named] }),
      clusterOf("a", [{ ...kept, spec: { ...kept.spec, path: "./apps/till", prune: false } }], {
        sources: [v1],
      }),
    ];
    for (const after of quiet) expect((await check(fleetOf(after))).said).toEqual([]);
    workshop.commit(repository, {
      ...filesOf([clusterOf("b", [pos])]),
      "apps/pos/a.yaml": configMap("a"),
    });
    workshop.commit(repository, { "apps/shop/pos/a.yaml": configMap("a") });
    const moves = clusterOf("b", [setOf("pos", { path: "./apps/shop/pos" })]);
    expect((await check(fleetOf(moves))).said).toEqual([]);
  });
});

describe("an app that leaves a cluster", () => {
  const base = (name: string) => setOf("apps-base", { path: `./clusters/${name}/apps` });
  const stores = (...apps: readonly string[]): Cluster[] =>
    ["a", "b"].map((name) =>
      clusterOf(name, [base(name)], {
        apps: apps.map((app) => ({ name: app, resource: `../../../apps/${app}` })),
      }),
    );

  beforeEach(() => {
    const files = ["till", "podinfo", "more"].flatMap((app) => [
      [`apps/${app}/kustomization.yaml`, "kind: Kustomization\nresources: [a.yaml]\n"],
      [`apps/${app}/a.yaml`, configMap(app)],
    ]);
    workshop.commit(repository, Object.fromEntries(files) as Fixture);
  });

  it("asks, once for all clusters, until `removed` names it", async () => {
    commit(...stores("till", "podinfo"));
    const after = fleetOf(...stores("podinfo"));
    expect((await check(after)).said).toEqual([
      "error: clusters.a: app till (also in 1 more cluster: b) goes away, so Flux deletes everything that it applied by the set " +
        "apps-base. To keep that, first give its objects the annotation `kustomize.toolkit.fluxcd.io/prune: disabled`, let the " +
        "cluster take that, and remove the app then; if that is meant, add it to the list in the fleet file: " +
        "`removed: [{ app: till }]`",
    ]);
    expect((await check(confirmed(after, { app: "till", cluster: "b" }))).said).toEqual([
      expect.stringMatching(/^error: clusters\.a: app till goes away/),
      expect.stringMatching(/^warning: clusters\.b: app till goes away/),
    ]);
    expect((await check(fleetOf(...stores("podinfo", "till", "more")))).said).toEqual([]);
  });

  it("asks for itself where its set goes with it, which nobody wrote", async () => {
    commit(...stores("till"));
    const [after] = stores();
    const gone = fleetOf({ ...after!, sets: [web] });
    expect((await check(gone)).said).toEqual([
      expect.stringMatching(/^error: clusters\.a: app till goes away/),
    ]);
    expect((await check(confirmed(gone, { app: "till" }), { whole: true })).said).toEqual([
      expect.stringMatching(/^warning: clusters\.a: app till goes away/),
    ]);
  });
});

describe("a cluster that the fleet file has no more", () => {
  const [a, b] = [clusterOf("a", [web]), clusterOf("b", [pos, web])];
  const written = (cluster: Cluster, writer = "edge/prod"): void => {
    const inventory = formatInventory({ owner: `${writer}/${cluster.name}`, left: [], files: new Map() });
    workshop.commit(repository, {
      ...filesOf([cluster]),
      [`${cluster.fluxFolder}/.arcflux-inventory`]: inventory,
    });
  };
  const said =
    "clusters.b: cluster b is gone from the fleet file, and clusters/b has its files: dropping it deletes everything that " +
    "Flux applied on it";

  it("asks, for its own stack and for a check without one, until `removed` names it", async () => {
    written(a);
    written(b);
    const fleet = fleetOf(a);
    const error =
      `error: ${said}. To keep it, put it back. To let it go, retire it first (\`lifecycle: retired\` in one update); if ` +
      "that is meant, add it to the list in the fleet file: `removed: [{ cluster: b }]`";
    const whose = (owner: string) => ({ whose: { declared: [a], owner } });
    expect((await check(fleet)).said).toEqual([error]);
    expect((await check(fleet, whose("edge/prod"))).said).toEqual([error]);
    expect((await check(fleet, whose("edge/other"))).said).toEqual([]);
    const decided = confirmed(fleet, { cluster: "b" });
    expect((await check(decided, { whole: true })).said).toEqual([`warning: ${said}; \`removed\` says so`]);
    const gone = ["pos.yaml", "web.yaml", ".arcflux-inventory"].map((name) => [
      `clusters/b/flux/${name}`,
      null,
    ]);
    workshop.commit(repository, Object.fromEntries(gone) as Record<string, null>);
    expect((await check(decided, { whole: true })).said).toEqual([
      expect.stringMatching(/^warning: removed\[0\]: \{ cluster: b \} is gone everywhere/),
    ]);
  });

  it("is found where it had a folder of its own, beside or above those of the others", async () => {
    written(a);
    for (const folder of ["clusters/tmp/b", "b"]) {
      const own = clusterOf("b", [pos, web], { folder, fluxFolder: `${folder}/flux` });
      const c = clusterOf("c", [web], { folder: "clusters/tmp/c", fluxFolder: "clusters/tmp/c/flux" });
      written(own);
      expect((await check(fleetOf(a, c))).said).toEqual([
        expect.stringContaining(`cluster b is gone from the fleet file, and ${folder} has its files`),
      ]);
      const gone = ["pos.yaml", "web.yaml", ".arcflux-inventory"].map((name) => [
        `${folder}/flux/${name}`,
        null,
      ]);
      workshop.commit(repository, Object.fromEntries(gone) as Record<string, null>);
    }
  });

  it("is none where it only has another name now", async () => {
    written(a);
    written(b);
    const renamed = clusterOf("c", [pos, web], { formerly: "b" });
    expect((await check(fleetOf(a, renamed))).said).toEqual([]);
  });

  it("is none where another stack wrote it, it moved, or a stack manages a part of the file", async () => {
    written(a);
    written(b, "other/prod");
    expect((await check(fleetOf(a))).said).toEqual([]);
    written({ ...b, sets: [web] });
    const moved = clusterOf("b", [web], { folder: "clusters/c", fluxFolder: "clusters/c/flux" });
    expect((await check(fleetOf(a, moved))).said).toEqual([]);
    expect((await check(fleetOf(a), { whose: { declared: [a, b], owner: "edge/prod" } })).said).toEqual([]);
  });
});
