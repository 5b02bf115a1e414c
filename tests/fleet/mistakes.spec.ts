import { describe, expect, it } from "vitest";
import { findingsOf } from "./fixture.ts";

/** Lines of a fleet of forty stores, by what each begins with; 31 of them are tills in prod. */
const stores = Array.from({ length: 40 }, (_, index) => {
  const [stage, tier] = index < 31 ? ["prod", "till"] : ["dev", "office"];
  return `  store-${String(index + 1).padStart(3, "0")}: { stage: ${stage}, labels: { kind: store, tier: ${tier} } }`;
});
const lines = [
  "apiVersion: arcflux/v1",
  "repository: { url: https://git.example.com/edge/fleet.git }",
  "arc: { resourceGroup: rg-edge, location: westeurope }",
  "agents: present",
  "bootstrap: { wait: false }",
  "windows: { nightly: { open: 0 1 * * *, close: 0 4 * * * } }",
  "sets:",
  "  base: { path: ./base }",
  "  pos: { path: ./apps/pos, dependsOn: [base] }",
  "stages: { dev: {}, prod: { branch: prod, after: dev } }",
  "groups:",
  "  stores: { match: { kind: store }, sets: { base: {}, pos: {} } }",
  "  tills: { match: { tier: till }, sets: { pos: { window: nightly } } }",
  "alerts: { ops: { match: { kind: store }, provider: { type: msteams, secretRef: { name: teams } } } }",
  "clusters:",
  ...stores,
];

/** The findings of the fleet with other lines in the places of those that begin alike. */
function findings(...others: readonly string[]): string[] {
  const begin = (line: string) => /^ *[\w-]+:/.exec(line)?.[0] ?? "";
  const text = lines.map((line) => others.find((other) => begin(other) === begin(line)) ?? line);
  return findingsOf(`${text.join("\n")}\n`);
}

describe("a mistake in a fleet file", () => {
  it("is none where nothing is wrong", () => {
    expect(findings()).toEqual([]);
  });

  // What is written, and all that is found, each by its beginning up to the value and by its end.
  it.each<[string, string[], RegExp[]]>([
    [
      "a set that waits for the bootstrap, by the name in Azure",
      ["  pos: { path: ./apps/pos, dependsOn: [bootstrap] }"],
      [
        /^fleet\.yaml:9:40: sets\.pos\.dependsOn\[0\]: depends on "bootstrap", which applies the set itself.*; drop the entry/,
      ],
    ],
    [
      "a set that waits for its own parent",
      ["  pos: { path: ./apps/pos, dependsOn: [{ name: edge-config-bootstrap, external: true }] }"],
      [
        /^fleet\.yaml:9:40: sets\.pos\.dependsOn\[0\]: depends on "edge-config-bootstrap", which applies the set itself/,
      ],
    ],
    [
      "a bootstrap that waits for windows",
      ["bootstrap: { wait: true }"],
      [/^fleet\.yaml:5:20: bootstrap\.wait: waits for windows.* never ready: .* more; write wait: false$/],
    ],
    [
      "a bootstrap that waits for suspended sets",
      [
        "bootstrap: { wait: true }",
        "windows: {}",
        "  tills: { match: { tier: till }, sets: { pos: { suspend: { reason: INC-1 } } } }",
      ],
      [/^fleet\.yaml:5:20: warning: bootstrap\.wait: waits for sets that are suspended.* and 28 more/],
    ],
    [
      "a kind in lower case, of which Flux says that it is ready whatever happens",
      ["  base: { path: ./base, healthChecks: [{ kind: deployment, name: web, namespace: web }] }"],
      [
        /^fleet\.yaml:8:48: sets\.base\.healthChecks\[0\]\.kind: "deployment" is not allowed; a kind begins with an upper-case letter/,
      ],
    ],
    [
      "a health check that no namespace is named for",
      ["  base: { path: ./base, targetNamespace: web, healthChecks: [{ kind: Deployment, name: web }] }"],
      [
        /^fleet\.yaml:8:62: sets\.base\.healthChecks\[0\]: names no namespace.*; write namespace: web \(on store-001, store-002, store-003 and 37 more\)$/,
      ],
    ],
  ])("is found: %s", (_, change, expected) => {
    const found = findings(...change);
    expect(found).toEqual(expected.map((line) => expect.stringMatching(line) as string));
  });
});
