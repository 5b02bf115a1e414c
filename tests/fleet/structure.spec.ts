import { describe, expect, it } from "vitest";
import { formatFinding } from "../../fleet/finding.ts";
import { loadFleet } from "../../fleet/load.ts";
import { validateSpec } from "../../flux/crd/validate.ts";
import { fleetText } from "./fixture.ts";

/** Findings with Flux's own schemas at hand, up to the end of what is wrong. */
const problems = (top: string, cluster: string) =>
  loadFleet(fleetText({ top, cluster }), "fleet.yaml", { validateSpec })
    .findings.map(formatFinding)
    .map((line) => line.split(/[;:] (?!clusters|defaults|sets|sources|alerts|stages)/)[0]!);

describe("specs against Flux's own schemas", () => {
  it("say nothing about what Flux takes", () => {
    expect(
      problems(
        `sources: { infra: { kind: GitRepository, url: self }, oci: { kind: OCIRepository, url: oci://h/x } }
alerts: { ops: { provider: { type: slack } } }
flux: { version: 2.10 }`,
        `variables: { a: 1 }
sets:
  a: { source: infra, ignore: [{ paths: [/spec/replicas] }], dependsOn: [b, { name: c, external: true }] }
  b: { source: oci, serviceAccountName: team, window: null, labels: { a: b }, suspend: { reason: x } }`,
      ).filter((line) => !line.includes("warning")),
    ).toEqual([]);
  });

  it("are of the version that the cluster runs", () => {
    const set = "sets: { pos: { buildMetadata: [originAnnotations] } }";
    expect(problems("", set)).toEqual(["fleet.yaml:8:35: clusters.edge-0.sets.pos.buildMetadata"]);
    expect(problems("", `${set}\nflux: { version: 2.9 }`)).toEqual([]);
    expect(problems("flux: { version: 2.8 }", set)).toHaveLength(1);
  });

  it("report a fault where it stands: a shared set, a stage, a default, a pin, a source, an alert", () => {
    expect(
      problems(
        `defaults: { kubeConfig: {} }
sets: { pos: { postBuild: { substituteFrom: [{ kind: Secret, name: "${"n".repeat(254)}" }] } } }
stages: { dev: { sets: { pos: { postBuild: { substituteStrategy: Always } } } } }
sources: { b: { kind: Bucket, bucketName: b, endpoint: h, sts: { provider: ldap, endpoint: h } } }
alerts: { ops: { provider: { type: slack, proxy: h } } }`,
        "stage: dev\nsets: { pos: {}, web: { source: b } }",
      ).map((line) => line.replace("fleet.yaml:", "")),
    ).toEqual([
      "4:25: defaults.kubeConfig",
      "5:68: sets.pos.postBuild.substituteFrom[0].name",
      "6:66: stages.dev.sets.pos.postBuild.substituteStrategy",
      "7:92: sources.b.sts.endpoint",
      "8:50: alerts.ops.provider.proxy",
    ]);
  });
});
