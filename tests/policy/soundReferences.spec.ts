import { describe, expect, it } from "vitest";

import { renderClusterFolder } from "../../flux/folder.ts";
import { soundReferences } from "../../policy/checks/files/soundReferences.ts";
import { fleetFacts } from "../../program/fleetFacts.ts";
import { mustLoad } from "../fleet/fixture.ts";
import { checkStack, gitFilesType, goodFiles, unknown } from "./fixtures.ts";

/** Every way to name a source, and an alert on all that there is. */
const fleet = mustLoad(`apiVersion: arcflux/v1
repository: { url: https://git.example.com/edge/fleet.git }
arc: { resourceGroup: rg-edge, location: westeurope }
flux: { version: "2.9", lockdown: false }
agents: present
sources:
  infra: { kind: GitRepository, url: self, ref: { tag: v1 } }
  held: { kind: OCIRepository, url: "oci://registry.example.com/held", ref: { tag: v1 } }
windows: { nightly: { open: 0 1 * * *, close: 0 4 * * * } }
alerts: { ops: { provider: { type: msteams, secretRef: { name: teams } } } }
sets:
  base: { path: ./base, source: infra, dependsOn: [{ name: by-hand, external: true }] }
  pos: { path: ./pos, window: nightly, dependsOn: [base] }
  late: { path: ./late, window: nightly, source: held }
  bought: { path: ./bought, sourceRef: { kind: OCIRepository, name: vendor } }
  apart: { path: ./apart, sourceRef: { kind: GitRepository, name: theirs, namespace: apps } }
stages: { prod: {} }
clusters: { edge-0: { stage: prod, sets: { base: {}, pos: {}, late: {}, bought: {}, apart: {} } } }
`);
const written = renderClusterFolder(fleet.clusters[0]!);

const groups: Readonly<Record<string, string>> = {
  Kustomization: "kustomize.toolkit.fluxcd.io/v1",
  HelmRelease: "helm.toolkit.fluxcd.io/v2",
  Alert: "notification.toolkit.fluxcd.io/v1beta3",
};

/** A file with one object. */
function one(
  kind: string,
  spec: object,
  metadata: { readonly name?: string; readonly namespace?: string } = {},
) {
  const apiVersion = groups[kind] ?? "source.toolkit.fluxcd.io/v1";
  const whole = { apiVersion, kind, metadata: { name: "one", namespace: "flux-system", ...metadata }, spec };
  // JSON is YAML.
  return { [`flux/${kind}-${whole.metadata.name}.yaml`]: JSON.stringify(whole) };
}
const set = (spec: object, metadata: object = {}) =>
  one("Kustomization", { interval: "10m", ...spec }, metadata);

describe("sound-references", () => {
  const cluster = { flux: "2.9", config: "edge-config" };
  const of = (files: Record<string, unknown>, settings: object = {}, known: object | null = cluster) =>
    checkStack(
      soundReferences,
      [
        {
          ...{ type: "arcflux:index:Fleet", name: "fleet", inputs: {} },
          outputs: { facts: { clusters: known === null ? {} : { "edge-0": known } } },
        },
        { type: gitFilesType, name: "edge-0-files", inputs: { ...goodFiles(), files }, outputs: {} },
      ],
      settings,
    );
  const alert = (spec: object) => one("Alert", spec);
  const infra = one("GitRepository", { url: "https://git.example.com/infra.git" }, { name: "infra" });
  const from = (kind: string, name: string, more: object = {}) =>
    set({ sourceRef: { kind, name, ...more } }, { name: "a" });

  it("passes what the program writes, with what it says of the cluster, and nothing at all", async () => {
    expect(fleet.clusters[0]!.sources.map(({ name }) => name)).toContain("held");
    const { clusters } = await fleetFacts(fleet, fleet.clusters, undefined);
    expect(clusters["edge-0"]).toEqual({
      ...{ stage: "prod", flux: "2.9", config: "edge-config", external: ["by-hand"] },
      externalSources: ["OCIRepository/vendor"],
    });
    expect(await of(written, {}, clusters["edge-0"])).toEqual({ violations: [] });
    expect(await of({})).toEqual({ violations: [] });
    // Seen to be judged: without what the fleet file says of it, the same source is told.
    expect((await of(written)).violations).toEqual([expect.stringContaining("OCIRepository 'vendor'")]);
  });

  it.each([
    [
      "a source that is not there",
      from("GitRepository", "vendor"),
      "spec.sourceRef names GitRepository 'vendor'",
    ],
    [
      "another kind of that name",
      { ...infra, ...from("Bucket", "infra") },
      "spec.sourceRef names Bucket 'infra'",
    ],
    [
      "a name written wrong, with the one that was meant",
      { ...infra, ...from("GitRepository", "infar") },
      "GitRepository 'infar', which no committed file makes; write 'infra', or put GitRepository/infar into",
    ],
    ["a provider", alert({ providerRef: { name: "ops" } }), "spec.providerRef names Provider 'ops'"],
    [
      "what an alert reports on",
      alert({
        eventSources: [
          { kind: "Kustomization", name: "*" },
          { kind: "Kustomization", name: "pos" },
        ],
      }),
      "spec.eventSources[1] names Kustomization 'pos'",
    ],
    [
      "the source of a chart",
      one("HelmRelease", { chart: { spec: { sourceRef: { kind: "GitRepository", name: "charts" } } } }),
      "spec.chart.spec.sourceRef names GitRepository 'charts'",
    ],
    [
      "an artifact with a chart",
      one("HelmRelease", { chartRef: { kind: "OCIRepository", name: "charts" } }),
      "spec.chartRef names OCIRepository 'charts'",
    ],
    [
      "the source of a HelmChart",
      one("HelmChart", { sourceRef: { kind: "Bucket", name: "charts" } }),
      "spec.sourceRef names Bucket 'charts'",
    ],
    [
      "a name in Flux's namespace from another one",
      set(
        { sourceRef: { kind: "GitRepository", name: "vendor", namespace: "flux-system" } },
        { namespace: "apps" },
      ),
      "spec.sourceRef names GitRepository 'vendor'",
    ],
  ])("tells %s", async (_, files, said) => {
    const { violations } = await of(files);
    expect(violations).toEqual([expect.stringContaining(said)]);
    expect(violations[0]!.split(/\s+/).length).toBeLessThanOrEqual(40);
  });

  it("knows what Azure makes, what the fleet file says is on the cluster, and what the setting does", async () => {
    const files = {
      ...from("GitRepository", "edge-config"),
      ...set({ sourceRef: { kind: "OCIRepository", name: "vendor" } }, { name: "b" }),
      ...alert({
        providerRef: { name: "by-hand" },
        eventSources: ["edge-config-bootstrap", "old"].map((name) => ({ kind: "Kustomization", name })),
      }),
    };
    const known = { ...cluster, external: ["old"], externalSources: ["OCIRepository/vendor"] };
    expect(await of(files, { external: ["Provider/by-hand"] }, known)).toEqual({ violations: [] });
    expect((await of(files)).violations).toHaveLength(3);
  });

  it("leaves alone what the files cannot tell: other namespaces, what manifests bring, a cluster unknown", async () => {
    const apart = { namespace: "apps" };
    for (const files of [
      from("GitRepository", "x", { namespace: "apps" }),
      set({ sourceRef: { kind: "GitRepository", name: "x" } }, apart),
      one("HelmRelease", { chart: { spec: { sourceRef: { kind: "HelmRepository", name: "x" } } } }),
      from("ExternalArtifact", "x"),
      alert({ eventSources: [{ kind: "HelmRelease", name: "web" }] }),
      one("GitRepository", { url: "https://git.example.com/a.git", secretRef: { name: "x" } }),
    ])
      expect(await of(files), JSON.stringify(files)).toEqual({ violations: [] });
    // Nobody says what the source of its configuration is called.
    expect(await of(from("GitRepository", "x"), {}, null)).toEqual({ violations: [] });
    expect((await of(alert({ providerRef: { name: "x" } }), {}, null)).violations).toHaveLength(1);
  });

  it("says nothing while a file is unknown, which may make them", async () => {
    const { violations, skipped } = await of({ ...from("GitRepository", "x"), "flux/new.yaml": unknown });
    expect([violations, skipped]).toEqual([[], expect.stringContaining("flux/new.yaml")]);
  });
});
