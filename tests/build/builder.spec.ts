import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openBuilder, type Builder, type BuildOutcome, type SourceView } from "../../build/index.ts";
import { idled } from "../../fleet/idle.ts";
import { joinPatches } from "../../fleet/joinPatches.ts";
import type { AppPatch, PlainMap } from "../../fleet/model.ts";
import { renderApps } from "../../flux/apps.ts";
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

async function build(
  files: Readonly<Record<string, string>>,
  spec: PlainMap & { readonly path: string },
  view?: SourceView,
): Promise<BuildOutcome> {
  const [outcome] = await builder.build([{ tree: givenTree(files), spec, ...(view && { view }) }]);
  return outcome!;
}

/** What a reader sees at a glance: kind, namespace and name of each object, with the file it comes from. */
function summary(outcome: BuildOutcome): unknown {
  if (outcome.kind !== "built") return outcome;
  return outcome.objects.map(({ object, file }) => {
    const { namespace = "", name } = object["metadata"] as { namespace?: string; name: string };
    return `${object["kind"] as string} ${namespace}/${name} of ${file}`;
  });
}

const configMap = (name: string, data = "a: b"): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\ndata: {${data}}\n`;
const deployment =
  "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {template: {spec: {containers: [{name: web, image: nginx:1.0}]}}}\n";

describe("a folder without kustomization.yaml", () => {
  test("is every manifest in it and below it; one of its own below counts whole", async () => {
    const files = {
      "apps/pos/b.yaml": configMap("b"),
      "apps/pos/deep/er/a.yml": configMap("a"),
      "apps/pos/README.md": "nothing: here",
      "apps/pos/own/kustomization.yaml": "namePrefix: own-\nresources: [one.yaml]\n",
      "apps/pos/own/one.yaml": configMap("one"),
      "apps/pos/own/two.yaml": configMap("two"),
      "apps/other.yaml": configMap("other"),
    };
    expect(summary(await build(files, { path: "./apps/pos" }))).toEqual([
      "ConfigMap /b of apps/pos/b.yaml",
      "ConfigMap /a of apps/pos/deep/er/a.yml",
      "ConfigMap /own-one of apps/pos/own/one.yaml",
    ]);
  });

  test("may be empty", async () => {
    expect(summary(await build({ "apps/pos/README.md": "" }, { path: "apps/pos" }))).toEqual([]);
  });

  test("with a file that is not a manifest fails, and the file is named", async () => {
    const files = { "apps/values.yaml": "replicas: 3\n", "apps/cm.yaml": configMap("a") };
    expect(await build(files, { path: "./apps" })).toMatchObject({
      kind: "fault",
      message: expect.stringContaining("failed to decode Kubernetes YAML from apps/values.yaml") as string,
      file: "apps/values.yaml",
    });
  });
});

test("what the set's spec says is part of what is built", async () => {
  const files = {
    "apps/web/kustomization.yaml": "resources: [web.yaml]\nimages: [{name: nginx, newTag: '1.1'}]\n",
    "apps/web/web.yaml": deployment,
    "parts/extra/kustomization.yaml":
      "apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nconfigMapGenerator: [{name: extra, options: {disableNameSuffixHash: true}, files: [key=in.txt]}]\n",
    "parts/extra/in.txt": "hello",
  };
  const spec = {
    path: "./apps/web",
    targetNamespace: "shop",
    namePrefix: "x-",
    nameSuffix: "-y",
    components: ["../../parts/extra"],
    images: [{ name: "nginx", newName: "mirror/nginx" }],
    patches: [
      { target: { kind: "Deployment" }, patch: '[{"op": "add", "path": "/spec/replicas", "value": 3}]' },
    ],
    commonMetadata: { labels: { team: "edge" } },
    interval: "10m",
  };
  const outcome = await build(files, spec);
  expect(outcome).toMatchObject({
    kind: "built",
    files: [
      "apps/web/kustomization.yaml",
      "apps/web/web.yaml",
      "parts/extra/in.txt",
      "parts/extra/kustomization.yaml",
    ],
    objects: [
      {
        file: "apps/web/web.yaml",
        object: {
          apiVersion: "apps/v1",
          kind: "Deployment",
          metadata: { name: "x-web-y", namespace: "shop", labels: { team: "edge" } },
          spec: {
            replicas: 3,
            template: { spec: { containers: [{ name: "web", image: "mirror/nginx:1.1" }] } },
          },
        },
      },
      {
        file: "parts/extra/kustomization.yaml",
        object: { metadata: { name: "x-extra-y", labels: { team: "edge" } }, data: { key: "hello" } },
      },
    ],
  });
});

describe("what cannot be built here is not judged, with the reason", () => {
  test.each([
    [
      "a remote base",
      { "a/kustomization.yaml": "resources: [https://github.com/x/y?ref=v1]\n" },
      /takes https:.* from the network/,
    ],
    [
      "a pointer of Git LFS",
      { "a/cm.yaml": "version https://git-lfs.github.com/spec/v1\noid sha256:1\n" },
      /Git LFS/,
    ],
    ["a submodule", { "a/cm.yaml": configMap("a"), "a/sub": "submodule" }, /a\/sub is a submodule/],
  ])("%s", async (_, files, reason) => {
    const outcome = await build(files, { path: "a" });
    expect(outcome).toEqual({ kind: "notJudged", reason: expect.stringMatching(reason) as string });
  });
});

test("only what source-controller fetches is there: no ignored files, no links, and of a sparse checkout its folders", async () => {
  const files = {
    ".sourceignore": "/*\n!/apps/\n",
    "apps/.sourceignore": "*.tmp.yaml\n",
    "apps/kustomization.yaml": "resources: [cm.yaml]\n",
    "apps/cm.yaml": configMap("a"),
    "apps/link.yaml": "link to cm.yaml",
    "base/kustomization.yaml": "resources: []\n",
    "over/kustomization.yaml": "resources: [../base]\n",
  };
  const apps = await build(files, { path: "apps" });
  expect(apps).toMatchObject({
    kind: "built",
    warnings: [expect.stringContaining("apps/link.yaml is a symbolic link")],
  });
  expect(await build(files, { path: "over" })).toMatchObject({ kind: "fault" });
  const kustomized = {
    ...files,
    "apps/kustomization.yaml": "resources: [x.tmp.yaml]\n",
    "apps/x.tmp.yaml": configMap("x"),
  };
  expect(await build(kustomized, { path: "apps" })).toMatchObject({ kind: "fault" });
  const open = { ...files, ".sourceignore": "" };
  expect(await build(open, { path: "apps" }, { sparseCheckout: ["./base"] })).toMatchObject({
    kind: "fault",
  });
  expect(await build(open, { path: "apps" }, { sparseCheckout: ["apps/"] })).toMatchObject({ kind: "built" });
});

test("nothing outside of the repository is looked at", async () => {
  const files = {
    "a/kustomization.yaml": "resources: [../../../../etc/passwd, /etc/hostname]\n",
    "b/kustomization.yaml": "configMapGenerator: [{name: a, files: [/proc/self/environ]}]\n",
  };
  expect(await build(files, { path: "../../a" })).toMatchObject({ kind: "fault" });
  expect(await build(files, { path: "b" })).toMatchObject({ kind: "fault" });
});

describe("variables", () => {
  const files = {
    "a/cm.yaml": configMap("cm", 'site: "${site}", slot: "${slot:-blue}", plain: "$${kept}"'),
    "a/off.yaml":
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: off, annotations: {kustomize.toolkit.fluxcd.io/substitute: disabled}}\ndata: {a: "${site}"}\n',
  };
  const dataOf = async (variables: Record<string, string>, strict: boolean): Promise<unknown> => {
    const built = await build(files, { path: "a" });
    if (built.kind !== "built") throw new Error(built.kind);
    const outcome = await builder.substitute(built, { variables, strict });
    return outcome.kind === "built" ? outcome.objects.map(({ object }) => object["data"]) : outcome;
  };

  // What stands in quotes in Git loses them in the build, so that Flux reads 0042 as YAML does: an octal number.
  test("are put in after the build, where they are wanted, and become what YAML takes them for", async () => {
    expect(await dataOf({ site: "0042" }, true)).toEqual([
      { site: 34, slot: "blue", plain: "${kept}" },
      { a: "${site}" },
    ]);
  });

  test("that nothing defines are empty, and with strictness a fault", async () => {
    expect(await dataOf({ other: "1" }, false)).toEqual([
      { site: null, slot: "blue", plain: "${kept}" },
      { a: "${site}" },
    ]);
    expect(await dataOf({ other: "1" }, true)).toEqual({
      kind: "fault",
      message: expect.stringContaining('variable not set (strict mode): "site"') as string,
    });
  });
});

test("what was built of equal content is read from the cache, without its manifests", async () => {
  const files = { "a/kustomization.yaml": "resources: [cm.yaml]\n", "a/cm.yaml": configMap("once") };
  const first = await build(files, { path: "a" });
  const again = openBuilder({ cache });
  if ("kind" in again) throw new Error(again.message);
  const asked: string[] = [];
  const tree = givenTree(files, (path) => asked.push(path));
  expect(await again.build([{ tree, spec: { path: "a" } }])).toEqual([first]);
  expect(asked).toEqual(["a/kustomization.yaml"]);
  await again.close();
});

test("without the engine there is no builder, but a way to it", () => {
  expect(openBuilder({ env: { ARCFLUX_CACHE_DIR: cache } })).toEqual({
    kind: "noEngine",
    message: expect.stringContaining("npm run setup") as string,
  });
});

describe("patches of several layers", () => {
  const target = { kind: "Deployment", name: "web" };
  /** Over `spec.template` of the deployment, which has a list that is merged by name and a map. */
  const anyPatch = fc.record(
    {
      replicas: fc.constantFrom(1, 2, null),
      selector: fc.option(
        fc.record(
          {
            matchLabels: fc.option(
              fc.dictionary(fc.constantFrom("a", "b"), fc.constantFrom("1", "2", null), { maxKeys: 2 }),
            ),
          },
          { requiredKeys: [] },
        ),
      ),
      template: fc.record(
        {
          spec: fc.record({
            containers: fc.constantFrom(
              [{ name: "web", image: "a" }],
              [{ name: "web", tty: true }],
              [{ name: "side", image: "b" }],
            ),
          }),
        },
        { requiredKeys: [] },
      ),
    },
    { requiredKeys: [] },
  );
  const folder = (patches: readonly AppPatch[]) => ({
    "web.yaml": `${deployment}---\n${configMap("c")}`,
    ...Object.fromEntries(
      Object.entries(renderApps({ apps: [{ name: "web", resource: "../web.yaml", patches }] })).map(
        ([path, value]) => [path, JSON.stringify(value)],
      ),
    ),
  });

  test("build the same joined as one after the other", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyPatch, { minLength: 2, maxLength: 4 }), async (specs) => {
        const patches = specs.map((spec): AppPatch => ({ target, patch: { spec } }));
        const joined = joinPatches(patches);
        const [one, other] = await Promise.all(
          [patches, joined].map((each) => build(folder(each), { path: "./apps" })),
        );
        if (one!.kind !== "built" || other!.kind !== "built") throw new Error(JSON.stringify([one, other]));
        // Kustomize leaves an empty map behind where it takes the last field of one.
        expect(other!.objects.map(({ object }) => filled(object))).toEqual(
          one!.objects.map(({ object }) => filled(object)),
        );
      }),
      { numRuns: Number(process.env["ARCFLUX_RUNS"] ?? 40) },
    );
  });
});

describe("a set that is idle", () => {
  const files = {
    "shop/web.yaml": "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {paused: false}\n",
    "shop/db.yaml": "apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {name: db}\nspec: {replicas: 3}\n",
    "shop/mail.yaml": "apiVersion: batch/v1\nkind: CronJob\nmetadata: {name: mail}\nspec: {suspend: false}\n",
    "shop/till.yaml":
      "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: till}\nspec: {interval: 1h}\n",
    "shop/agent.yaml": "apiVersion: apps/v1\nkind: DaemonSet\nmetadata: {name: agent}\nspec: {}\n",
    // Only metadata of an object of others (`ssa: Merge`).
    "shop/part.yaml": "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: part}\n",
    "shop/keep.yaml":
      'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: keep, labels: {arcflux.io/idle: "false"}}\nspec: {replicas: 2}\n',
    "none/map.yaml": configMap("map"),
  };
  const spec = (path: string) => {
    const patches = [
      {
        target: { kind: "Deployment", name: "web" },
        patch:
          "{apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, spec: {replicas: 5, paused: true}}",
      },
    ];
    const set = {
      name: "shop",
      ...{ labels: {}, annotations: {}, dependsOn: [] },
      sourceRef: { kind: "GitRepository", name: "edge-config" } as const,
      spec: { path, interval: "10m", prune: true, patches: path === "./shop" ? patches : [] },
    };
    return idled(set).spec;
  };
  const specsOf = (outcome: BuildOutcome): unknown => {
    if (outcome.kind !== "built") return outcome;
    return Object.fromEntries(
      outcome.objects.map(({ object }) => [(object["metadata"] as { name: string }).name, object["spec"]]),
    );
  };

  test("has no replicas and no runs, whatever its own patches say, but where a label keeps it", async () => {
    const built = specsOf(await build(files, spec("./shop"))) as Record<string, object>;
    const { till, ...others } = built;
    expect(others).toEqual({
      web: { replicas: 0, paused: true },
      db: { replicas: 0 },
      mail: { suspend: true },
      agent: {},
      part: { replicas: 0 },
      keep: { replicas: 2 },
    });
    const { postRenderers, ...rest } = till as { postRenderers: { kustomize: { patches: PlainMap[] } }[] };
    expect(rest).toEqual({ interval: "1h" });
    // What helm-controller will do to what the chart makes, by the same engine.
    const inChart = { path: "./shop", patches: postRenderers[0]!.kustomize.patches };
    const { till: nested, ...chart } = specsOf(await build(files, inChart)) as Record<string, object>;
    expect(chart).toEqual({ ...others, web: { replicas: 0, paused: false } });
    expect(nested).toEqual({ interval: "1h" });
  });

  test("builds where there is nothing to stop", async () => {
    expect(summary(await build(files, spec("./none")))).toEqual(["ConfigMap /map of none/map.yaml"]);
  });
});

/** A value without its empty maps. */
function filled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(filled);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]) => [key, filled(inner)] as const);
  const kept = entries.filter(([, inner]) => inner !== undefined);
  return kept.length > 0 ? Object.fromEntries(kept) : undefined;
}
