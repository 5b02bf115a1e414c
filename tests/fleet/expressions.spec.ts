import { describe, expect, it } from "vitest";
import { findingsOf, fleetText } from "./fixture.ts";

const findings = (set: object) =>
  findingsOf(
    fleetText({ cluster: `sets: ${JSON.stringify({ db: {}, app: set })}`, top: "flux: { version: '2.9' }" }),
  );
const checks = (current: string, more = {}) => ({
  wait: true,
  healthCheckExprs: [{ apiVersion: "example.com/v1", kind: "Gadget", current }],
  ...more,
});

describe("CEL expressions", () => {
  it.each([
    "status.conditions.filter(e, e.type == 'Ready').all(e, e.status == 'True')",
    "has(status.phase) && status.phase in ['Ready', 'Done']",
    "status.?observedGeneration.orValue(0) == metadata.generation",
    "status.`odd-name` == 1",
  ])("are left alone where they can be read: %s", (text) => {
    expect(findings(checks(text))).toEqual([]);
    expect(findings({ dependsOn: [{ name: "db", readyExpr: text }] })).toEqual([]);
  });

  it.each([
    "status.phase = 'Ready'",
    "status.phase == 'Ready' and true",
    "status.conditions.filter(e e.type)",
    "a ==",
  ])("are errors where they cannot: %s", (text) => {
    expect(findings(checks(text))).toEqual([
      expect.stringMatching(
        /sets\.app\.healthCheckExprs\[0\]\.current: is not a CEL expression \(.+\), so Flux would fail/,
      ),
    ]);
    expect(findings({ dependsOn: [{ name: "db", readyExpr: text }] })).toEqual([
      expect.stringMatching(/sets\.app\.dependsOn\[0\]\.readyExpr: is not a CEL expression/),
    ]);
  });

  it("are warned of where Flux never looks at health", () => {
    expect(findings(checks("true", { wait: false }))).toEqual([
      expect.stringMatching(
        /warning: .*healthCheckExprs: is never asked: Flux looks at health only with wait: true/,
      ),
    ]);
  });
});
