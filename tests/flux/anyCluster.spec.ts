import fc from "fast-check";
import { loadAll, YAML11_SCHEMA } from "js-yaml";
import { describe, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import type { Cluster, ClusterSet } from "../../fleet/model.ts";
import type { CrdKind } from "../../flux/crd/kinds.ts";
import { crdKinds } from "../../flux/crd/kinds.ts";
import { validateSpec } from "../../flux/crd/validate.ts";
import { renderClusterFolder } from "../../flux/folder.ts";
import { anySpec, anyText } from "./anySpec.ts";
import { clusterOf, windowOf } from "./fixture.ts";

const set = fc.record(
  {
    name: fc
      .stringMatching(/^[a-z]([-a-z0-9]{0,8}[a-z0-9])?$/)
      .filter((name) => !/^(source|window|alert)-/.test(name)),
    labels: fc.dictionary(fc.constantFrom("a", "b.io/c", "on"), fc.constantFrom("", "1", "no"), {
      noNullPrototype: true,
    }),
    annotations: fc.dictionary(fc.constantFrom("a", "b.io/c", "on"), anyText, { noNullPrototype: true }),
    window: fc.constantFrom("nightly", "weekly"),
    suspension: fc.record(
      { reason: anyText, until: fc.constant("2026-12-24") },
      { requiredKeys: ["reason"] },
    ),
    dependsOn: fc.array(
      fc.record(
        {
          name: fc.constantFrom("x", "y"),
          namespace: fc.constant("other"),
          readyExpr: anyText,
          external: fc.boolean(),
        },
        { requiredKeys: ["name"] },
      ),
      { maxLength: 2 },
    ),
    spec: anySpec.map(({ sourceRef: _sourceRef, path, ...rest }) => ({ ...rest, path: path ?? "./" })),
    sourceRef: fc.record({
      kind: fc.constantFrom("GitRepository", "Bucket"),
      name: fc.constantFrom("a", "on"),
    }),
  },
  { requiredKeys: ["name", "labels", "annotations", "dependsOn", "spec", "sourceRef"] },
) as fc.Arbitrary<ClusterSet>;
const cluster: fc.Arbitrary<Cluster> = fc
  .record({
    sets: fc.uniqueArray(set, { selector: ({ name }) => name, maxLength: 4 }),
    secretName: anyText,
    summary: anyText,
    patch: fc.dictionary(
      fc.constantFrom("spec", "data", "on"),
      fc.oneof(anyText, fc.boolean(), fc.integer(), fc.constant(null)),
    ),
    fluxFolder: fc.constantFrom("clusters/edge-0/flux", "clusters/edge-0"),
  })
  .map(({ sets, secretName, summary, patch, fluxFolder }) =>
    clusterOf({
      sets,
      fluxFolder,
      windows: [windowOf("nightly"), windowOf("weekly")],
      sources: [
        {
          name: "a",
          kind: "GitRepository",
          self: true,
          spec: { url: "https://a/b", interval: "1m", ignore: summary },
        },
        {
          name: "b",
          kind: "Bucket",
          self: false,
          spec: { bucketName: secretName, endpoint: "e", interval: "1m" },
        },
      ],
      alerts: [
        {
          name: "ops",
          provider: { type: "github", secretRef: { name: secretName } },
          spec: { eventMetadata: { note: summary } },
          sets: sets.map(({ name }) => name),
        },
      ],
      apps: [
        {
          name: "web",
          resource: "../../../apps/web",
          patches: [{ target: { kind: "HelmRelease", name: "web" }, patch }],
        },
      ],
    }),
  );

const render = (value: Cluster) => renderClusterFolder(value, { repository: { access: "token" } });

/** The same value with the keys of every map the other way round; lists stay. */
function reversed<T>(value: T): T {
  if (Array.isArray(value)) return value.map(reversed) as T;
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).reverse();
  return Object.fromEntries(entries.map(([key, inner]) => [key, reversed<unknown>(inner)])) as T;
}

interface Read {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: { readonly name: string };
  readonly spec: Record<string, unknown>;
}

/** The documents of a file as readers see them that are independent of each other. */
function readings(text: string): unknown[][] {
  return [
    parseAllDocuments(text, { version: "1.2" }).map((document) => document.toJS() as unknown),
    parseAllDocuments(text, { version: "1.1" }).map((document) => document.toJS() as unknown),
    loadAll(text),
    loadAll(text, { schema: YAML11_SCHEMA }),
  ];
}

describe("any cluster", () => {
  it("renders files that all readers read alike, and that Flux's own schemas accept", () => {
    fc.assert(
      fc.property(cluster, (value) => {
        for (const text of Object.values(render(value))) {
          const [first, ...others] = readings(text);
          for (const other of others) expect(other).toEqual(first);
          for (const object of first as Read[]) {
            if (crdKinds[object.kind as CrdKind] !== object.apiVersion) continue;
            expect(validateSpec(object.kind as CrdKind, "2.10", object.spec)).toEqual([]);
          }
        }
      }),
      { numRuns: 100 },
    );
  });

  it("renders the fields of each set as they are, and gives windowed ones the window's source", () => {
    fc.assert(
      fc.property(cluster, (value) => {
        const files = render(value);
        for (const {
          name,
          spec,
          window: bound,
          suspension,
          dependsOn,
          sourceRef,
          annotations,
        } of value.sets) {
          const live = value.fluxFolder === value.folder ? `${name}.yaml` : `flux/${name}.yaml`;
          const path = bound === undefined ? live : `windows/${bound}/${name}.yaml`;
          const read = readings(files[path]!)[0]![0] as Read;
          expect(read.spec).toEqual({
            ...spec,
            // The cluster declares that source, which moves; whatever it does not declare stays.
            sourceRef:
              bound !== undefined && sourceRef.kind === "GitRepository" && sourceRef.name === "a"
                ? { ...sourceRef, name: `window-${bound}.a` }
                : sourceRef,
            ...(suspension !== undefined && { suspend: true }),
            ...(dependsOn.length > 0 && {
              dependsOn: dependsOn.map(({ external: _external, ...rest }) => rest),
            }),
          });
          expect(read.metadata).toMatchObject(
            Object.keys(annotations).length > 0 ? { annotations } : { name },
          );
        }
      }),
      { numRuns: 100 },
    );
  });

  it("renders the same bytes whatever the order of keys", () => {
    fc.assert(
      fc.property(cluster, (value) => {
        expect(render(reversed(value))).toEqual(render(value));
      }),
      { numRuns: 100 },
    );
  });
});
