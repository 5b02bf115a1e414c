import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { loadFleet } from "../../fleet/load.ts";
import { fleetText, mustLoad } from "./fixture.ts";

const onlySet = (text: string) => mustLoad(text).clusters[0]!.sets[0]!;

describe("loading a fleet", () => {
  it("fills in every documented default", () => {
    const { repository, clusters } = mustLoad(`
apiVersion: arcflux/v1
repository: { url: https://git.example.com/edge/fleet.git }
arc: { resourceGroup: rg-edge, location: westeurope }
clusters: { edge-0: { sets: { pos: {} } } }
`);
    expect(repository).toEqual({
      url: "https://git.example.com/edge/fleet.git",
      branch: "main",
      mode: "push",
      access: "public",
      commit: { name: "Arcflux", email: "arcflux@localhost.invalid", per: "push" },
    });
    expect(clusters).toEqual([
      {
        name: "edge-0",
        labels: {},
        attributes: {},
        follows: "main",
        platform: "arc",
        lifecycle: "active",
        agents: "install",
        arc: { name: "edge-0", resourceGroup: "rg-edge", location: "westeurope", tags: {}, connection: {} },
        config: "edge-config",
        bootstrap: {
          interval: "10m",
          retryInterval: "2m",
          timeout: "5m",
          prune: true,
          wait: false,
          force: false,
        },
        fetchInterval: "10m",
        hardware: 1,
        flux: { version: "2.7", lockdown: true },
        folder: "clusters/edge-0",
        fluxFolder: "clusters/edge-0/flux",
        setsFolder: "clusters/edge-0/sets",
        sets: [
          {
            name: "pos",
            labels: {},
            annotations: {},
            dependsOn: [],
            sourceRef: { kind: "GitRepository", name: "edge-config" },
            spec: {
              path: "./clusters/edge-0/sets/pos",
              interval: "10m",
              retryInterval: "2m",
              timeout: "5m",
              prune: true,
              wait: true,
            },
          },
        ],
        sources: [],
        tenants: [],
        windows: [],
        alerts: [],
        apps: [],
      },
    ]);
  });

  it("loads the sample of the repository without a finding", () => {
    const text = readFileSync(join(import.meta.dirname, "../../fleet.yaml"), "utf8");
    const { fleet, findings } = loadFleet(text, "fleet.yaml");
    expect(findings).toEqual([]);
    expect(fleet?.clusters.map(({ name, sets }) => [name, sets.map((set) => set.name)])).toEqual([
      ["edge-device-0", ["infrastructure", "set-01", "set-02"]],
    ]);
  });

  it("lets the cluster win over the shared set, and the shared set over any defaults", () => {
    const set = onlySet(
      fleetText({
        top: `
defaults: { interval: 1m, timeout: 1m, retryInterval: 1m, prune: false, labels: { a: fleet, b: fleet, c: fleet } }
sets: { pos: { path: ./apps/pos, timeout: 3m, retryInterval: 3m, dependsOn: [], labels: { c: shared, d: shared } } }`,
        cluster: `
defaults: { timeout: 2m, prune: true, labels: { b: cluster } }
sets: { pos: { retryInterval: 4m, labels: { d: own } } }`,
      }),
    );
    expect(set).toMatchObject({
      spec: { path: "./apps/pos", interval: "1m", timeout: "3m", retryInterval: "4m", prune: true },
      labels: { a: "fleet", b: "cluster", c: "shared", d: "own" },
    });
  });

  it("gives a cluster only the sets it names, and none it opted out of", () => {
    const { clusters } = mustLoad(
      fleetText({ top: "sets: { a: {}, b: {}, c: {} }", cluster: "sets: { a: {}, b: null }" }),
    );
    expect(clusters[0]!.sets.map(({ name }) => name)).toEqual(["a"]);
  });

  it("replaces lists as a whole", () => {
    const { clusters } = mustLoad(
      fleetText({
        top: "sets: { a: { dependsOn: [b] }, b: {}, c: {} }",
        cluster: "sets: { a: { dependsOn: [c] }, b: {}, c: {} }",
      }),
    );
    expect(clusters[0]!.sets[0]!.dependsOn).toEqual([{ name: "c" }]);
  });

  it("merges arc and flux of a cluster over the fleet's, tags key by key", () => {
    const { clusters } = mustLoad(`
apiVersion: arcflux/v1
repository: { url: https://git.example.com/edge/fleet.git }
flux: { version: 2.10 }
arc: { resourceGroup: rg-edge, location: westeurope, tags: { owner: edge, cost: "1" } }
clusters:
  edge-0: { arc: { location: northeurope, tags: { cost: "2" } }, flux: { lockdown: false } }
`);
    expect(clusters[0]!.arc).toEqual({
      connection: {},
      name: "edge-0",
      resourceGroup: "rg-edge",
      location: "northeurope",
      tags: { owner: "edge", cost: "2" },
    });
    expect(clusters[0]!.flux).toEqual({ version: "2.10", lockdown: false });
  });

  it("lays folders out as told", () => {
    const { clusters } = mustLoad(
      fleetText({
        top: "layout: { cluster: 'sites/{cluster}/k8s/', flux: ., sets: apps/own }",
        cluster: "sets: { pos: {} }",
      }),
    );
    expect(clusters[0]).toMatchObject({
      folder: "sites/edge-0/k8s",
      fluxFolder: "sites/edge-0/k8s",
      setsFolder: "sites/edge-0/k8s/apps/own",
      sets: [{ spec: { path: "./sites/edge-0/k8s/apps/own/pos" } }],
    });
  });

  it("takes the repository URL of the caller instead of the file's, even where the file has none", () => {
    const url = "http://127.0.0.1:8080/fleet.git";
    expect(loadFleet(fleetText(), "f", { repositoryUrl: url }).fleet?.repository.url).toBe(url);
    const without = fleetText().replace(/^repository.*$/m, "");
    expect(loadFleet(without, "f", { repositoryUrl: url }).fleet?.repository.url).toBe(url);
    const { findings } = loadFleet(fleetText(), "f", { repositoryUrl: "ftp://x" });
    expect(findings.map(({ path, message }) => [path, message])).toEqual([
      ["repository.url", expect.stringMatching(/is not a repository URL.*overrides the file's/) as string],
    ]);
  });

  it("names where a faulty repository URL was set, and the one of the file that it takes the place of", () => {
    const fine = "https://git.example.com/other.git";
    const found = (url: string, own: string) =>
      loadFleet(fleetText().replace("https://git.example.com/edge/fleet.git", own), "f", {
        repositoryUrl: url,
        repositoryUrlFrom: "the flag --url",
      }).findings.map(({ path, severity, message }) => `${severity} ${path}: ${message}`);
    expect(found("nowhere", fine)).toEqual([
      expect.stringMatching(
        /^error repository\.url: .*overrides the file's; .*where it is set: the flag --url\)$/,
      ),
    ]);
    for (const own of [
      "https://user:S3CRET@git.example.com/fleet.git",
      "https://S3CRET@git.example.com/fleet.git",
      "HTTPS://user:S3CRET@git.example.com/fleet.git",
      "https://git.example.com/fleet.git?access_token=S3CRET",
      "ssh://git:S3CRET@git.example.com/fleet.git",
      "user:S3CRET@git.example.com:fleet.git",
    ]) {
      const [fault, ...none] = found(fine, `"${own}"`);
      expect(none).toEqual([]);
      expect(fault).toMatch(
        /^error repository\.url: .*\(the flag --url overrides it, but this file is committed with it\)$/,
      );
      expect(fault).not.toContain("S3CRET");
    }
    // What is wrong with it otherwise matters to nobody.
    for (const own of ["nowhere", "git@git.example.com", "git@git.example.com:edge/fleet.git", "5", "null"]) {
      expect(found(fine, own)).toEqual([]);
    }
    expect(found("https://S3CRET@git.example.com/x", '"https://user:S3CRET@git.example.com/x"')).toHaveLength(
      2,
    );
    for (const text of ["", "null", "5", "repository: a", "repository: [a]"])
      expect(() => loadFleet(text, "f", { repositoryUrl: fine })).not.toThrow();
  });

  it("takes CRLF, a byte order mark, anchors and aliases", () => {
    const text = fleetText({
      top: "sets: { a: { labels: &tier { tier: front } }, b: { labels: *tier } }",
      cluster: "sets: { a: {}, b: {} }",
    });
    expect(mustLoad(`\uFEFF${text.replaceAll("\n", "\r\n")}`)).toEqual(mustLoad(text));
    expect(mustLoad(text).clusters[0]!.sets[1]!.labels).toEqual({ tier: "front" });
  });

  it("treats names that objects have by nature as any other", () => {
    const { clusters } = mustLoad(
      fleetText({
        cluster:
          "variables: { toString: a }\nsets: { constructor: {}, valueof: { dependsOn: [constructor] } }",
      }),
    );
    expect(clusters[0]!.sets.map(({ name, spec }) => [name, spec["postBuild"]])).toEqual([
      ["constructor", { substitute: { toString: "a", arcflux_cluster: "edge-0" } }],
      ["valueof", { substitute: { toString: "a", arcflux_cluster: "edge-0" } }],
    ]);
  });
});

describe("variables are text from the source", () => {
  it.each([
    ["0042", "0042"],
    ["004", "004"],
    ["71111111117", "71111111117"],
    ["12345678901234567890", "12345678901234567890"],
    ["1.10", "1.10"],
    ["1e3", "1e3"],
    ["0x1F", "0x1F"],
    ["true", "true"],
    ["False", "False"],
    [".inf", ".inf"],
    ["-.INF", "-.INF"],
    ["2024-01-01", "2024-01-01"],
    ["on", "on"],
    ["'it''s'", "it's"],
    ['"a\\nb"', "a\nb"],
    ['""', ""],
    ["'null'", "null"],
    ["!!str 007", "007"],
    ["two words # and a comment", "two words"],
    ["|\n      line one\n      line two\n", "line one\nline two\n"],
  ])("%s is %j", (source, value) => {
    expect(
      onlySet(
        fleetText({
          cluster: `variables:\n  v: ${source}\nsets: { pos: {} }`.replaceAll("\n      ", "\n    "),
        }),
      ).spec["postBuild"],
    ).toEqual({ substitute: { v: value, arcflux_cluster: "edge-0" } });
  });
});
