import { describe, expect, it } from "vitest";
import { formatFinding } from "../../fleet/finding.ts";
import { loadFleet } from "../../fleet/load.ts";
import { validateSpec } from "../../flux/crd/validate.ts";
import { findingsOf, fleetText, mustLoad } from "./fixture.ts";

const self = "infra: { kind: GitRepository, url: self, ref: { tag: v1 } }";
const text = (sources: string, cluster: string, top = "") =>
  fleetText({ top: `sources: { ${sources} }\n${top}`, cluster });
const sourcesOf = (sources: string, cluster: string, top = "") =>
  mustLoad(text(sources, cluster, top)).clusters[0]!.sources;
const problems = (sources: string, cluster = "sets: { a: { source: infra } }", top = "") =>
  loadFleet(text(sources, cluster, top), "f").findings.map(
    ({ path, message }) => `${path}: ${message.split(";")[0]}`,
  );

describe("sources", () => {
  it("come with the sets that take them, and no others", () => {
    const all = `${self}, other: { kind: OCIRepository, url: oci://ghcr.io/org/x, ref: { semver: 1.x } },
      unused: { kind: Bucket, bucketName: b, endpoint: minio.example.com, provider: generic }`;
    expect(sourcesOf(all, "sets: { a: { source: other }, b: {}, c: { source: infra } }")).toEqual([
      {
        name: "infra",
        kind: "GitRepository",
        spec: { url: "https://git.example.com/edge/fleet.git", interval: "10m", ref: { tag: "v1" } },
        self: true,
      },
      {
        name: "other",
        kind: "OCIRepository",
        spec: { url: "oci://ghcr.io/org/x", interval: "10m", ref: { semver: "1.x" } },
        self: false,
      },
    ]);
  });

  it("come with those they include, and with a sourceRef written by hand", () => {
    const names = sourcesOf(
      `${self}, a: { kind: GitRepository, url: https://h/a, include: [{ repository: { name: b } }] },
       b: { kind: GitRepository, url: https://h/b, include: [{ repository: { name: a } }] }`,
      "sets: { x: { sourceRef: { kind: GitRepository, name: a } } }",
    ).map(({ name }) => name);
    expect(names).toEqual(["a", "b"]);
  });

  it("give the set its sourceRef; the default is the fleet's repository", () => {
    const { sets } = mustLoad(
      text(
        `${self}, oci: { kind: OCIRepository, url: oci://h/x }`,
        `sets:
  a: {}
  b: { source: infra }
  c: { source: oci }
  d: { sourceRef: { kind: ExternalArtifact, name: built } }
  e: { source: oci, path: ./deploy }`,
      ),
    ).clusters[0]!;
    expect(sets.map(({ sourceRef, spec }) => [sourceRef.kind, sourceRef.name, spec.path])).toEqual([
      ["GitRepository", "edge-config", "./clusters/edge-0/sets/a"],
      ["GitRepository", "infra", "./clusters/edge-0/sets/b"],
      // A source of someone else has no folder of the cluster.
      ["OCIRepository", "oci", "./"],
      ["ExternalArtifact", "built", "./"],
      ["OCIRepository", "oci", "./deploy"],
    ]);
  });

  it("let a later source win over an earlier sourceRef, and the other way round", () => {
    const top =
      "stages: { s: { sets: { a: { sourceRef: { kind: ExternalArtifact, name: x } }, b: { source: infra } } } }";
    const { sets } = mustLoad(
      text(
        self,
        "stage: s\nsets: { a: { source: infra }, b: { sourceRef: { kind: ExternalArtifact, name: y } } }",
        top,
      ),
    ).clusters[0]!;
    expect(sets.map(({ sourceRef }) => sourceRef.name)).toEqual(["infra", "y"]);
  });

  it("that are the fleet itself have its URL, the override included, in the form that Flux takes", () => {
    const one = text(self, "sets: { a: { source: infra } }");
    const url = "http://127.0.0.1:8080/fleet.git";
    expect(loadFleet(one, "f", { repositoryUrl: url }).fleet?.clusters[0]?.sources[0]?.spec["url"]).toBe(url);
    const ssh = one.replace(
      /repository: .*/,
      "repository: { url: git@git.example.com:edge/fleet.git, access: ssh }",
    );
    expect(mustLoad(ssh).clusters[0]!.sources[0]!.spec["url"]).toBe(
      "ssh://git@git.example.com/edge/fleet.git",
    );
  });

  it("that are the fleet itself follow the cluster's branch unless pinned", () => {
    const ref = (cluster: string, top = "") =>
      sourcesOf(
        "infra: { kind: GitRepository, url: self }",
        `sets: { a: { source: infra } }\n${cluster}`,
        top,
      )[0]!.spec["ref"];
    expect(ref("")).toEqual({ branch: "main" });
    expect(ref("stage: s", "stages: { s: { branch: prod } }")).toEqual({ branch: "prod" });
    expect(ref("pins: { infra: { commit: 0123456789012345678901234567890123456789 } }")).toEqual({
      commit: "0123456789012345678901234567890123456789",
    });
  });

  it("are pinned by the last layer that says so, and a tag is text", () => {
    const top = `stages: { s: { pins: { infra: { semver: 1.x } } } }
groups: { g: { match: {}, pins: { infra: { tag: 1.10 } } } }`;
    const cluster = "stage: s\nsets: { a: { source: infra } }";
    expect(sourcesOf(self, cluster, top)[0]!.spec["ref"]).toEqual({ tag: "1.10" });
    const own = `${cluster}\npins: { infra: { branch: main, commit: ${"abcd".repeat(10)} } }`;
    expect(sourcesOf(self, own, top)[0]!.spec["ref"]).toEqual({ branch: "main", commit: "abcd".repeat(10) });
  });
});

describe("a pin that its kind of source does not know", () => {
  it("is told once, by Flux's own schema beside us", () => {
    const text = fleetText({
      top: "sources: { z: { kind: OCIRepository, url: oci://h/x } }",
      cluster: "sets: { a: { source: z } }\npins: { z: { branch: x } }",
    });
    expect(loadFleet(text, "fleet.yaml", { validateSpec }).findings.map(formatFinding)).toEqual([
      "fleet.yaml:9:18: clusters.edge-0.pins.z.branch: is nothing that pins an OCIRepository; write one of tag, semver, semverFilter, digest",
    ]);
  });
});

describe("a range of versions", () => {
  it.each([
    "1.x",
    "*",
    "1",
    "v1.2.3",
    "~1.4",
    "^2.0.0-rc.1",
    ">=1.0.0 <2.0.0",
    ">= 1.0, < 2.0",
    "1.2 - 1.4.5",
    "1.x || >=3.0.0-0",
  ])("may be %s", (range) => {
    expect(
      problems(
        "infra: { kind: GitRepository, url: self }",
        `pins: { infra: { semver: ${JSON.stringify(range)} } }`,
      ),
    ).toEqual([]);
  });

  it.each(["", "main", "1.2.3.4", ">", "1.0 ||", "=> >1", "1..2"])("is not %j", (range) => {
    expect(
      problems(
        "infra: { kind: GitRepository, url: self }",
        `pins: { infra: { semver: ${JSON.stringify(range)} } }`,
      ),
    ).toEqual([expect.stringContaining("clusters.edge-0.pins.infra.semver: ")]);
  });
});

describe("faults of sources", () => {
  it.each([
    [
      "no such source",
      self,
      "sets: { a: { source: infar } }",
      'clusters.edge-0.sets.a.source: "infar" is not a source of the fleet file',
    ],
    [
      "no such pin",
      self,
      "pins: { infar: { tag: x } }",
      'clusters.edge-0.pins.infar: "infar" is not a source of the fleet file',
    ],
    [
      "two pins",
      self,
      "pins: { infra: { tag: x, semver: 1.x } }",
      "clusters.edge-0.pins.infra: has tag and semver, and Flux would take only one of them",
    ],
    [
      "two keys of a ref",
      "infra: { kind: GitRepository, url: self, ref: { tag: v1, branch: main } }",
      "",
      "sources.infra.ref: has branch and tag, and Flux would take only one of them",
    ],
    [
      "two keys of the ref of an artifact",
      "infra: { kind: OCIRepository, url: oci://h/x, ref: { digest: sha256:0, tag: v1 } }",
      "",
      "sources.infra.ref: has tag and digest, and Flux would take only one of them",
    ],
    [
      "a commit that is cut short",
      self,
      "pins: { infra: { commit: abc } }",
      'clusters.edge-0.pins.infra.commit: "abc" is not allowed',
    ],
    [
      "a range that is none",
      self,
      "pins: { infra: { semver: latest } }",
      'clusters.edge-0.pins.infra.semver: "latest" is not allowed',
    ],
    [
      "a branch of an artifact",
      "infra: { kind: OCIRepository, url: oci://h/x }",
      "sets: { a: { source: infra } }\npins: { infra: { branch: x } }",
      "clusters.edge-0.pins.infra.branch: is nothing that pins an OCIRepository",
    ],
    ["an empty pin", self, "pins: { infra: {} }", "clusters.edge-0.pins.infra: is empty"],
    [
      "a digest of Git",
      self,
      "pins: { infra: { digest: x } }",
      "clusters.edge-0.pins.infra.digest: is nothing that pins a GitRepository",
    ],
    [
      "a pinned bucket",
      "infra: { kind: Bucket, bucketName: b, endpoint: h }",
      "pins: { infra: { tag: x } }",
      "clusters.edge-0.pins.infra: is for a Bucket, which has no versions",
    ],
    [
      "source and sourceRef",
      self,
      "sets: { a: { source: infra, sourceRef: { kind: Bucket, name: b } } }",
      "clusters.edge-0.sets.a.sourceRef: stands beside source, which says the same",
    ],
  ])("%s", (_, sources, cluster, problem) => {
    expect(problems(sources, cluster)).toEqual([problem]);
  });

  it.each([
    ["infra: { url: self }", "sources.infra.kind: is missing"],
    ["infra: { kind: HelmRepository, url: self }", 'sources.infra.kind: "HelmRepository" is not allowed'],
    ["infra: { kind: GitRepository }", "sources.infra.url: is missing"],
    ["infra: { kind: OCIRepository, url: self }", "sources.infra.url: is no URL that Flux takes here"],
    [
      "infra: { kind: GitRepository, url: 'https://u:S3CRET@h/x' }",
      "sources.infra.url: has credentials in it",
    ],
    ["infra: { kind: Bucket, endpoint: h }", "sources.infra.bucketName: is missing"],
    ["infra: { kind: GitRepository, url: self, bucketName: b }", "sources.infra.bucketName: unknown key"],
    [
      "infra: { kind: GitRepository, url: self, interval: 1s }",
      'sources.infra.interval: "1s" is less than 60 s',
    ],
    [
      "infra: { kind: GitRepository, url: self, timeout: 1h }",
      'sources.infra.timeout: "1h" has hours, which Flux does not take here',
    ],
    [
      "infra: { kind: GitRepository, url: self, ref: { branch: 'a b' } }",
      'sources.infra.ref.branch: "a b" has a space, a control character or one of ~ ^ : ? * [ \\, which git refuses',
    ],
    [
      "infra: { kind: GitRepository, url: self, ref: { tag: refs/tags/v1 } }",
      'sources.infra.ref.tag: "refs/tags/v1" is a full ref',
    ],
    [
      "infra: { kind: GitRepository, url: self, ref: { name: main } }",
      'sources.infra.ref.name: "main" is not a full ref',
    ],
    ["infra: { kind: GitRepository, url: self, ref: { tag: '' } }", "sources.infra.ref.tag: is empty"],
  ])("{ %s } has one fault", (sources, problem) => {
    expect(problems(sources)).toEqual([problem]);
    expect(findingsOf(text(sources, "")).join()).not.toContain("S3CRET");
  });

  it("name the Secret on the cluster as the place for credentials", () => {
    const [found = ""] = findingsOf(text("infra: { kind: GitRepository, url: 'https://u:S3CRET@h/x' }", ""));
    expect(found).toMatch(/hand them over in a Secret on the cluster that secretRef names/);
    expect(found).not.toContain("ARCFLUX_GIT_TOKEN");
  });

  it("include names that the cluster itself needs", () => {
    expect(
      problems(
        "edge-config: { kind: GitRepository, url: self }, Infra: { kind: GitRepository, url: self }",
        "",
      ),
    ).toEqual([
      `sources.edge-config: "edge-config" is the name of the cluster's own GitRepository`,
      expect.stringContaining('sources.Infra: "Infra" is not allowed'),
    ]);
  });

  it("a known but faulty source is not called unknown as well", () => {
    expect(problems("infra: { kind: GitRepository }")).toHaveLength(1);
  });
});
