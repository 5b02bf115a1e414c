import { describe, expect, it } from "vitest";
import { show } from "../../values/show.ts";
import { findingsOf, fleetText } from "./fixture.ts";

// Put together here, so that scanners of this repository find no token.
const token = `ghp_${"aB3dE6gH9".repeat(4)}`;
const azureKey = `${"k".repeat(43)}${"Z".repeat(43)}==`;
const devOps = `${"q".repeat(76)}AZDOabcd`;

const cluster = (line: string) => fleetText({ cluster: line });
const top = (line: string) => fleetText({ top: line });

describe("a secret in the wrong place", () => {
  it.each([
    ["a duration", (secret: string) => cluster(`sets: { pos: { interval: "${secret}" } }`)],
    ["a stage", (secret: string) => cluster(`stage: "${secret}"`)],
    ["a label", (secret: string) => cluster(`labels: { kind: "${secret}!" }`)],
    ["the key of a label", (secret: string) => cluster(`labels: { "${secret}!": x }`)],
    ["an unknown key", (secret: string) => cluster(`"${secret}": x`)],
    ["a key of the top", (secret: string) => top(`"${secret}": x`)],
    ["a dependency", (secret: string) => cluster(`sets: { pos: { dependsOn: ["${secret}"] } }`)],
    ["the name of a set", (secret: string) => cluster(`sets: { "${secret}": {} }`)],
    ["a source", (secret: string) => cluster(`sets: { pos: { source: "${secret}" } }`)],
    [
      "a schedule",
      (secret: string) => top(`windows: { w: { open: "${secret} 1 * * *", close: "0 4 * * *" } }`),
    ],
    [
      "a time zone",
      (secret: string) =>
        top(`windows: { w: { open: "0 1 * * *", close: "0 4 * * *", timeZone: "${secret}" } }`),
    ],
    ["a choice", (secret: string) => top(`platform: "${secret}"`)],
    ["a folder", (secret: string) => top(`layout: { cluster: "{cluster}/../${secret}" }`)],
    ["a placeholder", (secret: string) => top(`layout: { cluster: "{cluster}/{${secret}}" }`)],
    ["the labels of a group", (secret: string) => top(`groups: { g: { match: { kind: "${secret}" } } }`)],
    ["a pattern of include", (secret: string) => top(`include: ["${secret}"]`)],
    ["an alias", (secret: string) => top(`platform: *${secret}`)],
  ])("is in no message: %s", (_, text) => {
    for (const secret of [token, azureKey, devOps]) {
      const lines = findingsOf(text(secret));
      expect(lines.length).toBeGreaterThan(0);
      // Nor a part of it, as in a text that is cut off.
      expect(lines.join("\n")).not.toContain(secret.slice(4, 24));
    }
  });

  it("is called this value, and what the fault is stands beside it", () => {
    expect(findingsOf(cluster(`sets: { pos: { interval: ${token} } }`))).toEqual([
      "fleet.yaml:8:30: clusters.edge-0.sets.pos.interval: this value is not a duration; write numbers with h, m, s or ms, such as 10m or 1h30m0s",
    ]);
  });

  it("is told from what is as long and none", () => {
    expect(show("edge-store-with-a-rather-long-name-of-sixty-characters-0001")).toBe(
      '"edge-store-with-a-rather-long-name-of-sixty-characters-0001"',
    );
    expect(show(token)).toBe("this value");
  });
});
