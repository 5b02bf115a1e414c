import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Builder, openBuilder } from "../../build/index.ts";
import { type AppliedObject, clusterState, treeAfterUpdate } from "../../checks/applied/index.ts";
import type { PinnedTrees } from "../../checks/pinnedTrees.ts";
import type { RepositoryTree } from "../../checks/repositoryTree.ts";
import type { Cluster, Fleet } from "../../fleet/model.ts";
import { impactOf } from "../../impact/index.ts";
import { asMap, asText, isMap } from "../../values/maps.ts";
import { mustLoad } from "../fleet/fixture.ts";
import { memoryTree } from "../support/memoryTree.ts";

/** `ARCFLUX_RUNS=200 ARCFLUX_CLUSTERS=300` runs it in full. */
const runs = Number(process.env["ARCFLUX_RUNS"] ?? 8);
const clusterCount = Number(process.env["ARCFLUX_CLUSTERS"] ?? 9);

let builder: Builder;
beforeAll(() => {
  const opened = openBuilder();
  if ("kind" in opened) throw new Error(opened.message);
  builder = opened;
});
afterAll(() => builder.close());

/** A Secret as SOPS leaves it. */
const encrypted = (data: string): string =>
  `apiVersion: v1\nkind: Secret\nmetadata: { name: pin, namespace: shop }\nstringData: { pin: "ENC[AES256_GCM,data:${data},tag:t==,type:str]" }\n` +
  `sops: { age: [{ recipient: age1x, enc: e }], lastmodified: "2026-01-01T00:00:00Z", version: 3.9.0 }\n`;

/** What an edit may change; plain enough to be written down as a fleet file. */
interface World {
  readonly files: Map<string, string>;
  readonly groupVariable: { site: string; unused: string };
  readonly interval: string;
  readonly pins: { dev: string; prod: string };
  /** By number of the cluster. */
  readonly own: Map<number, string>;
  readonly gone: Set<number>;
  readonly replicas: string;
}

function start(): World {
  const workload = (name: string, more = "") =>
    `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${name}, namespace: shop }\ndata: { a: "1"${more} }\n`;
  return {
    files: new Map([
      ["lib/common/kustomization.yaml", "resources: [common.yaml]\n"],
      ["lib/common/common.yaml", workload("common")],
      [
        "apps/pos/kustomization.yaml",
        "resources: [pos.yaml, ../../lib/common]\nsecretGenerator: [{ name: till, namespace: shop, envs: [till.enc.env] }]\n",
      ],
      ["apps/pos/pos.yaml", workload("pos", ', site: "${site}"')],
      ["apps/web/web.yaml", workload("web")],
      ["apps/web/secret.yaml", encrypted("one")],
      ["apps/pos/till.enc.env", "PIN=ENC[AES256_GCM,data:one,tag:t==,type:str]\nsops_version=3.9.0\n"],
      ["infrastructure/infra.yaml", workload("infra")],
      ["apps-base/till/kustomization.yaml", "resources: [till.yaml]\n"],
      ["apps-base/till/till.yaml", workload("till")],
      ["README.md", "A fleet\n"],
    ]),
    groupVariable: { site: "a", unused: "a" },
    interval: "10m",
    pins: { dev: "branch: main", prod: "tag: v1" },
    own: new Map(),
    gone: new Set(),
    replicas: "1",
  };
}

function fleetOf({ groupVariable, interval, pins, own, gone, replicas }: World): Fleet {
  const clusters = Array.from({ length: clusterCount }, (_, number) => number)
    .filter((number) => !gone.has(number))
    .map((number) => {
      const stage = number % 3 === 0 ? "prod" : number % 3 === 1 ? "dev" : "direct";
      const apps =
        number % 2 === 0
          ? `, apps: { till: { path: apps-base/till, target: { kind: ConfigMap, name: till, namespace: shop }, patch: { data: { b: "${replicas}" } } } }`
          : "";
      return `  c-${number}: { kubeconfig: { context: c-${number} }, stage: ${stage}${apps}, ${own.get(number) ?? "labels: {}"} }`;
    });
  return mustLoad(
    [
      "apiVersion: arcflux/v1",
      "platform: kubernetes",
      "repository: { url: https://git.example.com/edge/fleet.git }",
      "sources: { infra: { kind: GitRepository, url: self, interval: 10m } }",
      "sets:",
      `  pos: { path: ./apps/pos, interval: ${interval} }`,
      "  web: { path: ./apps/web }",
      "  infrastructure: { path: ./infrastructure, source: infra }",
      "stages:",
      `  dev: { branch: main, pins: { infra: { ${pins.dev} } } }`,
      `  direct: { branch: main, pins: { infra: { ${pins.prod} } } }`,
      `  prod: { branch: prod, after: dev, pins: { infra: { ${pins.prod} } } }`,
      "groups:",
      `  all: { match: {}, variables: { site: ${groupVariable.site}, unused: ${groupVariable.unused} }, sets: { pos: {}, web: {}, infrastructure: {} } }`,
      "clusters:",
      ...clusters,
    ].join("\n"),
  );
}

type Edit = (world: World) => World;
const paths = [...start().files.keys()];
const number = fc.integer({ min: 0, max: clusterCount - 1 });
const file = fc.constantFrom(...paths);
const withFile =
  (path: string, change: (text: string) => string | undefined): Edit =>
  (world) => {
    const files = new Map(world.files);
    const text = change(files.get(path) ?? "");
    if (text === undefined) files.delete(path);
    else files.set(path, text);
    return { ...world, files };
  };
const edits: fc.Arbitrary<Edit> = fc.oneof(
  // Encrypted anew, or with another value: nobody here can tell, so it counts.
  file.map((path) => withFile(path, (text) => text.replaceAll("data:one,", "data:other,"))),
  file.map((path) => withFile(path, (text) => text.replace('a: "1"', 'a: "2"'))),
  file.map((path) => withFile(path, (text) => `${text}# a comment\n`)),
  file.map((path) => withFile(path, () => undefined)),
  fc
    .constantFrom("apps/web", "apps/pos", "lib/common", "infrastructure")
    .map((folder) =>
      withFile(
        `${folder}/more.yaml`,
        () => "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: more, namespace: shop }\n",
      ),
    ),
  fc.constant<Edit>(
    withFile(
      "clusters/c-1/flux/by-hand.yaml",
      () => "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: hand, namespace: shop }\n",
    ),
  ),
  fc
    .constantFrom("site", "unused")
    .map((name): Edit => (world) => ({ ...world, groupVariable: { ...world.groupVariable, [name]: "b" } })),
  fc.constant<Edit>((world) => ({ ...world, interval: "20m" })),
  fc.constant<Edit>((world) => ({ ...world, replicas: "2" })),
  fc
    .constantFrom("tag: v2", "branch: main")
    .map((prod): Edit => (world) => ({ ...world, pins: { ...world.pins, prod } })),
  fc
    .tuple(
      number,
      fc.constantFrom(
        "variables: { site: x }",
        "idle: true",
        "sets: { web: null }",
        "sets: { web: { path: ./lib/common } }",
        "sets: { pos: { postBuild: { substitute: { site: y } } } }",
      ),
    )
    .map(([at, text]): Edit => (world) => ({ ...world, own: new Map([...world.own, [at, text]]) })),
  number.map((at): Edit => (world) => ({ ...world, gone: new Set([...world.gone, at]) })),
);

/** What each cluster applies: by set what is in it, with the Flux objects that are about it. */
async function stateOf(
  cluster: Cluster,
  tree: RepositoryTree,
  pinned: PinnedTrees,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const state = await clusterState(
    cluster,
    { tree, branch: cluster.follows, url: "https://git.example.com/edge/fleet.git", pinned },
    builder,
  );
  const found = new Map<string, string[]>();
  const put = (set: string, text: string) => found.set(set, [...(found.get(set) ?? []), text]);
  for (const { name, objects } of state.sets)
    for (const each of objects)
      for (const set of setsOf(name, each, cluster)) put(set, canonical(each.object));
  for (const { set } of state.unbuilt) put(set, "(not built)");
  for (const texts of found.values()) texts.sort();
  return found;
}

/** An object as text, whichever way its fields stand in the file. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) =>
    isMap(each)
      ? Object.fromEntries(Object.entries(each).sort(([one], [other]) => (one < other ? -1 : 1)))
      : each,
  );
}

function setsOf(set: string, { object }: AppliedObject, { sets }: Cluster): string[] {
  if (!set.endsWith("-bootstrap")) return [set];
  const name = asText(asMap(object["metadata"])["name"]) ?? "";
  if (object["kind"] === "Kustomization") return [name];
  if (object["kind"] !== "GitRepository") return ["bootstrap"];
  return sets.filter(({ sourceRef }) => sourceRef.name === name).map((each) => each.name);
}

it("reaches the clusters and sets that differ once both sides are rendered and built", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(edits, { minLength: 1, maxLength: 3 }), async (all) => {
      const world = start();
      const changed = all.reduce((now, edit) => edit(now), world);
      const [before, after] = [fleetOf(world), fleetOf(changed)];
      const [old, fresh] = [memoryTree(world.files), memoryTree(changed.files)];
      const [was, is] = await Promise.all([treeAfterUpdate(before, old), treeAfterUpdate(after, fresh)]);
      const tags = new Map([
        ["v1", old],
        [
          "v2",
          memoryTree(
            new Map([
              ...world.files,
              [
                "infrastructure/infra.yaml",
                "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: infra, namespace: shop }\n",
              ],
            ]),
          ),
        ],
      ]);
      const pinnedOn =
        (main: typeof was): PinnedTrees =>
        (ref) =>
          Promise.resolve(
            (ref["branch"] === "main" ? main : tags.get(asText(ref["tag"]) ?? "")) as
              RepositoryTree | undefined,
          );
      // Nothing was promoted since: what prod has is what the fleet file said before.
      const found = await impactOf(
        { fleet: before, tree: old },
        { fleet: after, tree: fresh },
        { into: "main", others: new Map([["prod", was]]), pinned: pinnedOn(was), builder },
      );
      const expected: string[] = [];
      const names = new Set([...before.clusters, ...after.clusters].map(({ name }) => name));
      for (const name of names) {
        const [from, to] = [before, after].map(({ clusters }) => clusters.find((each) => each.name === name));
        const at = (cluster: Cluster | undefined, main: typeof was) =>
          cluster === undefined
            ? new Map<string, readonly string[]>()
            : stateOf(cluster, cluster.follows === "prod" ? was : main, pinnedOn(main));
        const isWaiting = from?.follows === "prod" && to !== undefined;
        const [one, other] = [await at(from, was), await at(isWaiting ? from : to, is)];
        for (const set of new Set([...one.keys(), ...other.keys()]))
          if (JSON.stringify(one.get(set)) !== JSON.stringify(other.get(set)))
            expected.push(`${name} ${set}`);
      }
      const seen = found.reached.flatMap(({ set, clusters }) =>
        clusters.map((cluster) => `${cluster} ${set}`),
      );
      // A cluster that comes or goes does so with its flux folder, which nothing else tells.
      const isWhole = (line: string) => / bootstrap$/.test(line) && !expected.includes(line);
      expect(seen.filter((line) => !isWhole(line)).sort()).toEqual(expected.sort());
    }),
    { numRuns: runs },
  );
});
