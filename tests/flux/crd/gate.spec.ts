import { describe, expect, it } from "vitest";
import { fieldsSince } from "../../../flux/crd/since.ts";
import { validateSpec } from "../../../flux/crd/validate.ts";

const least = { interval: "10m", prune: true, sourceRef: { kind: "ExternalArtifact", name: "a" } };
const needs29 =
  "needs Flux 2.9; this cluster runs 2.7: remove it, or set flux.version once the cluster runs 2.9";

describe("fields and versions", () => {
  it("refuses what the cluster's Flux does not have, and says which one does (C08)", () => {
    const spec = {
      ...least,
      ignore: [{ paths: ["/spec/replicas"] }],
      buildMetadata: ["originAnnotations"],
      postBuild: { substituteStrategy: "Always" },
      // These are as old as 2.7.
      dependsOn: [{ name: "a", readyExpr: "true" }],
      ignoreMissingComponents: true,
      healthCheckExprs: [{ apiVersion: "v1", kind: "A", current: "true" }],
      deletionPolicy: "WaitForTermination",
    };
    expect(validateSpec("Kustomization", "2.7", spec)).toEqual([
      { path: ["ignore"], message: needs29 },
      { path: ["buildMetadata"], message: needs29 },
      { path: ["postBuild", "substituteStrategy"], message: needs29 },
    ]);
    expect(validateSpec("Kustomization", "2.8", spec)).toHaveLength(3);
    expect(validateSpec("Kustomization", "2.9", spec)).toEqual([]);
    expect(validateSpec("Kustomization", "2.10", spec)).toEqual([]);
  });

  it("gates choices too", () => {
    const source = { url: "https://git.example.com/x", interval: "1m", provider: "aws" };
    expect(validateSpec("GitRepository", "2.7", source)).toEqual([
      { path: ["provider"], message: `"aws" ${needs29}` },
    ]);
    expect(validateSpec("GitRepository", "2.9", source)).toEqual([]);
    expect(validateSpec("Provider", "2.9", { type: "zoom" })[0]?.message).toMatch(
      /^"zoom" needs Flux 2\.10; /,
    );
  });

  it("says that a field is required only up to a version", () => {
    const spec = { ...least, healthCheckExprs: [{ apiVersion: "v1", current: "true" }] };
    expect(validateSpec("Kustomization", "2.8", spec)).toEqual([
      {
        path: ["healthCheckExprs", 0, "kind"],
        message: "is missing; it is required before Flux 2.9, and this cluster runs 2.8: text",
      },
    ]);
    expect(validateSpec("Kustomization", "2.9", spec)).toEqual([]);
  });

  it("names a newer field when its name is misspelt", () => {
    const fault = validateSpec("Kustomization", "2.7", { ...least, buildMetdata: [] })[0];
    expect(fault?.message).toMatch(/the nearest known key is buildMetadata;/);
  });

  it("lists what came after 2.7", () => {
    expect(Object.fromEntries(fieldsSince("Kustomization"))).toEqual({
      buildMetadata: "2.9",
      ignore: "2.9",
      "postBuild.substituteStrategy": "2.9",
    });
    expect(Object.fromEntries(fieldsSince("OCIRepository"))).toEqual({
      "verify.trustedRootSecretRef": "2.9",
    });
  });
});
