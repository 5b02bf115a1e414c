import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openBuilder, type Builder } from "../../build/index.ts";
import { givenTree } from "./givenTree.ts";

let cache: string;
let builder: Builder;

beforeAll(async () => {
  cache = await mkdtemp(join(tmpdir(), "arcflux-builds-"));
  const opened = openBuilder({ cache });
  if ("kind" in opened) throw new Error(opened.message);
  builder = opened;
});

afterAll(async () => {
  await builder.close();
  await rm(cache, { recursive: true });
});

const names = ["a", "b.yaml", "c.yml", "kustomization.yaml", "Kustomization", ".sourceignore", "x.txt"];
const places = [
  "b.yaml",
  "../a",
  "..",
  "../../..",
  "/etc/passwd",
  "a/../../b.yaml",
  ".",
  "",
  "ä ö",
  "k=x.txt",
];
const place = fc.constantFrom(...names, ...places);
const config = fc
  .record(
    {
      resources: fc.array(place, { maxLength: 3 }),
      components: fc.array(place, { maxLength: 2 }),
      patches: fc.array(fc.record({ path: place }), { maxLength: 2 }),
      configMapGenerator: fc.array(fc.record({ name: place, files: fc.array(place, { maxLength: 2 }) }), {
        maxLength: 1,
      }),
      transformers: fc.array(place, { maxLength: 1 }),
      openapi: fc.record({ path: place }),
      replacements: fc.array(fc.record({ path: place }), { maxLength: 1 }),
      nameSuffix: fc.string({ maxLength: 5 }),
    },
    { requiredKeys: [] },
  )
  .map((value) => JSON.stringify(value));
const manifest = fc
  .record({
    apiVersion: fc.constantFrom("v1", "apps/v1", "kustomize.config.k8s.io/v1alpha1", ""),
    kind: fc.constantFrom("ConfigMap", "Deployment", "List", "Component", "Kustomization", ""),
    metadata: fc.oneof(
      fc.record({ name: fc.constantFrom("x", "y", "") }),
      fc.constant(null),
      fc.constant([]),
    ),
    items: fc.array(fc.constantFrom(null, {}, 1), { maxLength: 2 }),
  })
  .map((value) => JSON.stringify(value));
const content = fc.oneof(
  { weight: 3, arbitrary: config },
  { weight: 3, arbitrary: manifest },
  fc.string({ maxLength: 40 }),
  fc.constantFrom(
    "submodule",
    "link to b.yaml",
    "a: &a [*a]",
    "{{ .Values }}",
    "- - -\n\t:",
    "&x [*x, *x]",
    "*\n!a\n",
  ),
);
const path = fc
  .tuple(fc.array(fc.constantFrom("a", "b", "ä ö"), { maxLength: 3 }), fc.constantFrom(...names))
  .map(([folders, name]) => [...folders, name].join("/"));

test("any folder has an outcome, and nothing outside of the repository is asked for", async () => {
  await fc.assert(
    fc.asyncProperty(fc.dictionary(path, content, { maxKeys: 10 }), place, async (files, folder) => {
      const asked: string[] = [];
      const tree = givenTree(files, (file) => asked.push(file));
      const [outcome] = await builder.build([{ tree, spec: { path: folder } }]);
      expect(["built", "fault", "notJudged"]).toContain(outcome!.kind);
      expect(JSON.stringify(outcome)).not.toMatch(/root:|\/repository|did not end|broke off/);
      expect(asked.filter((file) => file.split("/").some((name) => ["", ".", ".."].includes(name)))).toEqual(
        [],
      );
    }),
    { numRuns: Number(process.env["ARCFLUX_FUZZ_RUNS"] ?? 100) },
  );
});
