import fc from "fast-check";
import { stringify } from "yaml";
import { describe, expect, it } from "vitest";
import { renderClusterFolder } from "../../flux/folder.ts";
import { mustLoad } from "../fleet/fixture.ts";
import { readAll } from "./readers.ts";

const duration = fc.constantFrom("60s", "10m", "1h30m0s", "1.5h", "720m0s", "61000ms");
const setName = fc
  .stringMatching(/^[a-z0-9]([-a-z0-9]{0,8}[a-z0-9])?$/)
  .filter((name) => !/^(source|window|alert)-|^(kustomization|bootstrap)$/.test(name));
const anyText = fc.oneof(
  fc.string({ unit: "binary" }).filter((value) => value.isWellFormed()),
  fc.constantFrom(
    "on",
    "0042",
    "1e3",
    "~",
    "null",
    "12:30",
    "2024-01-01",
    "=",
    "<<",
    "y",
    "a\nb\n",
    "\u2028",
    "\u0085",
  ),
);
const labels = fc.dictionary(
  fc.stringMatching(/^([a-z]{1,5}\.io\/)?[A-Za-z0-9]([-_.A-Za-z0-9]{0,8}[A-Za-z0-9])?$/),
  fc.stringMatching(/^([A-Za-z0-9]([-_.A-Za-z0-9]{0,8}[A-Za-z0-9])?)?$/),
  { maxKeys: 3, noNullPrototype: true },
);
const fields = fc.record(
  {
    interval: duration,
    timeout: duration,
    prune: fc.boolean(),
    wait: fc.boolean(),
    force: fc.boolean(),
    labels,
    annotations: labels,
  },
  { requiredKeys: [], noNullPrototype: true },
);
const cluster = fc.record({
  agents: fc.constant("present"),
  variables: fc.dictionary(
    fc.stringMatching(/^[_a-zA-Z][_a-zA-Z0-9]{0,8}$/).filter((name) => name !== "__proto__"),
    anyText,
    { maxKeys: 4, noNullPrototype: true },
  ),
  sets: fc.dictionary(setName, fields, { maxKeys: 5, noNullPrototype: true }),
});
const fleet = fc.record({
  apiVersion: fc.constant("arcflux/v1"),
  repository: fc.constant({ url: "https://git.example.com/edge/fleet.git" }),
  arc: fc.constant({ resourceGroup: "rg", location: "westeurope" }),
  defaults: fields,
  layout: fc.record({ flux: fc.constantFrom("flux", ".", "a/b") }),
  clusters: fc.record({ "edge-0": cluster, "edge-1": cluster }),
});

/** All files of a fleet, by their path in the repository. */
function files(value: unknown): Record<string, string> {
  const { clusters } = mustLoad(stringify(value, { defaultStringType: "QUOTE_DOUBLE" }));
  return Object.fromEntries(
    clusters.flatMap((one) =>
      Object.entries(renderClusterFolder(one)).map(([path, text]) => [`${one.folder}/${path}`, text]),
    ),
  );
}

/** The same value with the keys of every map the other way round. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, inner]) => [key, reversed(inner)]),
  );
}

describe("any fleet", () => {
  it("renders files that all readers read back to the strings of the fleet file", () => {
    fc.assert(
      fc.property(fleet, (value) => {
        const rendered = files(value);
        for (const [name, { variables, sets }] of Object.entries(value.clusters)) {
          for (const [set, own] of Object.entries(sets)) {
            const flux = value.layout.flux === "." ? "" : `${value.layout.flux}/`;
            const merged = { ...value.defaults.labels, ...own.labels };
            const spec = { ...value.defaults, ...own };
            for (const read of readAll(rendered[`clusters/${name}/${flux}${set}.yaml`]!)) {
              expect(read).toMatchObject({
                metadata: {
                  name: set,
                  namespace: "flux-system",
                  ...(Object.keys(merged).length > 0 && { labels: merged }),
                },
                spec: {
                  interval: spec.interval ?? "10m",
                  timeout: spec.timeout ?? "5m",
                  prune: spec.prune ?? true,
                },
              });
              const substitute = (read as { spec: { postBuild?: { substitute: unknown } } }).spec.postBuild
                ?.substitute;
              const added = Object.keys(variables).length > 0 && { arcflux_cluster: name };
              expect(substitute ?? {}).toEqual({ ...variables, ...added });
            }
          }
        }
      }),
      { numRuns: 150 },
    );
  });

  it("gives the same bytes whatever the order of its keys", () => {
    fc.assert(
      fc.property(fleet, (value) => {
        const [one, other] = [files(value), files(reversed(value))];
        expect(Object.keys(other).sort()).toEqual(Object.keys(one).sort());
        for (const path of Object.keys(one)) expect(other[path]).toBe(one[path]);
      }),
      { numRuns: 150 },
    );
  });
});
