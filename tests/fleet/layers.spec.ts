import { describe, expect, it } from "vitest";
import { findingsOf, fleetText, mustLoad } from "./fixture.ts";

/** A fleet of one cluster in a stage and two groups, with lines of the top level. */
const layered = (top: string, cluster = "") =>
  mustLoad(
    fleetText({
      top,
      cluster: `${top.includes("stages:") ? "stage: prod\n" : ""}labels: { kind: store, ring: canary }\n${cluster}`,
    }),
  );
const setOf = (top: string, cluster = "") => layered(top, cluster).clusters[0]!.sets[0]!;

describe("which value wins", () => {
  it("is the last of defaults, shared set, stage, groups in file order, cluster", () => {
    const set = setOf(
      `
defaults: { interval: 61s, timeout: 11s, retryInterval: 11s, targetNamespace: fleet, namePrefix: fleet-, nameSuffix: -fleet }
sets: { pos: { path: ./pos, timeout: 12s, retryInterval: 12s, targetNamespace: shared, namePrefix: shared-, nameSuffix: -shared } }
stages: { prod: { sets: { pos: { retryInterval: 13s, targetNamespace: stage, namePrefix: stage-, nameSuffix: -stage } } } }
groups:
  zebra: { match: { ring: canary }, sets: { pos: { targetNamespace: zebra, namePrefix: zebra-, nameSuffix: -zebra } } }
  alpha: { match: { kind: store }, sets: { pos: { namePrefix: alpha-, nameSuffix: -alpha } } }
`,
      "sets: { pos: { nameSuffix: -own } }",
    );
    expect(set.spec).toMatchObject({
      path: "./pos",
      interval: "61s",
      timeout: "12s",
      retryInterval: "13s",
      targetNamespace: "zebra",
      namePrefix: "alpha-",
      nameSuffix: "-own",
    });
  });

  it("is never a default where the set itself says something, whosever default it is", () => {
    const set = setOf(
      `
defaults: { interval: 61s, timeout: 11s, retryInterval: 1s }
sets: { pos: { interval: 62s } }
stages: { prod: { defaults: { interval: 63s, timeout: 13s, retryInterval: 3s } } }
groups: { stores: { match: { kind: store }, defaults: { timeout: 14s, retryInterval: 4s } } }
`,
      "defaults: { interval: 65s, retryInterval: 5s }\nsets: { pos: {} }",
    );
    expect(set.spec).toMatchObject({ interval: "62s", timeout: "14s", retryInterval: "5s" });
  });

  it("is decided key by key for labels, annotations and variables, and at once for everything else", () => {
    const set = setOf(
      `
sets:
  pos:
    labels: { a: shared, b: shared }
    commonMetadata: { labels: { x: "1" }, annotations: { y: "1" } }
    components: [a, b]
    postBuild: { substitute: { a: shared, b: shared, c: shared }, substituteFrom: [{ kind: ConfigMap, name: site }] }
stages: { prod: { variables: { b: stage, c: stage, d: stage, e: stage } } }
groups: { stores: { match: { kind: store }, variables: { d: group }, sets: { pos: { postBuild: { substitute: { c: group } } } } } }
`,
      `variables: { e: own }\nsets: { pos: { labels: { b: own }, commonMetadata: { labels: { z: "1" } }, components: [c] } }`,
    );
    expect(set.labels).toEqual({ a: "shared", b: "own" });
    expect(set.spec).toMatchObject({
      commonMetadata: { labels: { z: "1" } },
      components: ["c"],
      postBuild: {
        substitute: { a: "shared", b: "stage", c: "group", d: "group", e: "own" },
        substituteFrom: [{ kind: "ConfigMap", name: "site" }],
      },
    });
    expect(set.spec["commonMetadata"]).toEqual({ labels: { z: "1" } });
  });

  it("is none where null took it away", () => {
    const { spec, labels, window, dependsOn, suspension } = setOf(
      `
windows: { nightly: { open: "0 1 * * *", close: "0 4 * * *" } }
sets: { pos: { window: nightly, dependsOn: [db], labels: { a: b }, suspend: { reason: INC-1 } }, db: { window: nightly } }
`,
      "sets: { pos: { retryInterval: null, wait: null, timeout: null, window: null, dependsOn: null, labels: null, suspend: false } }",
    );
    expect(spec).toEqual({ path: "./clusters/edge-0/sets/pos", interval: "10m", prune: true });
    expect([labels, window, dependsOn, suspension]).toEqual([{}, undefined, [], undefined]);
  });

  it("leaves a set without variables where postBuild is null", () => {
    const { sets } = layered(
      "stages: { prod: { variables: { a: b } } }",
      "variables: { c: d }\nsets: { x: { postBuild: null }, y: {} }",
    ).clusters[0]!;
    expect(sets.map(({ spec }) => spec["postBuild"])).toEqual([
      undefined,
      { substitute: { a: "b", c: "d", arcflux_cluster: "edge-0", arcflux_stage: "prod" } },
    ]);
  });

  it("adds the names of cluster and stage where Flux replaces variables anyway, and nowhere else", () => {
    const given = (postBuild: string) =>
      layered("stages: { prod: {} }", `sets: { x: { postBuild: ${postBuild} } }`).clusters[0]!.sets[0]!.spec[
        "postBuild"
      ];
    const from = (optional: boolean) => [{ kind: "ConfigMap", name: "c", ...(optional && { optional }) }];
    const own = { arcflux_cluster: "edge-0", arcflux_stage: "prod" };
    expect(given("{ substituteFrom: [{ kind: ConfigMap, name: c }] }")).toEqual({
      substituteFrom: from(false),
      substitute: own,
    });
    // A ConfigMap that is not there leaves every $ in the manifests as it is.
    expect(given("{ substituteFrom: [{ kind: ConfigMap, name: c, optional: true }] }")).toEqual({
      substituteFrom: from(true),
    });
    expect(given("{ substitute: {} }")).toBeUndefined();
    expect(findingsOf(fleetText({ cluster: "variables: { arcflux_stage: x }" }))).toEqual([
      expect.stringMatching(/variables\.arcflux_stage: .* is reserved/),
    ]);
  });

  it("holds for everything else that stages, groups and clusters state", () => {
    const [cluster] = layered(
      `
flux: { version: "2.7", lockdown: false }
agents: install
stages: { prod: { branch: prod, flux: { version: 2.8 }, arc: { location: northeurope, tags: { a: stage, b: stage } }, agents: present } }
groups:
  stores: { match: { kind: store }, flux: { version: 2.10 }, arc: { tags: { b: group, c: group } } }
  others: { match: { kind: depot }, flux: { version: 2.9, lockdown: true } }
`,
      "arc: { tags: { c: own } }",
    ).clusters;
    expect(cluster).toMatchObject({
      stage: "prod",
      follows: "prod",
      agents: "present",
      flux: { version: "2.10", lockdown: false },
      arc: { resourceGroup: "rg-edge", location: "northeurope", tags: { a: "stage", b: "group", c: "own" } },
    });
  });
});

describe("which sets a cluster takes", () => {
  const names = (top: string, cluster = "") =>
    layered(top, cluster).clusters[0]!.sets.map(({ name }) => name);

  it("are those that its stage, its groups and itself name", () => {
    expect(
      names(
        `sets: { a: {}, b: {}, c: {}, d: {} }
stages: { prod: { sets: { a: {} } } }
groups: { stores: { match: { kind: store }, sets: { b: {} } }, depots: { match: { kind: depot }, sets: { d: {} } } }`,
        "sets: { c: {} }",
      ),
    ).toEqual(["a", "b", "c"]);
  });

  it("are decided by the last that mentions a set", () => {
    const top = `sets: { a: {}, b: {}, c: {} }
stages: { prod: { sets: { a: {}, b: null, c: {} } } }
groups:
  stores: { match: { kind: store }, sets: { a: null, b: {} } }
  canary: { match: { ring: canary }, sets: { c: null } }`;
    expect(names(top)).toEqual(["b"]);
    expect(names(top, "sets: { a: {}, b: null }")).toEqual(["a"]);
  });
});

describe("groups", () => {
  it("match a cluster that has all of their labels; an empty match takes all", () => {
    const [cluster] = layered(
      `groups:
  both: { match: { kind: store, ring: canary }, variables: { both: x } }
  one: { match: { kind: store, ring: stable }, variables: { one: x } }
  every: { match: {}, variables: { every: x } }
  nature: { match: { toString: x }, variables: { nature: x } }`,
      "sets: { pos: {} }",
    ).clusters;
    expect(cluster!.sets[0]!.spec["postBuild"]).toEqual({
      substitute: { both: "x", every: "x", arcflux_cluster: "edge-0" },
    });
  });

  it("that match nothing are warned of, as are variables of a stage without clusters", () => {
    const top = `stages: { prod: {}, dev: { variables: { a: b } } }
groups: { depots: { match: { kind: depot } } }`;
    expect(findingsOf(fleetText({ top, cluster: "stage: prod" })).map((line) => line.split(";")[0])).toEqual([
      "fleet.yaml:4:41: warning: stages.dev.variables.a: is used by nothing: no cluster is in the stage",
      'fleet.yaml:5:28: warning: groups.depots.match: matches no cluster: none has the labels "kind: depot"',
    ]);
  });
});

describe("branches of stages", () => {
  it("are one a stage; nothing is promoted to the branch of updates", () => {
    const top =
      "stages: { dev: {}, e2e: {}, test: { branch: main, after: dev }, prod: { branch: prod, after: test, soak: 24h }, b: { branch: prod } }";
    expect(findingsOf(fleetText({ top })).map((line) => line.split(";")[0])).toEqual([
      'fleet.yaml:4:58: stages.test.after: "dev": the stage follows main, which updates commit to, so nothing is promoted to it',
      'fleet.yaml:4:126: stages.b.branch: "prod" is the branch of stage prod too, and a promotion would move both',
    ]);
  });

  it("are told what a promotion has to pass", () => {
    const top = "stages: { prod: { branch: prod, soak: 1d, checks: [''], approval: yes, mayDiffer: [''] } }";
    expect(findingsOf(fleetText({ top })).length).toBe(4);
    const fleet = mustLoad(
      fleetText({ top: "stages: { prod: { branch: prod, soak: 36h, sets: { pos: null } } }" }),
    );
    expect(fleet.stages).toMatchObject([
      {
        name: "prod",
        branch: "prod",
        soak: 129_600,
        checks: [],
        mayDiffer: [],
        definitions: { sets: { pos: null } },
      },
    ]);
  });
});

describe("health checks and wait", () => {
  const healthChecks = "healthChecks: [{ apiVersion: apps/v1, kind: Deployment, name: web, namespace: web }]";
  const warnings = (top: string, cluster: string) => findingsOf(fleetText({ top, cluster }));

  it("switch an inherited wait off", () => {
    const set = setOf("", `sets: { pos: { ${healthChecks} } }`);
    expect(set.spec).not.toHaveProperty("wait");
    expect(set.spec).toHaveProperty("healthChecks");
    expect(warnings("", `sets: { pos: { ${healthChecks} } }`)).toEqual([]);
  });

  it("both written on one set is a warning", () => {
    expect(warnings("", `sets: { pos: { ${healthChecks}, wait: true } }`)).toEqual([
      expect.stringMatching(
        /^fleet\.yaml:8:20: warning: clusters\.edge-0\.sets\.pos\.healthChecks: stands beside wait: true/,
      ),
    ]);
    expect(warnings(`sets: { pos: { ${healthChecks} } }`, "sets: { pos: { wait: true } }")).toEqual([
      expect.stringMatching(/warning: sets\.pos\.healthChecks: is overridden by wait: true/),
    ]);
  });
});
