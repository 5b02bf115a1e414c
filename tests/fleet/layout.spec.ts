import { describe, expect, it } from "vitest";
import { formatFinding } from "../../fleet/finding.ts";
import { loadFleet } from "../../fleet/load.ts";
import { findingsOf, mustLoad } from "./fixture.ts";

const header = `apiVersion: arcflux/v1
repository: { url: https://git.example.com/edge/fleet.git }
arc: { resourceGroup: rg-edge, location: westeurope }
`;
const blueGreen = (blue: string, green: string) => `${header}agents: present
layout: { cluster: "clusters/{environment}/{slot}" }
clusters:
  blue: { attributes: { environment: staging, slot: ${blue} }, sets: { pos: {} } }
  green: { attributes: { environment: staging, slot: ${green} } }
`;

describe("folders by attributes", () => {
  it("are filled in for each cluster, from the source text", () => {
    const [blue, green] = mustLoad(blueGreen("01", "green")).clusters;
    expect([blue!.folder, blue!.fluxFolder, green!.folder]).toEqual([
      "clusters/staging/01",
      "clusters/staging/01/flux",
      "clusters/staging/green",
    ]);
    expect(blue!.attributes).toEqual({ environment: "staging", slot: "01" });
    expect(blue!.sets[0]!.spec.path).toBe("./clusters/staging/01/sets/pos");
  });

  it("are one cluster's alone", () => {
    expect(findingsOf(blueGreen("blue", "blue"))).toEqual([
      expect.stringMatching(
        /^fleet\.yaml:8:3: clusters\.green: has the folder of blue, clusters\/staging\/blue/,
      ),
    ]);
    expect(findingsOf(blueGreen("blue", "Blue"))).toEqual([
      expect.stringContaining("has but for upper and lower case, the folder of blue"),
    ]);
  });

  it("take no attribute for {stage}", () => {
    const top = `${header}agents: present\nlayout: { cluster: "{stage}/{cluster}" }\nstages: { prod: {} }\nclusters:\n`;
    const lines = (cluster: string) =>
      loadFleet(`${top}  a: ${cluster}\n`, "fleet.yaml").findings.map(formatFinding);
    expect(lines("{ stage: prod, attributes: { stage: dev } }")).toEqual([
      expect.stringMatching(/clusters\.a\.attributes\.stage: stands for the stage of the cluster/),
    ]);
    expect(lines("{ attributes: { site: x } }")).toEqual([
      expect.stringMatching(/clusters\.a\.stage: is missing, and layout\.cluster has \{stage\}/),
    ]);
  });

  it("take the name of the stage for {stage}", () => {
    const text = `${header}layout: { cluster: "{stage}/{cluster}" }\nstages: { prod: {} }\nclusters: { a: { stage: prod } }\n`;
    expect(mustLoad(text).clusters[0]!.folder).toBe("prod/a");
  });

  it("are filled in from labels too, where no attribute has the name", () => {
    const text = `${header}agents: present
layout: { cluster: "{region}/{kind}/{cluster}" }
clusters:
  a: { labels: { region: north, kind: store }, attributes: { kind: depot } }
`;
    expect(mustLoad(text).clusters[0]!.folder).toBe("north/depot/a");
    expect(findingsOf(text.replace("region: north", 'region: ""'))).toEqual([
      expect.stringMatching(/clusters\.a\.attributes\.region: is missing, .*or a label of that name/),
    ]);
  });

  it("need every attribute they name, of every cluster", () => {
    const text = `${header}agents: present
layout: { cluster: "{environment}/{slot}" }
clusters:
  a: { attributes: { slot: x } }
  b: {}
`;
    expect(findingsOf(text).map((line) => line.split(/[,;]/)[0])).toEqual([
      "fleet.yaml:7:8: clusters.a.attributes.environment: is missing",
      "fleet.yaml:8:3: clusters.b.attributes.environment: is missing",
      "fleet.yaml:8:3: clusters.b.attributes.slot: is missing",
    ]);
  });

  it.each(["a/b", "..", "", "a b", ".x", "ä"])("are no way out: an attribute is not %j", (value) => {
    const { findings } = loadFleet(blueGreen(JSON.stringify(value), "green"), "fleet.yaml");
    expect(findings.map(({ path }) => path)).toEqual(["clusters.blue.attributes.slot"]);
  });
});

describe("a folder of its own", () => {
  const with3 = (management: string) => `${header}agents: present
layout: { cluster: "clusters/{environment}/{slot}" }
clusters:
  tmp-mgmt: { folder: ${management}, sets: { capi: {} }, apps: { podinfo: {} } }
  blue: { attributes: { environment: staging, slot: blue }, sets: { pos: {} } }
`;

  it("stands beside those of the layout, whose attributes it does not need", () => {
    const [management, blue] = mustLoad(with3("./clusters/tmp-mgmt/")).clusters;
    expect([
      management!.folder,
      management!.fluxFolder,
      management!.sets.map(({ spec }) => spec.path),
    ]).toEqual([
      "clusters/tmp-mgmt",
      "clusters/tmp-mgmt/flux",
      ["./clusters/tmp-mgmt/apps", "./clusters/tmp-mgmt/sets/capi"],
    ]);
    expect(management!.apps[0]!.resource).toBe("../../../apps/podinfo");
    expect(blue!.folder).toBe("clusters/staging/blue");
  });

  it.each([
    ["clusters/staging/blue", /:8:3: clusters\.blue: has the folder of tmp-mgmt, clusters\/staging\/blue/],
    [
      "clusters/Staging/blue",
      /:8:3: clusters\.blue: has but for upper and lower case, the folder of tmp-mgmt/,
    ],
    [
      "clusters/staging/blue/x",
      /:7:\d+: clusters\.tmp-mgmt\.folder: puts clusters\/staging\/blue\/x inside clusters\/staging\/blue, the folder of blue/,
    ],
    [
      "clusters/staging",
      /:8:3: clusters\.blue: puts clusters\/staging\/blue inside clusters\/staging, the folder of tmp-mgmt/,
    ],
    ["./", /:7:\d+: clusters\.tmp-mgmt\.folder: is the root of the repository/],
    ["../tmp", /clusters\.tmp-mgmt\.folder: .*has \.\./],
    ["clusters/nul", /clusters\.tmp-mgmt\.folder: has a folder that Windows cannot store/],
  ])("is not %s, where another cluster or no cluster can be", (folder, message) => {
    expect(findingsOf(with3(folder))).toEqual([expect.stringMatching(message)]);
  });
});

describe("names that Windows cannot store", () => {
  it.each([
    ["clusters: { NUL: {} }", "clusters.NUL"],
    ["clusters: { a: { sets: { con: {} } } }", "clusters.a.sets.con"],
    ["clusters: { a: { sets: { aux.v2: {} } } }", 'clusters.a.sets["aux.v2"]'],
    ["sets: { com1: {} }\nclusters: { a: {} }", "sets.com1"],
    ["groups: { g: { match: {}, sets: { lpt9: {} } } }\nclusters: { a: {} }", "groups.g.sets.lpt9"],
    ["stages: { s: { apps: { prn: {} } } }\nclusters: { a: {} }", "stages.s.apps.prn"],
    ['layout: { cluster: "aux/{cluster}" }\nclusters: { a: {} }', "layout.cluster"],
    ["layout: { flux: con.d }\nclusters: { a: {} }", "layout.flux"],
    ['layout: { cluster: "{site}" }\nclusters: { a: { attributes: { site: nul.1 } } }', "clusters.a"],
  ])("are refused: %s", (text, path) => {
    const { findings } = loadFleet(`${header}${text}\n`, "fleet.yaml");
    expect(findings).toEqual([
      expect.objectContaining({
        path,
        severity: "error",
        message: expect.stringContaining("Windows") as string,
      }),
    ]);
  });

  it("are not those that only look like them, nor those that get a prefix in their file", () => {
    const text = `${header}sources: { con: { kind: GitRepository, url: self } }
windows: { aux: { open: 0 1 * * *, close: 0 4 * * * } }
alerts: { nul: { provider: { type: slack } } }
clusters: { console: { sets: { com: { source: con, path: ./a }, auxiliary: { window: aux }, x.con: {} } } }
`;
    expect(findingsOf(text)).toEqual([]);
  });
});

describe("how a cluster is reached", () => {
  it("may be said once for a group, with its name in it", () => {
    const text = `${header}groups: { g: { match: {}, kubeconfig: { context: "edge-{cluster}" } } }\nclusters: { a: {}, b: {} }\n`;
    expect(mustLoad(text).clusters.map(({ kubeconfig }) => kubeconfig)).toEqual([
      { context: "edge-a" },
      { context: "edge-b" },
    ]);
    expect(findingsOf(text.replace("{cluster}", "x"))).toEqual([
      expect.stringMatching(/groups\.g\.kubeconfig: is the one of a too;.*\(b too\): write \{cluster\}/),
    ]);
    expect(findingsOf(text.replace("{cluster}", "{site}"))).toContainEqual(
      expect.stringContaining('groups.g.kubeconfig: has the placeholder "site"'),
    );
  });

  it("may be a stack config key, which has no namespace: the program reads its own", () => {
    const text = (config: string) =>
      `${header}clusters: { a: { kubeconfig: { config: ${JSON.stringify(config)} } } }\n`;
    for (const wrong of ["arcflux:kc", "kc:", ":kc", "k c", "{a b}", "{"]) {
      expect(findingsOf(text(wrong))).toEqual([
        expect.stringMatching(
          /clusters\.a\.kubeconfig\.config: .*; write the key .* without arcflux: before it/,
        ),
      ]);
    }
    expect(mustLoad(text("kc-{cluster}.x")).clusters[0]!.kubeconfig).toEqual({ config: "kc-a.x" });
  });

  it("is without Azure on plain Kubernetes", () => {
    const text = `apiVersion: arcflux/v1
repository: { url: https://git.example.com/edge/fleet.git }
platform: kubernetes
clusters: { a: { kubeconfig: { context: a } }, b: {} }
`;
    expect(findingsOf(text)).toEqual([
      expect.stringMatching(
        /clusters\.b\.kubeconfig: is missing.*write kubeconfig: \{context: …\} or \{config: …\}$/,
      ),
    ]);
    const { clusters } = mustLoad(text.replace("b: {}", "b: { kubeconfig: { config: b } }"));
    expect(clusters.map(({ platform, agents }) => [platform, agents])).toEqual([
      ["kubernetes", "present"],
      ["kubernetes", "present"],
    ]);
    expect(findingsOf(text.replace("b: {}", "b: { kubeconfig: { config: b }, agents: install }"))).toEqual([
      expect.stringContaining("clusters.b.agents: install connects a cluster to Azure Arc"),
    ]);
  });
});

describe("stages", () => {
  const stages = (text: string) => findingsOf(`${header}stages: ${text}\nclusters: { a: {} }\n`);

  it("come one after the other", () => {
    expect(stages("{ dev: { branch: dev }, prod: { after: dev, branch: prod } }")).toEqual([]);
    expect(stages("{ a: { after: b, branch: a }, b: { after: a, branch: b } }")).toEqual([
      expect.stringContaining("stages.a.after: closes the loop a -> b -> a"),
    ]);
    expect(stages("{ prod: { after: tset, branch: prod }, test: {} }")).toEqual([
      expect.stringMatching(/stages\.prod\.after: "tset" is not a stage .*Did you mean test\?/),
    ]);
  });

  it("have branches that git takes and names that keep their order", () => {
    expect(stages("{ dev: { branch: a..b } }")).toEqual([expect.stringContaining("stages.dev.branch")]);
    expect(stages("{ 1: {} }")).toEqual([expect.stringContaining("a name of a stage or group")]);
  });

  it("leave a cluster active until it is retired", () => {
    const text = `${header}clusters: { a: {} }\n`;
    expect(mustLoad(text).clusters[0]!.lifecycle).toBe("active");
    expect(mustLoad(text.replace("a: {}", "a: { lifecycle: retired }")).clusters[0]!.lifecycle).toBe(
      "retired",
    );
    expect(findingsOf(text.replace("a: {}", "a: { lifecycle: dead }"))).toEqual([
      expect.stringContaining('"dead" is not allowed; write active or retired'),
    ]);
  });
});
