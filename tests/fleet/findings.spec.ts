import { describe, expect, it } from "vitest";
import { loadFleet } from "../../fleet/load.ts";
import { findingsOf, fleetText } from "./fixture.ts";

/** Paths that findings are reported at. */
const pathsOf = (text: string) => loadFleet(text, "fleet.yaml").findings.map(({ path }) => path);
const clusterPaths = (cluster: string) => pathsOf(fleetText({ cluster }));

describe("findings", () => {
  it("come all at once, sorted, each where it stands", () => {
    const { fleet, findings } = loadFleet(
      `apiVersion: arcflux/v2
repository:
  url: https://git.example.com/edge/fleet.git
  brnch: main
arc: { resourceGroup: rg-edge }
clusters:
  edge-0:
    variables: { tls.crt: x, ok: null }
    sets:
      pos: { interval: 5, dependsOn: [web] }
      Web: { prune: "yes" }
`,
      "fleet.yaml",
    );
    expect(fleet).toBeUndefined();
    expect(findings.map(({ line, column, path }) => [line, column, path])).toEqual([
      [1, 13, "apiVersion"],
      [4, 3, "repository.brnch"],
      [5, 1, "arc.location"],
      [8, 18, 'clusters.edge-0.variables["tls.crt"]'],
      [8, 34, "clusters.edge-0.variables.ok"],
      [10, 24, "clusters.edge-0.sets.pos.interval"],
      [10, 39, "clusters.edge-0.sets.pos.dependsOn[0]"],
      [11, 7, "clusters.edge-0.sets.Web"],
      [11, 21, "clusters.edge-0.sets.Web.prune"],
    ]);
  });

  it("say what is wrong, what was received and what is allowed, in one line", () => {
    expect(findingsOf(fleetText({ cluster: "sets:\n  pos: { intervall: 10m, timeout: 1d }" }))).toEqual([
      "fleet.yaml:9:14: clusters.edge-0.sets.pos.intervall: unknown key; the nearest known key is interval; allowed here: " +
        "path, source, sourceRef, tenant, dependsOn, suspend, idle, uniform, window, interval, retryInterval, timeout and 23 more",
      'fleet.yaml:9:39: clusters.edge-0.sets.pos.timeout: "1d" is not a duration; write numbers with h, m, s or ms, such as 10m or 1h30m0s',
    ]);
  });

  it("name what is missing once, at the nearest place above it", () => {
    expect(findingsOf("clusters: { edge-0: {} }\n").map((line) => line.replace(/;.*/, ""))).toEqual([
      "fleet.yaml:1:1: apiVersion: is missing",
      "fleet.yaml:1:1: arc.location: is missing, and no cluster has one of its own",
      "fleet.yaml:1:1: arc.resourceGroup: is missing, and no cluster has one of its own",
      "fleet.yaml:1:1: repository: is missing",
    ]);
    expect(pathsOf("apiVersion: arcflux/v1\nrepository: {}\n")).toEqual(["clusters", "repository.url"]);
  });

  it("name the cluster that lacks what others have", () => {
    const text = fleetText({ cluster: "arc: { resourceGroup: rg, location: westeurope }" }).replace(
      /^arc.*$/m,
      "",
    );
    expect(pathsOf(`${text}  edge-1: { agents: present, arc: { location: northeurope } }\n`)).toEqual([
      "clusters.edge-1.arc.resourceGroup",
    ]);
  });

  it("warn of a set with nothing after the colon, and still load", () => {
    const { fleet, findings } = loadFleet(fleetText({ cluster: "sets:\n  pos:\n  web: {}" }), "fleet.yaml");
    expect(fleet?.clusters[0]?.sets.map(({ name }) => name)).toEqual(["web"]);
    expect(findings).toMatchObject([{ severity: "warning", line: 9, path: "clusters.edge-0.sets.pos" }]);
    expect(
      findingsOf(fleetText({ top: "sets: { pos: {}, web: {} }", cluster: "sets: { pos: null, web: ~ }" })),
    ).toEqual([]);
  });
});

describe("what a terminal or a log would take for more than text", () => {
  // An escape of terminals, one of eight bits, a line break of Unicode, and signs that turn the direction of reading.
  it.each(["\\e[31m", "\\x9b31m", "\\u2028", "\\u202e", "\\u2066", "\\U000e0001"])(
    "%s is spelled out",
    (sign) => {
      const lines = findingsOf(
        fleetText({
          cluster: `labels: { "${sign}": x }\nsets: { pos: { interval: "${sign}", suspend: { reason: "${sign}", "${sign}": x } } }`,
          top: `windows: { w: { open: "${sign} 1 * * *", close: 1 2 3 4 5 } }`,
        }),
      );
      expect(lines.length).toBeGreaterThan(3);
      for (const line of lines) expect(line).toMatch(/^\P{C}+$/u);
      expect(lines.join("\n")).toMatch(/\\u(001b|009b|2028|202e|2066|db40\\udc01)/);
    },
  );
});

describe("a number that should be text", () => {
  it.each([
    ["suspend: { reason: 0042 }", "0042 is not allowed"],
    ["suspend: { reason: 1e3, until: 2026-12-24 }", "1e3 is not allowed"],
    ["interval: 010", "010 is not allowed"],
    ["dependsOn: [0x1F]", "0x1F is not allowed"],
    ["targetNamespace: TRUE", "TRUE is not allowed"],
    ["path: 1.10", "1.10 is not allowed"],
  ])("is shown as it stands in the file: %s", (field, message) => {
    expect(findingsOf(fleetText({ cluster: `sets: { pos: { ${field} } }` }))).toEqual([
      expect.stringContaining(`: ${message}`),
    ]);
  });
});

describe("names and values that are refused", () => {
  it("lists every bad variable name (A03)", () => {
    expect(
      clusterPaths('variables: { tls.crt: a, cluster-region: b, 9lives: c, größe: d, "": e, _ok1: f }'),
    ).toEqual(
      ["tls.crt", "cluster-region", "9lives", "größe", ""].map((name) =>
        /^[\w-]+$/.test(name) ? `clusters.edge-0.variables.${name}` : `clusters.edge-0.variables["${name}"]`,
      ),
    );
  });

  it.each(["Edge_App", "app.", "${SITE}-app", "münchen", "a".repeat(64), "a".repeat(253), "-a", "a..b"])(
    "a set is not named %s (A08)",
    (name) => {
      expect(findingsOf(fleetText({ cluster: `sets: { ${JSON.stringify(name)}: {} }` }))).toEqual([
        expect.stringContaining("a set name has 1 to 63 lower-case letters"),
      ]);
    },
  );

  it.each(["app.v2", "a".repeat(63), "7", "sources", "my-window-x"])(
    "a set may be named %s (A08)",
    (name) => {
      expect(clusterPaths(`sets: { ${JSON.stringify(name)}: {} }`)).toEqual([]);
    },
  );

  it.each(["kustomization", "bootstrap", "edge-config-bootstrap", "source-a", "window-a", "alert-a"])(
    "a set is not named %s, which is reserved",
    (name) => {
      expect(findingsOf(fleetText({ cluster: `sets: { ${name}: {} }` }))).toEqual([
        expect.stringContaining("is reserved"),
      ]);
    },
  );

  it.each([
    "apps\\edge\\base",
    "/apps/edge",
    "../components/x",
    "apps/../../x",
    "",
    "a\u0007b",
    "a/ b",
    ".git/hooks",
  ])("a path is not %j (A10)", (path) => {
    expect(clusterPaths(`sets: { pos: { path: ${JSON.stringify(path)} } }`)).toEqual([
      "clusters.edge-0.sets.pos.path",
    ]);
  });

  it.each([
    ["apps/edge", "./apps/edge"],
    ["./apps/edge/", "./apps/edge"],
    ["apps//edge", "./apps/edge"],
    ["./.flux/apps", "./.flux/apps"],
    ["apps/Süd 1", "./apps/Süd 1"],
    [".", "./"],
  ])("the path %s becomes %s (A10)", (path, normal) => {
    const { fleet } = loadFleet(
      fleetText({ cluster: `sets: { pos: { path: ${JSON.stringify(path)} } }` }),
      "f",
    );
    expect(fleet?.clusters[0]?.sets[0]?.spec.path).toBe(normal);
  });

  it.each(["5", '"5"', "1d", "PT5M", "-5m", '"1h 30m"', "10M", '""', "100us", "59s", "9999999999h"])(
    "an interval is not %s (A05)",
    (interval) => {
      expect(clusterPaths(`sets: { pos: { interval: ${interval} } }`)).toEqual([
        "clusters.edge-0.sets.pos.interval",
      ]);
    },
  );

  it("keeps the author's spelling of a duration (A05)", () => {
    for (const interval of ["1h30m0s", "90s", "1.5h", "60000ms", "720m0s", "60m0s"]) {
      const { fleet } = loadFleet(fleetText({ cluster: `sets: { pos: { interval: ${interval} } }` }), "f");
      expect(fleet?.clusters[0]?.sets[0]?.spec.interval).toBe(interval);
    }
  });

  it("takes only whole seconds for the bootstrap, which Azure counts in", () => {
    const paths = (bootstrap: string) => pathsOf(fleetText({ top: `bootstrap: ${bootstrap}` }));
    expect(paths("{ interval: 90500ms, retryInterval: 0s, timeout: 35791395s }")).toEqual([
      "bootstrap.interval",
      "bootstrap.retryInterval",
      "bootstrap.timeout",
    ]);
    expect(paths("{ interval: 35791394s, retryInterval: 1s, timeout: 1.5h }")).toEqual([]);
  });

  it.each(["-edge", "edge_", "a b", "a/b", "ä", "a".repeat(64), "con", "edge.1"])(
    "a cluster is not named %s",
    (name) => {
      const text = fleetText().replace("edge-0:", `${JSON.stringify(name)}:`);
      expect(loadFleet(text, "f").findings).toHaveLength(1);
    },
  );

  it("refuses what is neither text, number nor boolean as a variable (A02)", () => {
    expect(clusterPaths("variables: { a: null, b: [1], c: { d: 1 }, e: }")).toEqual(
      ["a", "b", "c", "e"].map((name) => `clusters.edge-0.variables.${name}`),
    );
  });

  it("checks labels, annotations, tags and namespaces by their own rules", () => {
    expect(
      pathsOf(
        fleetText({
          cluster: `labels: { tier: "02:00", -x: y }
arc: { tags: { "a/b": c } }
sets:
  pos:
    targetNamespace: Shop
    labels: { a b: c, n: 1 }
    annotations: { /x: "any text: 02:00" }
    dependsOn: []`,
        }),
      ),
    ).toEqual([
      "clusters.edge-0.labels.tier",
      "clusters.edge-0.labels.-x",
      'clusters.edge-0.arc.tags["a/b"]',
      "clusters.edge-0.sets.pos.targetNamespace",
      'clusters.edge-0.sets.pos.labels["a b"]',
      "clusters.edge-0.sets.pos.labels.n",
      'clusters.edge-0.sets.pos.annotations["/x"]',
    ]);
  });

  it("takes a time for no label and no name of a window, but for an annotation (A09)", () => {
    const times = ["Sat 02:00-04:00 Europe/Berlin", "02:00", "weekend-", "x".repeat(70)];
    for (const time of times) {
      expect(clusterPaths(`sets: { pos: { labels: { maintenance: "${time}" } } }`)).toEqual([
        "clusters.edge-0.sets.pos.labels.maintenance",
      ]);
      expect(clusterPaths(`sets: { pos: { annotations: { maintenance: "${time}" } } }`)).toEqual([]);
      const top = `windows: { "${time}": { open: 0 2 * * 6, close: 0 4 * * 6 } }`;
      expect(pathsOf(fleetText({ top, cluster: `sets: { pos: { window: "${time}" } }` }))).toHaveLength(1);
    }
    const top = "windows: { weekend: { open: 0 2 * * 6, close: 0 4 * * 6 } }";
    expect(pathsOf(fleetText({ top, cluster: "sets: { pos: { window: weekend } }" }))).toEqual([]);
    expect(clusterPaths("sets: { pos: { labels: { maintenance: weekend } } }")).toEqual([]);
  });

  it("refuses the label with which Flux would never create a set", () => {
    expect(
      clusterPaths("sets: { pos: { labels: { kustomize.toolkit.fluxcd.io/reconcile: disabled } } }"),
    ).toHaveLength(1);
  });
});
