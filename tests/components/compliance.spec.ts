import { describe, expect, it } from "vitest";

import { complianceOf } from "../../components/compliance.ts";

const condition = (status: string, reason: string, message: string) => ({
  type: "Ready",
  ...{ status, reason, message, lastTransitionTime: "2026-11-01T00:00:00Z" },
});

describe("how a Flux configuration fares", () => {
  it("is its state alone while nothing is wrong", () => {
    const statuses = [
      { kind: "GitRepository", name: "edge-config", complianceState: "Compliant", statusConditions: [] },
      { kind: "Kustomization", name: "pos", complianceState: "Suspended" },
    ];
    expect(complianceOf({ complianceState: "Compliant", statuses })).toEqual({ state: "Compliant" });
  });

  it("names each object that is not ready, with Flux's own reason and message", () => {
    const statuses = [
      {
        ...{ kind: "Kustomization", namespace: "flux-system", name: "pos", complianceState: "Non-Compliant" },
        statusConditions: [
          {
            type: "Reconciling",
            status: "True",
            reason: "Progressing",
            message: "busy",
            lastTransitionTime: "",
          },
          condition("False", "BuildFailed", "kustomize build failed: missing resource"),
        ],
      },
      {
        kind: "Kustomization",
        name: "web",
        complianceState: "Compliant",
        statusConditions: [condition("True", "", "")],
      },
      { kind: "Kustomization", name: "after", complianceState: "Pending" },
      { kind: "HelmRelease", namespace: "apps", name: "db", complianceState: "Non-Compliant" },
    ];
    expect(complianceOf({ complianceState: "Non-Compliant", statuses })).toEqual({
      state: "Non-Compliant",
      failing: {
        "HelmRelease/apps/db": { reason: "", message: "" },
        "Kustomization/flux-system/pos": {
          reason: "BuildFailed",
          message: "kustomize build failed: missing resource",
        },
      },
    });
  });

  it("says what is wrong where no object is", () => {
    const errorMessage = "The extension microsoft.flux is not installed.";
    expect(complianceOf({ complianceState: "Non-Compliant", errorMessage, statuses: [] })).toEqual({
      state: "Non-Compliant",
      message: errorMessage,
    });
    expect(complianceOf({ complianceState: "Compliant", errorMessage: "", statuses: [] })).toEqual({
      state: "Compliant",
    });
  });

  it("is known without any list", () => {
    expect(complianceOf({ complianceState: "Unknown" })).toEqual({ state: "Unknown" });
  });
});
