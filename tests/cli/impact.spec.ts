import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { GitWorkshop } from "../support/gitWorkshop.ts";
import { arcflux } from "./process.ts";

let shop: GitWorkshop;
let clone: string;
let repository: string;

const config = (name: string, value: string) =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${name}, namespace: shop }\ndata: { value: "${value}" }\n`;

const fleet = ({ site = "a", pin = "tag: v1" } = {}) => `apiVersion: arcflux/v1
repository: { url: "https://git.example.com/edge/fleet.git" }
platform: kubernetes
sources: { infra: { kind: GitRepository, url: self, interval: 10m } }
sets: { pos: { path: ./apps/pos }, infrastructure: { path: ./infrastructure, source: infra } }
stages:
  test: { branch: main, pins: { infra: { branch: main } } }
  prod: { branch: prod, after: test, production: true, pins: { infra: { ${pin} } } }
groups: { all: { match: {}, variables: { site: ${site} }, sets: { pos: {}, infrastructure: {} } } }
clusters:
  test-1: { stage: test, kubeconfig: { context: test-1 } }
  prod-1: { stage: prod, kubeconfig: { context: prod-1 } }
  prod-2: { stage: prod, kubeconfig: { context: prod-2 } }
`;

const git = (...args: string[]): string =>
  execFileSync("git", ["-c", "user.name=Pat", "-c", "user.email=p@example.com", ...args], {
    cwd: clone,
    env: shop.env,
    stdio: ["ignore", "pipe", "ignore"],
  }).toString();

function save(files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(clone, path)), { recursive: true });
    writeFileSync(join(clone, path), text);
  }
}

const commit = (files: Readonly<Record<string, string>>): void => {
  save(files);
  git("add", "--all");
  git("commit", "-m", "A change");
};

const impact = async (...args: string[]) => {
  const { code, out, err } = await arcflux(["impact", "--repo", repository, ...args], clone);
  return { code, err, out, document: args.includes("--json") ? (JSON.parse(out) as unknown) : undefined };
};

beforeEach(async () => {
  shop = new GitWorkshop();
  repository = await shop.repository({ "README.md": "A fleet\n" });
  clone = join(shop.folder, "clone");
  execFileSync("git", ["clone", "-q", repository, clone], { env: shop.env });
  commit({
    "fleet.yaml": fleet(),
    "apps/pos/kustomization.yaml": "resources: [pos.yaml, ../../lib]\n",
    "apps/pos/pos.yaml": config("pos", "${site}"),
    "lib/kustomization.yaml": "resources: [lib.yaml]\n",
    "lib/lib.yaml": config("lib", "1"),
    "infrastructure/infra.yaml": config("infra", "1"),
  });
  git("tag", "v1");
  git("push", "-q", "origin", "main", "main:prod", "v1");
});
afterEach(() => shop.remove());

it("says what a change reaches, by which way, and what a stage or a pin holds", async () => {
  save({ "lib/lib.yaml": config("lib", "2"), "infrastructure/infra.yaml": config("infra", "2") });
  save({ "fleet.yaml": fleet({ site: "b" }) });
  const { code, document } = await impact("--base", "origin/main", "--json");
  expect(document).toMatchObject({
    into: "main",
    production: false,
    clusters: ["test-1"],
    sets: ["infrastructure", "pos"],
    stages: [{ name: "test", production: false, clusters: 1, of: 1 }],
    reached: [
      {
        set: "infrastructure",
        clusters: ["test-1"],
        ways: [
          { way: "generated", files: ["clusters/test-1/flux/infrastructure.yaml"] },
          { way: "path", files: ["infrastructure/infra.yaml"] },
        ],
      },
      {
        set: "pos",
        clusters: ["test-1"],
        ways: [
          { way: "generated", files: ["clusters/test-1/flux/pos.yaml"] },
          { way: "variable", names: ["site"] },
          { way: "path", files: ["lib/lib.yaml"] },
        ],
      },
    ],
    held: [
      { set: "infrastructure", clusters: ["prod-1", "prod-2"], by: { branch: "prod" } },
      { set: "pos", clusters: ["prod-1", "prod-2"], by: { branch: "prod" } },
    ],
  });
  expect(code).toBe(0);
});

it("does not say that a new cluster reaches the one that makes it", async () => {
  const managed = fleet()
    .replace("  test-1: {", "  test-1: { role: management,")
    .replace("  prod-1: {", "  test-2: { stage: test, managedBy: test-1 }\n  prod-1: {");
  const before = managed.replace(/ {2}test-2: .*\n/, "");
  commit({ "fleet.yaml": before });
  git("push", "-q", "origin", "main");
  save({ "fleet.yaml": managed });
  const { document } = await impact("--base", "origin/main", "--json");
  expect(document).toMatchObject({ clusters: ["test-2"] });
});

it("takes an ordinary clone, in which other branches are only as they were fetched", async () => {
  git("fetch", "-q", "origin");
  repository = clone;
  save({ "lib/lib.yaml": config("lib", "2") });
  const { code, out, err } = await impact("--base", "origin/main");
  expect([code, err]).toEqual([0, ""]);
  expect(out).toContain("pos: prod-1, prod-2, by promotion, from prod that they follow");
  git("update-ref", "-d", "refs/remotes/origin/prod");
  const without = await impact("--base", "origin/main");
  expect([without.code, without.err]).toEqual([
    2,
    expect.stringMatching(/^There is no branch prod, .* Run git fetch in .* or leave --repo out, or correct/),
  ]);
});

it("ends with 3 where a promotion or a pin in production reaches clusters", async () => {
  commit({ "lib/lib.yaml": config("lib", "2"), "infrastructure/infra.yaml": config("infra", "2") });
  const promotion = await impact("--base", "origin/prod", "--head", "HEAD");
  expect(promotion).toMatchObject({ code: 3, err: "" });
  expect(promotion.out).toBe(
    [
      "Into prod: 2 clusters are reached: prod (2 of 2).",
      "pos: prod-1, prod-2",
      "    path: lib/lib.yaml",
      "Not reached:",
      "    infrastructure: prod-1, prod-2, pinned to tag v1 by source infra",
      "Production is reached: prod.",
      "",
    ].join("\n"),
  );
  // A pin that follows main is reached by what comes to main, whichever branch the cluster follows.
  commit({ "fleet.yaml": fleet({ pin: "branch: main" }) });
  commit({ "infrastructure/infra.yaml": config("infra", "3") });
  const pinned = await impact("--base", "HEAD~1", "--format", "markdown");
  expect(pinned.code).toBe(3);
  expect(pinned.out).toContain(
    "| infrastructure | test-1, prod-1, prod-2 | path: infrastructure/infra.yaml |",
  );
});

it("counts a guard of production that goes or is loosened, alone, as production", async () => {
  const held = (text: string) =>
    fleet()
      .replace("stages:", "limits: { clustersPerUpdate: 2 }\nstages:")
      .replace("production: true", `${text}, soak: 2h, checks: [smoke]`);
  commit({ "fleet.yaml": held("production: true") });
  const lost = async (text: string) => {
    save({ "fleet.yaml": text });
    const { code, out } = await impact("--base", "HEAD");
    const [first, ...lines] = out.trimEnd().split("\n");
    expect(first).toBe("Into main: no cluster is reached.");
    return [code, ...lines.map((line) => line.replace("A guard of production is lost: ", ""))];
  };
  const base = held("production: true");
  expect(await lost(base.replace("production: true, ", ""))).toEqual([
    3,
    "stages.prod.production: true is gone.",
  ]);
  expect(
    await lost(base.replace("soak: 2h, checks: [smoke]", "soak: 1h").replace("after: test, ", "")),
  ).toEqual([
    3,
    "stages.prod.after: test becomes none.",
    "stages.prod.soak: 7200s becomes 3600s.",
    "stages.prod.checks: smoke no longer asked.",
  ]);
  expect(await lost(base.replace("clustersPerUpdate: 2", "clustersPerUpdate: 3"))).toEqual([
    3,
    "limits.clustersPerUpdate: 2 becomes 3.",
  ]);
  // Held tighter is no loss.
  expect(
    await lost(base.replace("soak: 2h", "soak: 3h").replace("clustersPerUpdate: 2", "clustersPerUpdate: 1")),
  ).toEqual([0]);
  const ofMain = [
    "apiVersion: arcflux/v1",
    'repository: { url: "https://git.example.com/edge/fleet.git" }',
    "platform: kubernetes",
    "stages: { live: { production: true } }",
    "clusters: { a: { stage: live, kubeconfig: { context: a } }, b: { stage: live, kubeconfig: { context: b } } }",
    "",
  ].join("\n");
  commit({ "fleet.yaml": ofMain });
  expect(await lost(ofMain.replaceAll("{ stage: live, ", "{ "))).toEqual([
    3,
    "clusters: a, b: no longer of a stage with production: true.",
  ]);
});

it("compares the followed branches where the fleet file lies in another repository", async () => {
  // The clone is of another repository than the one that clusters follow.
  const other = await shop.repository(
    { "apps/pos/pos.yaml": config("pos", "${site}"), "infrastructure/infra.yaml": config("infra", "1") },
    { name: "gitops" },
  );
  shop.git(other, "branch", "prod", "main");
  shop.git(other, "tag", "v1", "main");
  repository = other;
  save({ "fleet.yaml": fleet({ site: "b" }), "lib/lib.yaml": config("lib", "2") });
  const { code, out } = await impact("--base", "HEAD");
  expect(out).toBe(
    [
      "Into main: 1 cluster is reached: test (1 of 1).",
      "infrastructure: test-1",
      "    generated file: clusters/test-1/flux/infrastructure.yaml",
      "pos: test-1",
      "    generated file: clusters/test-1/flux/pos.yaml",
      "    variable: site",
      "Not reached:",
      "    infrastructure: prod-1, prod-2, by promotion, from prod that they follow",
      "    pos: prod-1, prod-2, by promotion, from prod that they follow",
      "",
    ].join("\n"),
  );
  expect(code).toBe(0);
  const wrong = await impact("--base", "HEAD", "--into", "prod");
  expect([wrong.code, wrong.err]).toEqual([
    2,
    expect.stringContaining("changes main by an update. Leave it out."),
  ]);
  const missing = await impact("--base", "nowhere");
  expect([missing.code, missing.err]).toEqual([1, expect.stringMatching(/nowhere is not a commit of/)]);
});

it("counts what an update does to clusters of production beside their files, whatever they follow", async () => {
  /** By cluster, what a change makes of which field. */
  const edits: Readonly<Record<string, readonly [was: string, is: string, field: string]>> = {
    adopt: ["adopt: false", "adopt: true", "adopts"],
    context: ["kubeconfig: { context: a }", "kubeconfig: { context: b }", "kubeconfig.context"],
    hardware: ["hardware: 1", "hardware: 2", "hardware"],
    interval: ["repository: { interval: 1m }", "repository: { interval: 2m }", "fetchInterval"],
    lockdown: ["flux: { lockdown: true }", "flux: { lockdown: false }", "flux.lockdown"],
    lost: ["lifecycle: active", "lifecycle: lost", "lifecycle"],
    named: ["arc: { name: a }", "arc: { name: b }", "arc.name"],
    prune: ["bootstrap: { prune: true }", "bootstrap: { prune: false }", "bootstrap.prune"],
    secret: [
      "labels: { keyed: 'yes', key: a }, kubeconfig: { context: s }",
      "labels: { keyed: 'yes', key: b }, kubeconfig: { context: s }",
      "secrets",
    ],
    suspended: ["labels: {}", "suspend: { reason: INC-1 }", "suspension"],
    token: [
      "repository: { credentials: { env: A } }",
      "repository: { credentials: { env: B } }",
      "credentials.env",
    ],
  };
  const made = (side: 0 | 1, branch: string, { url = "https://git.example.com/edge/fleet.git" } = {}) =>
    [
      "apiVersion: arcflux/v1",
      `repository: { url: "${url}", access: token }`,
      "arc: { resourceGroup: edge, location: westeurope }",
      `stages: { prod: { branch: ${branch}, production: true }, other: {} }`,
      "secrets: { till: { match: { keyed: 'yes' }, name: till, namespace: shop, deliver: pulumi, keys: { token: { config: 'till-{key}' } } } }",
      "sets: { pos: { path: ./apps/pos } }",
      "agents: present",
      "groups: { all: { match: {}, sets: { pos: {} }, variables: { site: a } } }",
      "clusters:",
      // A label that nothing matches reaches nobody.
      `  still: { stage: prod, labels: { note: "${side}" } }`,
      ...Object.entries(edits).map(([name, both]) => `  ${name}: { stage: prod, ${both[side]} }`),
      "",
    ].join("\n");
  interface Said {
    clusters: string[];
    production: boolean;
    reached: { set: string; clusters: string[]; ways: { way: string; fields?: string[] }[] }[];
  }
  const fieldsIn = ({ reached }: Said) =>
    reached
      .flatMap(({ clusters, ways }) =>
        clusters.flatMap((name) =>
          ways.flatMap(({ fields = [] }) => fields.map((field) => `${name} ${field}`)),
        ),
      )
      .sort();
  const expected = Object.entries(edits).map(([name, [, , field]]) => `${name} ${field}`);
  for (const branch of ["main", "prod"]) {
    commit({ "fleet.yaml": made(0, branch) });
    git("push", "-q", "-f", "origin", "HEAD:main", "HEAD:prod");
    save({ "fleet.yaml": made(1, branch) });
    const { code, document, err } = await impact("--base", "HEAD", "--json");
    expect(document).toMatchObject({ findings: [] });
    expect([err, fieldsIn(document as Said)]).toEqual(["", expected]);
    expect(code).toBe(3);
  }
  save({ "fleet.yaml": made(0, "prod", { url: "https://git.example.com/edge/moved.git" }) });
  const moved = await impact("--base", "HEAD", "--json");
  expect((moved.document as Said).clusters).toEqual(["still", ...Object.keys(edits)]);
  expect(moved.code).toBe(3);

  // No change takes the word of its own guard away, and a branch that nobody follows is a slip.
  commit({ "fleet.yaml": made(0, "main") });
  save({
    "fleet.yaml": made(0, "main").replace(", production: true", ""),
    "apps/pos/pos.yaml": config("p", "2"),
  });
  expect((await impact("--base", "HEAD")).code).toBe(3);
  const slip = await impact("--base", "HEAD", "--into", "mian");
  expect([slip.code, slip.err]).toEqual([
    2,
    expect.stringContaining("No cluster and no stage follows a branch mian. Write --into with one of main."),
  ]);
});

it("follows charts of the repository, what they depend on, and what the source leaves out", async () => {
  const release = (name: string, source: string) =>
    `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: { name: ${name}, namespace: shop }
spec: { interval: 10m, chart: { spec: { chart: ./charts/${name}, reconcileStrategy: Revision, sourceRef: { kind: GitRepository, name: ${source}, namespace: flux-system } } } }
`;
  commit({
    "fleet.yaml": fleet({ pin: "branch: main" }),
    "apps/pos/pos.yaml": `${release("shop", "edge-config")}---\n${release("till", "infra")}`,
    "charts/shop/Chart.yaml":
      "apiVersion: v2\nname: shop\nversion: 1.0.0\ndependencies: [{ name: common, version: 1.0.0, repository: file://../common }]\n",
    "charts/common/Chart.yaml": "apiVersion: v2\nname: common\nversion: 1.0.0\n",
    "charts/till/templates/till.yaml": "a: 1\n",
  });
  git("push", "-q", "-f", "origin", "HEAD:main", "HEAD:prod");
  save({ "charts/common/templates/web.yaml": "a: 1\n", "charts/other/a.yaml": "a: 1\n" });
  const shared = await impact("--base", "HEAD");
  expect(shared.out).toBe(
    [
      "Into main: 1 cluster is reached: test (1 of 1).",
      "pos: test-1",
      "    path: charts/common/templates/web.yaml",
      "Not reached:",
      "    pos: prod-1, prod-2, by promotion, from prod that they follow",
      "",
    ].join("\n"),
  );
  expect(shared.code).toBe(0);
  // A chart from a source that follows main is at once in what follows prod.
  save({ "charts/till/templates/till.yaml": "a: 2\n" });
  const pinned = await impact("--base", "HEAD");
  expect(pinned.out).toContain("pos: prod-1, prod-2\n    path: charts/till/templates/till.yaml\n");
  expect(pinned.code).toBe(3);
  git("checkout", "-q", ".");
  git("clean", "-qfd");
  save({ ".sourceignore": "charts/\n" });
  const left = await impact("--base", "HEAD");
  expect(left.out).toContain("bootstrap: test-1, prod-1, prod-2\n    path: .sourceignore\n");
  expect(left.out).toContain("pos: test-1\n    path: charts/common/Chart.yaml, charts/shop/Chart.yaml");
  expect(left.code).toBe(3);
});
