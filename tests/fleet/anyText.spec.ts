import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { loadFleet } from "../../fleet/load.ts";
import { fleetText } from "./fixture.ts";

/** Pieces that fleet files are made of, and pieces that break them. */
const pieces = fc.constantFrom(
  ..."apiVersion: arcflux/v1\n|repository:\n|  url: https://git.example.com/x\n|clusters:\n|  edge-0:\n|    sets:\n".split(
    "|",
  ),
  ...[
    "      pos: {}\n",
    "      web: { dependsOn: [pos] }\n",
    "    variables: { a: 0042 }\n",
    "arc: { resourceGroup: a }\n",
    "include: [x]\n",
    "stages: { dev: { branch: a } }\n",
    "    stage: dev\n",
    "groups: { g: { match: {}, sets: { pos: null } } }\n",
    "sources: { s: { kind: GitRepository, url: self } }\n",
    "    pins: { s: { tag: 1.0 } }\n",
    "windows: { w: { open: 0 1 * * *, close: 0 2 * * * } }\n",
    "alerts: { a: { provider: { type: slack } } }\n",
    "    apps: { web: { patch: { a: 1.10 } } }\n",
    "layout: { cluster: '{x}' }\n",
  ],
  ...[
    "sets: ",
    "{",
    "}",
    "[",
    "]",
    "- ",
    ": ",
    "? ",
    "&a ",
    "*a",
    "<<: ",
    "!!int ",
    "!x ",
    "|\n",
    ">-\n",
    '"',
    "'",
    "#",
    "---\n",
    "...\n",
  ],
  ...["\t", "\r\n", "\r", "\uFEFF", "\u0000", "\u2028", "~", "null", "%YAML 1.1\n", "kubeconfig: ", "\ud800"],
);

function expectSound(text: string): void {
  const { fleet, findings } = loadFleet(text, "fleet.yaml");
  const lines = text.split("\n");
  for (const { line, column, message } of findings) {
    expect(line).toBeGreaterThanOrEqual(1);
    expect(line).toBeLessThanOrEqual(lines.length);
    expect(column).toBeGreaterThanOrEqual(1);
    expect(column).toBeLessThanOrEqual(lines[line - 1]!.length + 1);
    expect(message).not.toBe("");
    expect(message).not.toContain("\n");
  }
  expect(fleet === undefined).toBe(findings.some(({ severity }) => severity === "error"));
}

describe("any text at all", () => {
  it("is loaded or has findings with a position in it", () => {
    fc.assert(fc.property(fc.string({ unit: "binary", maxLength: 60 }), expectSound), { numRuns: 300 });
    fc.assert(
      fc.property(
        fc.array(pieces, { maxLength: 20 }).map((all) => all.join("")),
        expectSound,
      ),
      { numRuns: 1000 },
    );
  });

  it("holds for a sound file with something put into it", () => {
    const sound = fleetText({
      top: "defaults: { interval: 5m }\nsets: { pos: { path: ./x } }",
      cluster: "variables: { a: 0042 }\nsets:\n  pos: {}\n  web: { dependsOn: [pos] }",
    });
    fc.assert(
      fc.property(
        fc.nat(sound.length),
        fc.nat(8),
        fc.oneof(pieces, fc.string({ maxLength: 3 })),
        (at, length, piece) => expectSound(sound.slice(0, at) + piece + sound.slice(at + length)),
      ),
      { numRuns: 1000 },
    );
  });

  it("holds for any value in any place", () => {
    const place = fc.constantFrom(
      "variables",
      "sets",
      "labels",
      "arc",
      "flux",
      "kubeconfig",
      "agents",
      "defaults",
      "toString",
      "stage",
      "attributes",
      "pins",
      "apps",
      "platform",
      "lifecycle",
    );
    fc.assert(
      fc.property(place, fc.json({ maxDepth: 3 }), (key, value) =>
        expectSound(fleetText({ cluster: `${key}: ${value}` })),
      ),
      { numRuns: 500 },
    );
    const section = fc.constantFrom(
      "include",
      "sources",
      "windows",
      "alerts",
      "stages",
      "groups",
      "sets",
      "layout",
    );
    fc.assert(
      fc.property(section, fc.json({ maxDepth: 4 }), fc.boolean(), (key, value, named) =>
        expectSound(fleetText({ top: `${key}: ${named ? `{ a: ${value} }` : value}` })),
      ),
      { numRuns: 200 },
    );
    const field = fc.constantFrom(
      "dependsOn",
      "suspend",
      "healthChecks",
      "postBuild",
      "source",
      "sourceRef",
      "patches",
    );
    fc.assert(
      fc.property(field, fc.json({ maxDepth: 4 }), (key, value) =>
        expectSound(fleetText({ cluster: `sets: { a: { ${key}: ${value} }, b: { dependsOn: [a] } }` })),
      ),
      { numRuns: 200 },
    );
  });
});
