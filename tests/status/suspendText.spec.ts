import { expect, it } from "vitest";
import { suspendedText } from "../../cli/suspendText.ts";

const fleet = `# The fleet.
include: [more.yaml]
clusters:
  fine: {} # in the back room
  flow: {sets: {pos: {path: ./x}}}
  empty:
  block: # by the sea
    labels: { kind: store }
    sets:
      pos:
      web: { path: ./web } # the shop
      old: { suspend: false }

  last:
    sets: { pos: {} }
`;
const suspended = (cluster: string, set: string, reason = "INC-4711"): string =>
  suspendedText(fleet, cluster, [set], { reason });

it.each([
  ["fine", "web", "  fine: {} #", "  fine: { sets: { web: { suspend: { reason: INC-4711 } } } } #"],
  ["flow", "pos", "{path: ./x}", "{path: ./x, suspend: { reason: INC-4711 }}"],
  ["flow", "web", "{path: ./x}}", "{path: ./x}, web: { suspend: { reason: INC-4711 } }}"],
  ["empty", "pos", "  empty:\n", "  empty: { sets: { pos: { suspend: { reason: INC-4711 } } } }\n"],
  ["block", "pos", "      pos:\n", "      pos: { suspend: { reason: INC-4711 } }\n"],
  ["block", "web", "{ path: ./web }", "{ path: ./web, suspend: { reason: INC-4711 } }"],
  ["block", "old", "suspend: false", "suspend: { reason: INC-4711 }"],
  ["block", "new", "false }\n", "false }\n      new: { suspend: { reason: INC-4711 } }\n"],
  ["last", "pos", "sets: { pos: {} }", "sets: { pos: { suspend: { reason: INC-4711 } } }"],
])("in %s, %s is written where it belongs, and nothing else is touched", (cluster, set, before, after) => {
  expect(suspended(cluster, set)).toBe(fleet.replace(before, after));
});

it("a reason that YAML could take for something else is quoted", () => {
  expect(suspended("last", "pos", "no: #1")).toContain('reason: "no: #1"');
});
