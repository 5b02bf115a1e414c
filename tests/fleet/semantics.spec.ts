import { describe, expect, it } from "vitest";
import { formatFinding } from "../../fleet/finding.ts";
import { loadFleet } from "../../fleet/load.ts";
import { fleetText, findingsOf, mustLoad } from "./fixture.ts";

const problems = (cluster: string, top = "") => findingsOf(fleetText({ cluster, top }));

describe("a live set", () => {
  it("is warned of when one that it depends on is suspended by hand", () => {
    expect(problems("sets: { a: { suspend: { reason: INC-1 } }, b: { dependsOn: [a] } }")).toEqual([
      expect.stringMatching(/warning: clusters\.edge-0\.sets\.b\.dependsOn\[0\]: a is suspended \(INC-1\)/),
    ]);
  });
});

describe("a suspension", () => {
  const on = (today: string, suspend: string) =>
    loadFleet(fleetText({ cluster: `sets: { a: { suspend: ${suspend} } }` }), "fleet.yaml", { today });

  it("has a reason and may have a last day, after which it is warned of", () => {
    const until = "{ reason: INC-4711, until: 2026-12-24 }";
    expect(on("2026-12-24", until).findings).toEqual([]);
    expect(on("2026-12-24", until).fleet?.clusters[0]?.sets[0]?.suspension).toEqual({
      reason: "INC-4711",
      until: "2026-12-24",
    });
    expect(on("2026-12-25", until).findings.map(formatFinding)).toEqual([
      expect.stringMatching(
        /^fleet\.yaml:8:54: warning: clusters\.edge-0\.sets\.a\.suspend\.until: 2026-12-24 is past/,
      ),
    ]);
  });

  it.each([
    "true",
    "yes",
    "{}",
    "{ reason: '' }",
    "{ reason: x, until: 2026-02-30 }",
    "{ reason: x, until: tomorrow }",
    "{ reason: x, til: 2026-01-01 }",
  ])("is not %s", (suspend) => {
    const { findings } = on("2026-01-01", suspend);
    expect(findings).toHaveLength(1);
    expect(findings[0]!.path).toMatch(/^clusters\.edge-0\.sets\.a\.suspend/);
  });
});

describe("dependencies that are no sets of the cluster (A15)", () => {
  it("are errors unless they are marked external", () => {
    expect(problems("sets: { a: { dependsOn: [{ name: rook-cluster }] } }")).toEqual([
      expect.stringMatching(
        /dependsOn\[0\]: depends on "rook-cluster", which is not a set there;.*external: true/,
      ),
    ]);
    expect(problems("sets: { a: { dependsOn: [{ name: rook-cluster, external: true }] } }")).toEqual([]);
  });

  it("are sought in the set's own namespace unless they name one", () => {
    expect(problems("sets: { db: {}, a: { dependsOn: [{ name: db, namespace: flux-system }] } }")).toEqual(
      [],
    );
    expect(
      problems(
        "sets: { db: {}, a: { dependsOn: [{ name: db, namespace: data }] } }\nflux: { lockdown: false }",
      ),
    ).toEqual([expect.stringContaining('depends on "db" in the namespace "data", where no set is')]);
  });

  it("keep what was written, without external being anything to Flux", () => {
    const { sets } = mustLoad(
      fleetText({
        cluster: "sets: { db: {}, a: { dependsOn: [db, { name: x, external: true, readyExpr: dep.ok }] } }",
      }),
    ).clusters[0]!;
    expect(sets[0]!.dependsOn).toEqual([{ name: "db" }, { name: "x", external: true, readyExpr: "dep.ok" }]);
  });

  it("may not be a set of the cluster after all", () => {
    expect(problems("sets: { db: {}, a: { dependsOn: [{ name: db, external: true }] } }")).toEqual([
      expect.stringContaining('"db" is marked external but is a set of the cluster'),
    ]);
  });

  it("have no unknown keys, and a name", () => {
    expect(
      problems("sets: { db: {}, a: { dependsOn: [{ nam: db }, 5, { name: zz }] } }").map(
        (line) => line.split(";")[0],
      ),
    ).toEqual([
      "fleet.yaml:8:38: clusters.edge-0.sets.a.dependsOn[0].name: is missing",
      "fleet.yaml:8:40: clusters.edge-0.sets.a.dependsOn[0].nam: unknown key",
      "fleet.yaml:8:51: clusters.edge-0.sets.a.dependsOn[1]: 5 is not allowed",
      'fleet.yaml:8:54: clusters.edge-0.sets.a.dependsOn[2]: depends on "zz", which is not a set there',
    ]);
  });
});

describe("lockdown (C07)", () => {
  const crossing = `sets:
  a: { sourceRef: { kind: ExternalArtifact, name: x, namespace: data } }
  b: { dependsOn: [{ name: y, namespace: data, external: true }] }`;

  it("refuses a source and a dependency of another namespace", () => {
    expect(problems(crossing).map((line) => line.split(";")[0])).toEqual([
      'fleet.yaml:9:69: clusters.edge-0.sets.a.sourceRef.namespace: "data" is another namespace, and with flux.lockdown Flux refuses a source there',
      'fleet.yaml:10:46: clusters.edge-0.sets.b.dependsOn[0].namespace: "data" is another namespace, and with flux.lockdown Flux refuses a dependency there',
    ]);
  });

  it("off, both pass unchanged", () => {
    const { sets } = mustLoad(fleetText({ cluster: `${crossing}\nflux: { lockdown: false }` })).clusters[0]!;
    expect(sets[0]!.sourceRef.namespace).toBe("data");
    expect(sets[1]!.dependsOn[0]!.namespace).toBe("data");
  });
});

describe("timeouts (A06)", () => {
  it("longer than the interval, and none with wait or health checks, are warnings", () => {
    const health = "healthChecks: [{ kind: Deployment, name: x, namespace: y, apiVersion: apps/v1 }]";
    expect(
      problems(`sets:
  a: { interval: 24h, timeout: null, retryInterval: null }
  b: { timeout: 15m }
  c: { interval: 24h, timeout: null, ${health} }
  d: { wait: false, timeout: null }
  e: { timeout: 600s }
  f: { interval: 2m }`).map((line) => line.split(/[,;]/)[0]),
    ).toEqual([
      "fleet.yaml:9:36: warning: clusters.edge-0.sets.a.timeout: is none",
      "fleet.yaml:10:21: warning: clusters.edge-0.sets.b.timeout: the timeout of 15m is longer than the interval of 10m",
      "fleet.yaml:11:36: warning: clusters.edge-0.sets.c.timeout: is none",
      "fleet.yaml:14:22: warning: clusters.edge-0.sets.f.interval: the timeout of 5m is longer than the interval of 2m",
    ]);
  });

  it("of the bootstrap too", () => {
    expect(problems("", "bootstrap: { interval: 2m }")).toEqual([
      expect.stringContaining(
        "warning: bootstrap.timeout: the timeout of 5m is longer than the interval of 2m",
      ),
    ]);
  });
});

describe("paths of sets of one source", () => {
  it("are warned of where two sets would build the same", () => {
    expect(problems("sets: { a: { path: ./x }, b: { path: x/ } }")).toEqual([
      expect.stringContaining("warning: clusters.edge-0.sets.a.path: is the path of b too"),
    ]);
  });

  it.each([
    "sets: { a: { path: ./x }, b: { path: ./xy } }",
    "sets: { a: { path: ./x }, b: { path: ./x, source: oci } }",
    "sets: { a: { path: ./x/a }, b: { path: ./x/b } }",
    // Whether these share an object, only a build can say.
    "sets: { a: { path: ./x/y }, b: { path: ./x } }",
    "sets: { a: { path: . }, b: { path: ./x } }",
    "sets: { a: { path: ./clusters/edge-0 } }",
    "sets: { a: { path: ./x }, b: { path: ./x, namePrefix: b- } }",
    "sets: { a: { path: ./x, postBuild: { substitute: { app: a } } }, b: { path: ./x, postBuild: { substitute: { app: b } } } }",
    "sets: { a: { path: ./x, components: [../a] }, b: { path: ./x, components: [../b] } }",
  ])("%s is fine", (cluster) => {
    expect(problems(cluster, "sources: { oci: { kind: OCIRepository, url: oci://h/x } }")).toEqual([]);
  });

  it("are never in the flux folder", () => {
    expect(problems("sets: { a: { path: ./clusters/edge-0/flux/a } }")).toEqual([
      expect.stringMatching(/^fleet\.yaml:8:24: clusters\.edge-0\.sets\.a\.path: is in the flux folder/),
    ]);
  });

  const own = "sources: { own: { kind: GitRepository, url: self, ref: { tag: v1 } } }";
  it.each([
    ["./clusters/edge-0/flux", "", ""],
    ["./clusters/edge-0/flux/a", "", ""],
    ["clusters//edge-0/flux/", "", ""],
    ["./clusters/edge-1/flux", "", ""],
    ["./clusters/edge-0/flux", ", source: own", own],
    ["./clusters/edge-0", "", "layout: { flux: . }"],
  ])("%s%s is an error (%s)", (path, source, top) => {
    const text = `${fleetText({ top, cluster: `sets: { a: { path: ${path}${source} } }` })}  edge-1: { agents: present }\n`;
    const { findings } = loadFleet(text, "fleet.yaml");
    expect(findings).toEqual([
      expect.objectContaining({
        severity: "error",
        path: "clusters.edge-0.sets.a.path",
        message: expect.stringMatching(/^is in the flux folder clusters\/edge-[01]/) as string,
      }),
    ]);
  });

  it("may be beside the flux folder of another cluster, below one that is a whole cluster folder, and anywhere else", () => {
    const text = (top: string, path: string) =>
      `${fleetText({ top, cluster: `sets: { a: { path: ${path} } }` })}  edge-1: { agents: present }\n`;
    expect(findingsOf(text("", "./clusters/edge-1/sets/a"))).toEqual([]);
    expect(findingsOf(text("", "./clusters"))).toEqual([]);
    expect(findingsOf(text("", "./clusters/edge-0/fluxes"))).toEqual([]);
    expect(findingsOf(text("layout: { flux: . }", "./clusters/edge-1/sets/a"))).toEqual([]);
  });
});

describe("variables", () => {
  it("written on a set are text from the source too", () => {
    const { sets } = mustLoad(
      fleetText({
        cluster: "sets: { a: { postBuild: { substitute: { A: 004, B: 12345678901234567890, C: false } } } }",
      }),
    ).clusters[0]!;
    expect(sets[0]!.spec["postBuild"]).toEqual({
      substitute: { A: "004", B: "12345678901234567890", C: "false", arcflux_cluster: "edge-0" },
    });
  });

  it("have names that Flux can replace, wherever they stand (A03)", () => {
    expect(
      problems(
        "sets: { a: { postBuild: { substitute: { a-b: x } } } }",
        "groups: { g: { match: {}, variables: { 9a: x } } }",
      ).map((line) => line.split(": ")[1]),
    ).toEqual(["groups.g.variables.9a", "clusters.edge-0.sets.a.postBuild.substitute.a-b"]);
  });
});

describe("secrets in plain text", () => {
  const secrets: [string, string][] = [
    ["a GitHub token", `ghp_${"a1B2".repeat(9)}`],
    ["an Azure connection string", `Endpoint=sb://x/;SharedAccessKey=${"Ab1/".repeat(11)}=`],
    ["a JSON Web Token", `eyJ${"hbGciOi".repeat(2)}.eyJ${"zdWIiOi".repeat(2)}.${"s1gnature".repeat(2)}`],
    ["a private key", "-----BEGIN RSA PRIVATE KEY-----"],
    ["a URL with a password", "postgres://app:hunter2@db/shop"],
    ["a connection string with a password", "Server=db;Database=shop;Password=hunter2"],
  ];

  it.each(secrets)("such as %s are refused and not repeated", (kind, value) => {
    for (const cluster of [
      `variables: { conn: ${JSON.stringify(value)} }`,
      `sets: { a: { postBuild: { substitute: { conn: ${JSON.stringify(value)} } } } }`,
    ]) {
      const found = problems(cluster);
      expect(found).toEqual([expect.stringContaining(`conn: is ${kind} in plain text`)]);
      expect(found.join()).not.toContain(value);
    }
  });

  it("are warned of by their name, unless they stand for nothing", () => {
    expect(
      problems(
        "variables: { dbPassword: hunter2, API_KEY: abc, secret_name: x, token: '', PASSWORD: <none>, tokens: 5 }",
      ).map((line) => line.split(": ")[2]),
    ).toEqual(["clusters.edge-0.variables.dbPassword", "clusters.edge-0.variables.API_KEY"]);
  });

  it("are refused in an alert as well", () => {
    const address = "https://hooks.slack.com/services/T000/B000/abcdefgh";
    const found = problems("", `alerts: { a: { provider: { type: slack, address: "${address}" } } }`);
    expect(found).toEqual([
      expect.stringContaining("alerts.a.provider.address: is a Slack webhook in plain text"),
    ]);
    expect(found.join()).not.toContain("T000");
  });
});
