import { describe, expect, it } from "vitest";

import { loadFleet } from "../../fleet/load.ts";
import type { Cluster } from "../../fleet/model.ts";

const fleet = (rest: string) => `apiVersion: arcflux/v1
repository: { url: https://git.example.com/edge/fleet.git }
arc: { resourceGroup: rg-edge, location: westeurope }
agents: present
windows: { nightly: { open: "0 1 * * *", close: "0 4 * * *" } }
sources: { catalog: { kind: OCIRepository, url: "oci://registry.example.com/catalog", interval: 10m, ref: { semver: 1.x } } }
sets:
  pos: { path: ./apps/pos }
  night: { path: ./apps/night, window: nightly }
  catalog: { path: ., source: catalog, serviceAccountName: catalog }
${rest}
`;
const load = (rest: string, today = "2026-11-29") => loadFleet(fleet(rest), "fleet.yaml", { today });
const errors = (rest: string): string[] =>
  load(rest)
    .findings.filter(({ severity }) => severity === "error")
    .map(({ path, message }) => `${path}: ${message}`);
const clusters = (rest: string): Readonly<Record<string, Cluster>> => {
  const { fleet: found, findings } = load(rest);
  if (found === undefined) throw new Error(findings.map(({ message }) => message).join("\n"));
  return Object.fromEntries(found.clusters.map((cluster) => [cluster.name, cluster]));
};
const sets = "sets: { pos: {}, night: {}, catalog: {} }";

describe("suspend of a stage, a group or a cluster", () => {
  const rest = (suspend: string) => `
stages: { prod: { branch: prod, suspend: ${suspend} } }
groups: { fair: { match: { fair: "yes" }, suspend: { reason: fair } } }
clusters:
  a: { stage: prod, ${sets} }
  b: { stage: prod, labels: { fair: "yes" }, ${sets} }
  c: { stage: prod, suspend: null, ${sets} }
  d: { ${sets} }`;

  it("is that of the last layer that says something, and null lifts it", () => {
    const found = clusters(rest("{ reason: INC-4711, until: 2026-12-24 }"));
    expect(found["a"]?.suspension).toEqual({ reason: "INC-4711", until: "2026-12-24" });
    expect(found["b"]?.suspension).toEqual({ reason: "fair" });
    expect(found["c"]?.suspension).toBeUndefined();
    expect(found["d"]?.suspension).toBeUndefined();
  });

  it("stops other sources, and leaves sets to repair their drift", () => {
    const { a } = clusters(rest("{ reason: INC-4711 }"));
    expect(a?.sources.map(({ name, spec }) => [name, spec["suspend"]])).toEqual([["catalog", true]]);
    expect(a?.sets.map(({ suspension }) => suspension)).toEqual([undefined, undefined, undefined]);
  });

  it("through git suspends the sets whose source no file can stop", () => {
    const { a } = clusters(rest("{ reason: INC-4711, through: git }"));
    const suspended = a?.sets.filter(({ suspension }) => suspension !== undefined);
    expect(suspended?.map(({ name }) => name)).toEqual(["pos"]);
    expect(a?.sources[0]?.spec["suspend"]).toBe(true);
  });

  it("is an error once its last day is past, where it is written", () => {
    expect(errors(rest("{ reason: INC-4711, until: 2026-11-29 }"))).toEqual([]);
    expect(errors(rest("{ reason: INC-4711, until: 2026-11-28 }"))).toEqual([
      expect.stringMatching(
        /^stages\.prod\.suspend\.until: 2026-11-28 is past, .*\(INC-4711\); take suspend out/,
      ),
    ]);
  });
});

describe("bootstrap, repository.interval and the extension", () => {
  it("differ by stage, group and cluster, field by field", () => {
    const found = clusters(
      `
bootstrap: { interval: 10m, timeout: 4m }
arc: { resourceGroup: rg-edge, location: westeurope, extension: { settings: { helm-controller.detectDrift: true } } }
groups:
  far:
    match: { far: "yes" }
    bootstrap: { interval: 1h }
    arc: { extension: { version: 1.24.1, resources: { kustomize-controller: { limits: { memory: 1Gi } } } } }
clusters:
  near: { repository: { interval: 2m } }
  far: { labels: { far: "yes" }, bootstrap: { timeout: 30m }, arc: { extension: { resources: { kustomize-controller: { limits: { cpu: 500m } } } } } }
`.replace(/^arc:.*$/m, ""),
    );
    expect([found["near"]?.bootstrap.interval, found["near"]?.fetchInterval]).toEqual(["10m", "2m"]);
    expect(found["far"]?.bootstrap).toMatchObject({ interval: "1h", timeout: "30m", retryInterval: "2m" });
    expect(found["far"]?.fetchInterval).toBe("1h");
    expect(found["far"]?.arc.extension).toEqual({
      version: "1.24.1",
      resources: { "kustomize-controller": { limits: { memory: "1Gi", cpu: "500m" } } },
    });
  });

  it("of one group may wait for windows no more than that of the fleet", () => {
    expect(
      errors(
        `groups: { all: { match: {}, bootstrap: { wait: true } } }\nclusters: { a: { sets: { night: {} } } }`,
      ),
    ).toEqual([expect.stringContaining("waits for windows")]);
  });

  it.each([
    ["settings: { multiTenancy.enforce: false }", "write flux.lockdown"],
    ["settings: { source-controller.enabled: false }", "leave it on"],
    ["settings: { helm-controller.resources.limits.cpu: 1 }", "write arc.extension.resources"],
    ["settings: { detectDrift: true }", "helm-controller.detectDrift"],
    ["version: latest", "such as 1.24.1"],
    ["autoUpgrade: true", "autoUpgrade"],
    ["resources: { kustomize-controller: { limits: { memory: much } } }", "512Mi of memory"],
    ["controllers: { helm-controller: false }", "helm-controller"],
  ])("refuses %s", (extension, says) => {
    const found = errors(`clusters: { a: { arc: { extension: { ${extension} } } } }`);
    expect(found.join("\n")).toContain(says);
    expect(found).toHaveLength(1);
  });

  it("warns where a version that is held brings another Flux than flux.version", () => {
    const { findings } = load("clusters: { a: { arc: { extension: { version: 1.22.2 } } } }");
    expect(findings.map(({ message }) => message).join()).toMatch(
      /brings Flux 2\.6, and flux\.version is 2\.7/,
    );
  });
});
