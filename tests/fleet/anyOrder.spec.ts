import fc from "fast-check";
import { Ajv2020 } from "ajv/dist/2020.js";
import { parse, stringify } from "yaml";
import { describe, expect, it } from "vitest";
import { formatFinding } from "../../fleet/finding.ts";
import { loadFleet } from "../../fleet/load.ts";
import { fleetJsonSchema } from "../../fleet/schema.ts";

const name = fc.constantFrom("a", "b", "c", "toString", "x1");
const some = <T>(values: fc.Arbitrary<T>) =>
  fc.dictionary(name, values, { maxKeys: 3, noNullPrototype: true });
const setName = fc.constantFrom("a", "b", "c", "constructor");
const text = fc.constantFrom("x", "0042", "true", "1e3", "");
const set = fc.record(
  {
    source: fc.constantFrom("infra", "oci", null),
    window: fc.constantFrom("nightly", null),
    timeout: fc.constantFrom("1m", "90s", null),
    wait: fc.constantFrom(true, false, null),
    prune: fc.boolean(),
    labels: fc.constantFrom(null, { a: "b" }, { c: "d", e: "f" }),
    suspend: fc.constantFrom(false, { reason: "x", until: "2026-01-01" }, null),
    postBuild: fc.record({ substitute: some(text) }, { noNullPrototype: true }),
    components: fc.constantFrom(["a", "b"], ["b"], null),
    healthChecks: fc.constantFrom([], [{ kind: "Deployment", name: "x", namespace: "y" }], null),
  },
  { requiredKeys: [], noNullPrototype: true },
);
const sets = fc.dictionary(
  setName,
  fc.oneof({ weight: 4, arbitrary: set }, { weight: 1, arbitrary: fc.constant(null) }),
  {
    maxKeys: 3,
    noNullPrototype: true,
  },
);
const layer = {
  variables: some(text),
  sets,
  pins: fc.constantFrom(
    {},
    { infra: { tag: "1.10" } },
    { oci: { semver: "1.x" }, infra: { commit: "abcd".repeat(10) } },
  ),
  defaults: set.map(({ timeout, wait, prune }) => ({
    ...(timeout !== undefined && { timeout }),
    ...(wait !== undefined && { wait }),
    ...(prune !== undefined && { prune }),
  })),
  apps: fc.constantFrom({}, { web: {} }, { web: null, db: { path: "./db" } }),
  flux: fc.constantFrom({}, { version: "2.10" }, { lockdown: false, version: "2.9" }),
};
const record = <T>(fields: { [K in keyof T]: fc.Arbitrary<T[K]> }) =>
  fc.record(fields, { requiredKeys: [], noNullPrototype: true });
const label = fc.constantFrom({}, { kind: "store" }, { kind: "store", ring: "canary" });
const cluster = record({ ...layer, labels: label, stage: fc.constantFrom("dev", "prod") });

const fleet = fc.record({
  apiVersion: fc.constant("arcflux/v1"),
  repository: fc.constant({ url: "https://git.example.com/edge/fleet.git", branch: "main" }),
  arc: fc.constant({ resourceGroup: "rg", location: "westeurope" }),
  agents: fc.constant("present"),
  sources: fc.constant({
    infra: { kind: "GitRepository", url: "self" },
    oci: { kind: "OCIRepository", url: "oci://h/x" },
  }),
  windows: fc.constant({ nightly: { open: "0 1 * * *", close: "0 4 * * *" } }),
  sets: fc.dictionary(setName, set, { maxKeys: 3, noNullPrototype: true }),
  stages: fc.record({ dev: record(layer), prod: record(layer) }),
  groups: fc.record({ one: record(layer), two: record(layer) }),
  clusters: fc.record({ "edge-0": cluster, "edge-1": cluster }),
});

/** The same value with the keys of every map in another order, those of `groups` excepted: there it counts. */
function shuffled(value: unknown, order: (count: number) => number, key = ""): unknown {
  if (Array.isArray(value)) return value.map((item) => shuffled(item, order));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([name, inner]) => [name, shuffled(inner, order, name)] as const);
  for (let last = entries.length - 1; key !== "groups" && last > 0; last--) {
    const other = order(last + 1);
    [entries[last], entries[other]] = [entries[other]!, entries[last]!];
  }
  return Object.fromEntries(entries);
}

/** The text of a fleet, with labels for its groups to match. */
function textOf(value: unknown): string {
  const { groups, ...rest } = value as { groups: Record<string, object> };
  const matching = {
    one: { match: { kind: "store" }, ...groups["one"] },
    two: { match: { ring: "canary" }, ...groups["two"] },
  };
  return stringify({ ...rest, groups: matching });
}

const load = (value: unknown) => loadFleet(textOf(value), "fleet.yaml");
const accepts = new Ajv2020({ strict: false }).compile(JSON.parse(fleetJsonSchema()) as object);

describe("any fleet", () => {
  it("resolves to the same whatever the order of its keys", () => {
    fc.assert(
      fc.property(fleet, fc.infiniteStream(fc.nat(1_000_000)), (value, numbers) => {
        const one = load(value);
        const order = (count: number) => numbers.next().value % count;
        const other = load(shuffled(value, order));
        expect(other.fleet?.clusters.map(({ name: each }) => each).sort()).toEqual(
          one.fleet?.clusters.map(({ name: each }) => each).sort(),
        );
        for (const each of one.fleet?.clusters ?? [])
          expect(other.fleet?.clusters.find(({ name: found }) => found === each.name)).toEqual(each);
        const messages = ({ findings }: typeof one) =>
          findings
            .map((finding) =>
              formatFinding({ ...finding, line: 0, column: 0 }).replace(/ There: .*| \(on .*/, ""),
            )
            .sort();
        expect(messages(other).length).toBe(messages(one).length);
      }),
      { numRuns: 100 },
    );
  });

  it("has findings with a place, and a fleet where none is an error", () => {
    let sound = 0;
    fc.assert(
      fc.property(fleet, (value) => {
        const { fleet: loaded, findings } = load(value);
        if (loaded) {
          sound++;
          // What loads, an editor must not underline.
          expect(accepts(parse(textOf(value))), JSON.stringify(accepts.errors)).toBe(true);
        }
        expect(loaded === undefined).toBe(findings.some(({ severity }) => severity === "error"));
        for (const finding of findings) expect(finding.line).toBeGreaterThan(1);
      }),
      { numRuns: 100 },
    );
    // The fleets that are made here are mostly sound, or the test above would compare nothing.
    expect(sound).toBeGreaterThan(25);
  });
});
