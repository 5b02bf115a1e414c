import { describe, expect, it } from "vitest";
import { findingsOf, fleetText, mustLoad } from "./fixture.ts";

const clusterOf = (top: string, cluster: string) => mustLoad(fleetText({ top, cluster })).clusters[0]!;
const problems = (top: string, cluster: string) => findingsOf(fleetText({ top, cluster }));

describe("alerts", () => {
  const ops =
    "alerts: { ops: { match: { kind: store }, provider: { type: slack, channel: edge, secretRef: { name: slack } }, eventSeverity: error } }";

  it("are for the clusters that match, and for all of their sets unless they name some", () => {
    expect(clusterOf(ops, "labels: { kind: store }\nsets: { b: {}, a: {} }").alerts).toEqual([
      {
        name: "ops",
        provider: { type: "slack", channel: "edge", secretRef: { name: "slack" } },
        spec: { eventSeverity: "error" },
        sets: ["a", "b"],
        everything: true,
      },
    ]);
    expect(clusterOf(ops, "labels: { kind: depot }\nsets: { a: {} }").alerts).toEqual([]);
    expect(clusterOf(ops, "labels: { kind: store }").alerts).toEqual([]);
    const some = "alerts: { ops: { sets: [b], provider: { type: slack } } }";
    expect(clusterOf(some, "sets: { a: { wait: false }, b: {} }").alerts[0]!.sets).toEqual(["b"]);
  });

  it("on a set without wait or health checks are faults", () => {
    expect(problems(ops, "labels: { kind: store }\nsets: { a: {}, b: { wait: false } }")).toEqual([
      expect.stringMatching(
        /^fleet\.yaml:4:11: alerts\.ops: reports on b, which has neither wait nor healthChecks.*\(on edge-0\)$/,
      ),
    ]);
    expect(
      problems(
        "alerts: { ops: { sets: [a, b], provider: { type: slack } } }",
        "sets: { a: {}, b: { wait: null } }",
      ),
    ).toEqual([expect.stringMatching(/^fleet\.yaml:4:28: alerts\.ops\.sets\[1\]: reports on b/)]);
    const health = "healthChecks: [{ apiVersion: apps/v1, kind: Deployment, name: web, namespace: web }]";
    expect(problems(ops, `labels: { kind: store }\nsets: { a: { ${health} } }`)).toEqual([]);
  });

  it("name sets and kinds of providers that exist", () => {
    expect(
      problems("alerts: { ops: { sets: [nope], provider: { type: slack } } }", "sets: { a: {} }"),
    ).toEqual([expect.stringContaining('alerts.ops.sets[0]: "nope" is not a set of the fleet file')]);
    expect(problems("alerts: { ops: { provider: { type: pigeon } } }", "")).toEqual([
      expect.stringContaining("alerts.ops.provider.type: this value is not allowed; write slack or"),
    ]);
  });
});

describe("apps", () => {
  it("are applied by the set apps-base, which waits for infrastructure where there is one", () => {
    const cluster = clusterOf(
      "",
      `sets: { infrastructure: {} }
apps:
  web: {}
  db: { path: ./shared/db, target: { kind: HelmRelease, name: db }, patch: { spec: { replicas: 2, on: null } } }`,
    );
    expect(cluster.apps).toEqual([
      {
        name: "db",
        patches: [
          { target: { kind: "HelmRelease", name: "db" }, patch: { spec: { replicas: 2, on: null } } },
        ],
        resource: "../../../shared/db",
      },
      { name: "web", resource: "../../../apps/web" },
    ]);
    expect(cluster.sets.map(({ name }) => name)).toEqual(["apps-base", "infrastructure"]);
    expect(cluster.sets[0]).toMatchObject({
      dependsOn: [{ name: "infrastructure" }],
      spec: { path: "./clusters/edge-0/apps", interval: "10m", prune: true, wait: true },
    });
    expect(clusterOf("", "apps: { web: {} }").sets[0]!.dependsOn).toEqual([]);
  });

  it("let the set be changed like any other", () => {
    const { sets } = clusterOf(
      "",
      "apps: { web: {} }\nsets: { db: {}, apps-base: { interval: 1h, dependsOn: [db] } }",
    );
    expect(sets[0]).toMatchObject({
      dependsOn: [{ name: "db" }],
      spec: { path: "./clusters/edge-0/apps", interval: "1h" },
    });
  });

  it("come from stage, groups and cluster, whose patches go one over the other", () => {
    const target = { kind: "HelmRelease", name: "web" };
    const top = `layout: { apps: "base/{app}", cluster: "a/b/{cluster}" }
stages: { prod: { apps: { web: { target: { kind: HelmRelease, name: web }, patch: { spec: { a: 1, b: { c: 1, d: 1 } } } } } } }
groups: { g: { match: {}, apps: { web: { values: { replicas: 2, image: { tag: "1.10" } } }, db: {}, pos: {} } } }`;
    const { apps } = clusterOf(
      top,
      `stage: prod
apps:
  web:
    patch: { spec: { b: { c: null, e: 2 } } }
    values: { image: { tag: "1.11" } }
    patches: [{ target: { kind: ConfigMap, name: web }, patch: { data: { a: "1" } } }]
  db: null`,
    );
    expect(apps).toEqual([
      { name: "pos", resource: "../../../../base/pos" },
      {
        name: "web",
        patches: [
          {
            target,
            patch: {
              spec: { a: 1, b: { c: null, d: 1, e: 2 }, values: { replicas: 2, image: { tag: "1.11" } } },
            },
          },
          { target: { kind: "ConfigMap", name: "web" }, patch: { data: { a: "1" } } },
        ],
        resource: "../../../../base/web",
      },
    ]);
    expect(clusterOf("", "apps: { pos: { values: { a: 1 } } }").apps[0]!.patches).toEqual([
      { target: { kind: "HelmRelease", name: "pos" }, patch: { spec: { values: { a: 1 } } } },
    ]);
  });

  it("keep a patch of its own where kustomize would make something else of one", () => {
    const layered = (first: string, second: string) =>
      clusterOf(
        `groups: { g: { match: {}, apps: { web: { target: { kind: Deployment, name: web }, patch: ${first} } } } }`,
        `apps: { web: { patch: ${second} } }`,
      ).apps[0]!.patches!.map(({ patch }) => patch);
    // Lists of containers are merged by name.
    const [one, other] = [
      "{ containers: [{ name: web, image: a }] }",
      "{ containers: [{ name: web, tty: true }] }",
    ];
    expect(layered(one, other)).toHaveLength(2);
    // What was taken away and is given again is not merged over what the manifest has.
    expect(layered("{ a: null }", "{ a: { b: 1 } }")).toEqual([{ a: null }, { a: { b: 1 } }]);
    expect(layered("{ a: { b: 1 } }", "{ a: { $patch: replace, c: 1 } }")).toHaveLength(2);
    expect(layered("{ a: [1] }", "{ a: null }")).toEqual([{ a: null }]);
  });

  it("have one target for the patches of all layers", () => {
    const top =
      "groups: { g: { match: {}, apps: { web: { target: { kind: A, name: b }, patch: { a: 1 } } } } }";
    expect(problems(top, "apps: { web: { target: { kind: A, name: c }, patch: { a: 1 } } }")).toEqual([
      expect.stringMatching(
        /clusters\.edge-0\.apps\.web\.target: differs from groups\.g\.apps\.web\.target, .*patches: \[\{ target, patch \}\]/,
      ),
    ]);
  });

  it("have a target for their patch, a patch for their target, and a set", () => {
    expect(problems("", "apps: { web: { patch: { a: 1 } } }")).toEqual([
      expect.stringMatching(/^fleet\.yaml:8:20: clusters\.edge-0\.apps\.web\.patch: has no target/),
    ]);
    expect(problems("", "apps: { web: { target: { kind: A, name: b } } }")).toEqual([
      expect.stringContaining("warning: clusters.edge-0.apps.web.target: does nothing without a patch"),
    ]);
    expect(problems("", "apps: { web: {} }\nsets: { apps-base: null }")).toEqual([
      expect.stringMatching(/^fleet\.yaml:9:13: clusters\.edge-0\.sets\.apps-base: is opted out/),
    ]);
  });

  it("lose no digit of a number in a patch", () => {
    expect(
      problems(
        "",
        "apps: { web: { target: { kind: A, name: b }, patch: { version: 1.10, n: 1, half: 0.5, most: .inf }, values: { tag: 1.20 }, patches: [{ target: { kind: A, name: b }, patch: { v: 1.30 } }] } }",
      ),
    ).toEqual([
      expect.stringMatching(
        /apps\.web\.patch\.version: 1\.10 would be read as the number 1\.1; put it in quotes/,
      ),
      expect.stringMatching(
        /apps\.web\.patch\.most: \.inf is not a number that Kubernetes has; put it in quotes/,
      ),
      expect.stringMatching(/apps\.web\.values\.tag: 1\.20 would be read as the number 1\.2;/),
      expect.stringMatching(/apps\.web\.patches\[0\]\.patch\.v: 1\.30 would be read as the number 1\.3;/),
    ]);
  });
});
