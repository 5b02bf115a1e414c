import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { abortRollout, pinStep, promote, rolloutNext, type World } from "../../stages/index.ts";
import type { FleetStatus } from "../../status/index.ts";
import { mustLoad } from "../fleet/fixture.ts";
import { StageShop } from "./stageShop.ts";

const rings = "first: { name: first, match: { ring: first }, soak: 1h, maxFailed: 1 }";
const stages = {
  prod: `branch: prod, ready: { share: 50% }, rings: [${rings.slice(rings.indexOf("{"))}, { name: early, match: { ring: early }, soak: 1h }, { name: rest, share: 100% }]`,
};
const clusters = {
  "a-1": "stage: prod, labels: { ring: first }",
  "a-2": "stage: prod, labels: { ring: first }",
  "a-3": "stage: prod, labels: { ring: first }",
  "b-1": "stage: prod, labels: { ring: early }",
  "c-1": "stage: prod",
};

let shop: StageShop;
let minutes: number;
/** Words of clusters that are not ready. */
let words: Record<string, "failing" | "offline">;

beforeEach(async () => {
  shop = await StageShop.open({ "apps/pos/a.yaml": "v: 1\n" }, ["prod", "prod-first", "prod-early"]);
  shop.fleet(stages, "", clusters);
  minutes = 0;
  words = {};
});
afterEach(() => shop.close());

const fleet = () => mustLoad(readFileSync(join(shop.shop.folder, "fleet.yaml"), "utf8"));

/** A world in which clusters run what they should, but for those that `words` names. */
const world = (): World => ({
  git: {
    env: { ...shop.shop.env, GIT_AUTHOR_NAME: "Kim", GIT_AUTHOR_EMAIL: "kim@example.com" },
    tempRoot: shop.shop.tempRoot,
  },
  now: () => new Date(Date.now() + minutes * 60_000),
  ask: (asked) =>
    Promise.resolve({
      states: asked.map(({ name, follows }) => ({
        cluster: name,
        word: words[name] ?? "ready",
        sets: [],
        others: words[name] === "failing" ? [{ word: "failing" }] : [],
        wanted: {},
        runs: { bootstrap: `${follows}@sha1:${shop.git("rev-parse", follows)}` },
      })),
      history: { contains: (one: string, other: string) => one === other },
      asOf: Date.now(),
      faults: [],
    } as unknown as FleetStatus),
  applied: () => Promise.resolve(true) as never,
  statuses: () => Promise.resolve([]),
});

const passing = { again: false, unverified: false, dryRun: false };
const next = async () =>
  (await rolloutNext(fleet(), "prod", passing, world())).map(({ ring, state }) => `${ring.name} ${state}`);
const start = () =>
  promote(fleet(), { ...passing, stage: "prod/first", pullRequest: false }, world()).then(
    ({ outcome }) => outcome,
  );
const has = (branch: string) => shop.git("show", `${branch}:apps/pos/a.yaml`);
const all = () => ["prod-first", "prod-early", "prod"].map(has);

it("moves ring after ring to the same tree, each once the one before is ready for its soak", async () => {
  shop.commit("main", { "apps/pos/a.yaml": "v: 2\n" });
  expect(await start()).toBe("promoted");
  expect(all()).toEqual(["v: 2", "v: 1", "v: 1"]);
  expect(await next()).toEqual(["prod/early waits", "prod same"]);
  minutes = 61;
  // One of three is away and one fails, as many as may.
  words = { "a-1": "offline" };
  expect(await next()).toEqual(["prod/early moved", "prod same"]);
  // A kill between two rings leaves nothing behind but Git: whoever calls next goes on.
  expect(all()).toEqual(["v: 2", "v: 2", "v: 1"]);
  minutes = 0;
  expect(await next()).toEqual(["prod/early same", "prod waits"]);
  minutes = 130;
  expect(await next()).toEqual(["prod/early same", "prod moved"]);
  expect(all()).toEqual(["v: 2", "v: 2", "v: 2"]);
  expect(shop.tree("prod")).toBe(shop.tree("main"));
  expect(await next()).toEqual(["prod/early same", "prod same"]);
  // A rollback of the stage takes each ring back.
  expect((await shop.run("rollback", "prod")).code).toBe(0);
  expect(all()).toEqual(["v: 1", "v: 1", "v: 1"]);
});

it("stops by itself beyond maxFailed, counts who is off as away, and goes back or on", async () => {
  shop.commit("main", { "apps/pos/a.yaml": "v: 2 # bad\n" });
  await start();
  minutes = 61;
  words = { "a-1": "offline", "a-2": "offline" };
  // Two of three are away: that is too few to tell, and no failure.
  expect(await next()).toEqual(["prod/early waits", "prod same"]);
  words = { "a-1": "failing", "a-2": "failing" };
  expect(await next()).toEqual(["prod/early failed", "prod same"]);
  expect(all()).toEqual(["v: 2 # bad", "v: 1", "v: 1"]);

  const back = await abortRollout(fleet(), "prod", { now: false, dryRun: false, reason: "INC-1" }, world());
  expect(back.map(({ ring, back: done }) => [ring.name, done?.outcome])).toEqual([
    ["prod/first", "rolledBack"],
    ["prod/early", undefined],
  ]);
  expect(all()).toEqual(["v: 1", "v: 1", "v: 1"]);
  words = {};
  minutes = 200;
  expect(await next()).toEqual(["prod/early same", "prod same"]);
  // The bad version does not come again by itself; a mended one does.
  expect(await start()).toBe("stopped");
  shop.commit("main", { "apps/pos/a.yaml": "v: 3\n" });
  expect(await start()).toBe("promoted");
  expect(has("prod-first")).toBe("v: 3");
});

it("counts the soak of what was taken back and comes again from when it came again", async () => {
  // Commits by hand are years old.
  for (const branch of ["main", "prod-first"]) shop.commit(branch, { "apps/pos/a.yaml": "v: 2\n" });
  shop.commit("prod-first", { "apps/pos/a.yaml": "v: 1\n" });
  const again = { ...passing, again: true, stage: "prod/first", pullRequest: false };
  expect((await promote(fleet(), again, world())).outcome).toBe("promoted");
  expect(await next()).toEqual(["prod/early waits", "prod same"]);
  minutes = 61;
  expect(await next()).toEqual(["prod/early moved", "prod same"]);
});

it("is what the commands do", async () => {
  shop.commit("main", { "apps/pos/a.yaml": "v: 2\n" });
  const first = await shop.run("promote", "prod");
  expect(first).toMatchObject({
    code: 0,
    out: expect.stringContaining(
      "Rings to come: early, rest. They follow by arcflux rollout next prod.",
    ) as string,
  });
  const wait = await shop.run("rollout", "next");
  expect(wait.out).toContain("prod/early waits: prod/first is not ready with");
  expect(wait.code).toBe(0);
  expect((await shop.run("rollout", "abort", "prod")).code).toBe(2);
  const back = await shop.run("rollout", "abort", "prod", "--back");
  expect(back.out).toMatch(/prod\/first is as at \w+ \(.*\) again: \w+ on prod-first\./);
  expect([back.code, ...all()]).toEqual([0, "v: 1", "v: 1", "v: 1"]);
  const none = await shop.run("rollout", "abort", "prod", "--back");
  expect(none.out).toContain("No ring of prod is ahead. To take back what all have: arcflux rollback prod.");

  // A hotfix is on every ring at once.
  shop.git("branch", "fix", "main");
  shop.commit("fix", { "apps/web/a.yaml": "fixed\n" });
  expect((await shop.run("hotfix", "prod", "fix")).code).toBe(0);
  for (const branch of ["prod-first", "prod-early", "prod", "main"])
    expect(shop.git("show", `${branch}:apps/web/a.yaml`)).toBe("fixed");
});

it("keeps a promotion from reaching more clusters than limits lets, unless it goes by rings or says why", async () => {
  shop.fleet({ prod: "branch: prod" }, "limits: { clustersPerUpdate: 2 }", clusters);
  shop.commit("main", { "apps/pos/a.yaml": "v: 2\n" });
  const stopped = await shop.run("promote", "prod");
  expect(stopped.out).toContain(
    "- limit        5 clusters, and limits.clustersPerUpdate is 2. Give prod rings, or say why all at once: --all --reason TEXT",
  );
  expect([stopped.code, has("prod")]).toEqual([1, "v: 1"]);
  expect((await shop.run("promote", "prod", "--all")).code).toBe(2);
  expect((await shop.run("promote", "prod", "--all", "--reason", "INC-7")).code).toBe(0);
  expect(shop.git("log", "-1", "--format=%B", "prod")).toContain("passed over: INC-7");
  shop.fleet(stages, "limits: { clustersPerUpdate: 2 }", clusters);
  shop.commit("main", { "apps/pos/a.yaml": "v: 3\n" });
  expect((await shop.run("promote", "prod")).code).toBe(0);
});

it("carries a pin from ring to ring of the fleet file, with its comments, and back", async () => {
  const file = join(shop.shop.folder, "fleet.yaml");
  const fleetOf = (branch: string) => `apiVersion: arcflux/v1
repository: { url: "${shop.url}" }
platform: kubernetes
sources: { infra: { kind: GitRepository, url: "https://git.example.com/infra.git", interval: 10m } }
stages:
  prod:
    ${branch}
    pins: { infra: { tag: v1 } } # what all have
    rings:
      # the lab
      - { name: first, match: { ring: first }, soak: 1h }
      - name: rest
        share: 100%
groups: { all: { match: {}, sets: { infra: { source: infra, path: . } } } }
clusters:
  a-1: { kubeconfig: { context: none-a }, stage: prod, labels: { ring: first } }
  a-2: { kubeconfig: { context: none-a2 }, stage: prod, labels: { ring: first } }
  b-1: { kubeconfig: { context: none-b }, stage: prod }
`;
  writeFileSync(file, fleetOf("{}").replace("    {}\n", ""));
  const rings = (first?: string, rest?: string) =>
    [first, rest].map((tag, index) => ({
      name: ["first", "rest"][index]!,
      soak: index === 0 ? 3600 : 0,
      pin: tag === undefined ? undefined : { tag },
    }));
  const step = async (...pins: Parameters<typeof rings>) => {
    const asked = { stage: "prod", source: "infra", ref: { tag: "v2" } };
    const { state, index } = await pinStep(fleet(), rings(...pins), asked, world());
    return `${state} ${index}`;
  };
  await shop.update();

  const first = await shop.run("rollout", "infra", "v2");
  expect(first).toMatchObject({
    code: 0,
    out: "infra of ring first is v2 in the fleet file. Run pulumi up. Then again: arcflux rollout infra v2.\n",
  });
  expect(readFileSync(file, "utf8")).toContain(
    `    rings:
      # the lab
      - { name: first, match: { ring: first }, soak: 1h, pins: { infra: { tag: v2 } } }
      - name: rest`,
  );
  expect(await step("v2")).toBe("update 0");
  // One of the ring has had it for years: the last to get it counts.
  const early = "clusters/a-1/flux/source-infra.yaml";
  shop.commit("main", { [early]: `${shop.git("show", `main:${early}`).replace("tag: v1", "tag: v2")}\n` });
  await shop.update();
  words = { "a-1": "failing" };
  expect(await step("v2")).toBe("failed 0");
  words = {};
  expect(await step("v2")).toBe("waits 0");
  minutes = 61;
  expect(await step("v2")).toBe("sets 1");
  expect(await step("v2", "v2")).toBe("done 1");
  // Written once for the stage instead of in every ring, it is no pin that a ring lacks.
  const inRings = readFileSync(file, "utf8");
  const once = inRings
    .replace(", pins: { infra: { tag: v2 } } }", " }")
    .replace("{ infra: { tag: v1 } } # what", "{ infra: { tag: v2 } } # what");
  writeFileSync(file, once);
  const again = await shop.run("rollout", "infra", "v2");
  expect(again.out).toMatch(/^Ring first waits: |of ring first is not committed: /);
  expect(readFileSync(file, "utf8")).toBe(once);
  writeFileSync(file, inRings);

  const back = await shop.run("rollout", "infra", "--back");
  expect(back.out).toBe("infra of first is tag v1 again. Run pulumi up.\n");
  expect(fleet().clusters.map(({ sources }) => sources[0]?.spec["ref"])).toEqual([
    { tag: "v1" },
    { tag: "v1" },
    { tag: "v1" },
  ]);
  const wrong = await shop.run("rollout", "infra", "digest=sha256:0");
  expect([wrong.code, wrong.err]).toEqual([
    2,
    expect.stringContaining('"digest=sha256:0" pins nothing of infra.'),
  ]);

  // A ring that proves nothing lets nothing through: one without clusters, or where all keep a pin of their own.
  const good = readFileSync(file, "utf8");
  writeFileSync(file, good.replace("match: { ring: first }", "match: { ring: frist }"));
  const empty = await shop.run("rollout", "infra", "v2");
  expect([empty.code, empty.out]).toEqual([
    1,
    expect.stringContaining("stopped at ring first: no cluster is in it, so it proves nothing."),
  ]);
  expect(readFileSync(file, "utf8")).not.toContain("v2");
  writeFileSync(
    file,
    good.replaceAll("{ ring: first } }\n", "{ ring: first }, pins: { infra: { tag: own } } }\n"),
  );
  expect(await step("v2")).toBe("failed 0");

  // Where clusters follow another branch, each ring ends with the promotion that has to come first.
  writeFileSync(file, fleetOf("branch: prod"));
  const ringed = await shop.run("rollout", "infra", "v2");
  expect(ringed.out).toContain(
    "Run pulumi up, then promote first: arcflux promote prod, and arcflux rollout next.",
  );
  await shop.update();
  expect(await step("v2")).toBe("promote 0");
});
