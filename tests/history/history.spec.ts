import { spawnSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { stageMessage, withBranches } from "../../git/index.ts";
import { readHistory, readMoment, tracksOf } from "../../history/index.ts";
import { arcflux } from "../cli/process.ts";
import { mustLoad } from "../fleet/fixture.ts";
import { GitWorkshop } from "../support/gitWorkshop.ts";
import { type Step, writeTimeline } from "./timeline.ts";

let shop: GitWorkshop;
beforeEach(() => {
  shop = new GitWorkshop();
});
afterEach(() => shop.remove());

const fleetText = (url: string) => `apiVersion: arcflux/v1
repository: { url: "file://${url}" }
arc: { resourceGroup: rg-edge, location: westeurope }
agents: present
layout: { cluster: "clusters/{cluster}" }
sets: { pos: { path: ./apps/pos } }
stages:
  dev: { branch: dev }
  prod: { branch: prod, after: dev }
clusters:
  lab-1: { stage: dev, sets: { pos: {} } }
  store-417: { stage: prod, sets: { pos: {} } }
  store-418: { stage: prod, sets: { pos: {} } }
`;

const at = (text: string) => Date.parse(text) / 1000;
const release = (version: string) => `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: { name: pos, namespace: pos }
spec: { interval: 5m, chart: { spec: { chart: pos, version: "${version}", sourceRef: { kind: HelmRepository, name: charts } } } }
`;
const deployment = `apiVersion: apps/v1
kind: Deployment
metadata: { name: web, namespace: pos }
spec: { template: { spec: { containers: [{ name: web, image: "registry.example.com:5000/web:1.2.3" }] } } }
`;
const pinned = (url: string) => `apiVersion: source.toolkit.fluxcd.io/v1
kind: GitRepository
metadata: { name: infra, namespace: flux-system }
spec: { interval: 10m, url: "file://${url}", ref: { tag: v1 } }
`;
const kustomization = (name: string, path: string) => `apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: { name: ${name}, namespace: flux-system }
spec: { interval: 10m, prune: true, path: ${path}, sourceRef: { kind: GitRepository, name: edge-config } }
`;

/** `main` makes a version, `dev` and then `prod` take it; a bad one is taken back; a squash merge brings a third. */
async function timeline(path: string): Promise<string[]> {
  const flux = (cluster: string) => ({
    [`clusters/${cluster}/flux/pos.yaml`]: kustomization("pos", "./apps/pos"),
  });
  const steps: Step[] = [
    {
      branch: "main",
      time: at("2026-11-01T08:00Z"),
      files: {
        ...{ "apps/pos/release.yaml": release("1.0.0"), "apps/pos/web.yaml": deployment },
        ...{ ...flux("lab-1"), ...flux("store-417"), ...flux("store-418") },
        "clusters/store-417/flux/source-infra.yaml": pinned(path),
      },
    },
    { branch: "dev", time: at("2026-11-01T09:00Z"), forwardTo: "main" },
    { branch: "prod", time: at("2026-11-01T10:00Z"), treeOf: "dev" },
    {
      branch: "main",
      time: at("2026-11-02T08:00Z"),
      files: { "apps/pos/release.yaml": release(">=1.1.0") },
      message: "Raise pos (#12)",
      author: "Ada",
    },
    { branch: "dev", time: at("2026-11-02T09:00Z"), treeOf: "main", merges: ["main"] },
  ];
  await writeTimeline(path, steps);
  const dev = shop.git(path, "rev-parse", "dev");
  shop.git(path, "tag", "v1", dev);
  const first = shop.git(path, "rev-parse", "prod");
  const promotion = stageMessage("Promote dev to prod", {
    ...{ operation: "promote", stage: "prod", from: dev, after: "dev", unverified: "Azure is down" },
  });
  const back = stageMessage("Roll prod back", {
    ...{ operation: "rollback", stage: "prod", from: first, reason: "INC-4711" },
  });
  return appended(path, [
    { time: at("2026-11-03T09:00Z"), tree: dev, parents: [first, dev], message: promotion, author: "Ada" },
    { time: at("2026-11-03T11:00Z"), tree: first, parents: [0], message: back, author: "Eve" },
    // As a host writes it: one parent, and no word of ours.
    { time: at("2026-11-04T09:00Z"), tree: dev, parents: [1], message: "Dev to prod (#40)", author: "Ada" },
  ]);
}

/** Commits on prod by plain git; a number is the commit made there before. */
function appended(
  path: string,
  commits: readonly {
    readonly time: number;
    readonly tree: string;
    readonly parents: readonly (string | number)[];
    readonly message: string;
    readonly author: string;
  }[],
): string[] {
  const made: string[] = [];
  for (const { time, tree, parents, message, author } of commits) {
    const args = parents.flatMap((parent) => ["-p", typeof parent === "number" ? made[parent]! : parent]);
    const { stdout } = spawnSync("git", ["--git-dir", path, "commit-tree", `${tree}^{tree}`, ...args], {
      input: message,
      env: {
        ...{ PATH: process.env["PATH"], GIT_AUTHOR_NAME: author, GIT_AUTHOR_EMAIL: "a@example.com" },
        ...{ GIT_COMMITTER_NAME: "Host", GIT_COMMITTER_EMAIL: "h@example.com" },
        ...{ GIT_AUTHOR_DATE: `@${time} +0000`, GIT_COMMITTER_DATE: `@${time} +0000` },
      },
    });
    made.push(stdout.toString().trim());
    shop.git(path, "update-ref", "refs/heads/prod", made.at(-1)!);
  }
  return made;
}

const run = (...args: string[]) =>
  arcflux(["history", ...args], shop.folder, {
    env: { ARCFLUX_CACHE_DIR: process.env["ARCFLUX_CACHE_DIR"] ?? "", HOME: process.env["HOME"], TZ: "UTC" },
  });

describe("arcflux history", { timeout: 300_000 }, () => {
  it("says what was in which stage when, who brought it, and what a cluster ran", async () => {
    const path = join(shop.folder, "fleet.git");
    const [promoted = "", back = "", squashed = ""] = await timeline(path);
    const first = shop.git(path, "rev-parse", `${promoted}^`);
    const dev = shop.git(path, "rev-parse", "dev");
    await writeFile(join(shop.folder, "fleet.yaml"), fleetText(path));
    const short = (commit: string) => commit.slice(0, 8);
    const prod = await run("prod");
    expect([prod.code, prod.err]).toEqual([0, ""]);
    expect(prod.out).toBe(`prod
  2026-11-04 09:00 UTC  ${short(squashed)}  promotion (by its tree) of ${short(dev)} by Ada, #40: Dev to prod (#40)
      chart pos 1.0.0 -> >=1.1.0
  2026-11-03 11:00 UTC  ${short(back)}  rollback to ${short(first)} by Eve: Roll prod back (reason: INC-4711)
      chart pos >=1.1.0 -> 1.0.0
  2026-11-03 09:00 UTC  ${short(promoted)}  promotion of ${short(dev)} from dev by Ada: Promote dev to prod (unverified: Azure is down)
      chart pos 1.0.0 -> >=1.1.0
  2026-11-01 10:00 UTC  ${short(first)}  promotion (by its tree) of ${short(shop.git(path, "rev-parse", "dev^"))} by Pat: By hand
      the first commit of the branch
`);
    // One that changed nothing for the cluster is not of its history.
    const own = JSON.parse((await run("--cluster", "lab-1", "--json")).out) as {
      stages: { events: { kind: string; person: string; changed: { text: string }[] }[] }[];
    };
    expect(own.stages[0]!.events.map(({ kind, changed }) => [kind, changed.map(({ text }) => text)])).toEqual(
      [
        ["promotion", ["chart pos 1.0.0 -> >=1.1.0"]],
        ["promotion", ["the first commit of the branch"]],
      ],
    );
    expect(
      (await run("prod", "--since", "2026-11-03 10:00", "--csv")).out
        .split("\n")
        .map((row) => row.slice(0, 37)),
    ).toEqual([
      "stage,time,commit,kind,person,pullReq",
      `prod,2026-11-04T09:00:00Z,${squashed.slice(0, 11)}`,
      `prod,2026-11-03T11:00:00Z,${back.slice(0, 11)}`,
      "",
    ]);

    const asked = ["--cluster", "store-417", "--at", "2026-11-03 10:00"];
    const unrecorded = await run(...asked);
    expect(unrecorded.out.split("\n")[1]).toBe(
      "ran        not known: there is no record on arcflux-record; arcflux status --record keeps one",
    );
    // At the asked time the cluster still ran the first version: its window was shut.
    const line = (t: string, b: string, more: object = {}) =>
      `${JSON.stringify({ t, c: "store-417", w: "waiting", b, by: "azure", ...more })}\n`;
    shop.commit(
      path,
      {
        "2026/2026-10.jsonl": line("2026-10-31T10:00:00Z", "0".repeat(40)),
        "2026/2026-11.jsonl":
          line("2026-11-03T09:30:00Z", promoted, { s: first }) + line("2026-11-03T12:00:00Z", back),
      },
      { branch: "arcflux-record", parent: false },
    );
    const result = await run(...asked);
    expect([result.code, result.err]).toEqual([0, ""]);
    expect(result.out.split("\n")).toEqual([
      `wanted     ${promoted} (prod, 2026-11-03 09:00 UTC, promotion of ${short(dev)} from dev by Ada: Promote dev to prod (unverified: Azure is down)); chart pos >=1.1.0, image registry.example.com:5000/web 1.2.3, source infra tag v1 (now ${dev.slice(0, 12)}); not certain: chart pos >=1.1.0`,
      `ran        flux folder ${promoted}, sets ${first}, waiting (recorded 2026-11-03 09:30 UTC from azure, 30 minutes before)`,
      `not known  from 2026-11-03 09:30 UTC to 2026-11-03 12:00 UTC, when it was recorded next: ${back}, waiting`,
      "",
    ]);
    // An older month is read where this one has nothing by then.
    const early = await run("--cluster", "store-417", "--at", "2026-11-02", "--json");
    expect(JSON.parse(early.out)).toMatchObject({
      wanted: { wanted: { commit: first } },
      ran: { last: { time: "2026-10-31T10:00:00Z" }, next: { time: "2026-11-03T09:30:00Z" } },
    });

    const refused = await Promise.all([
      run("prd"),
      run("prod", "--at", "2026-02-30"),
      run("prod", "--at", "2026-11-03", "--since", "1d"),
      run("--at", "2999-01-01"),
    ]);
    expect(refused.map(({ code, err }) => [code, err.split("\n")[0]])).toEqual([
      [2, expect.stringContaining('"prd" is not a stage or a cluster of the fleet file; did you mean prod?')],
      [2, expect.stringContaining("It is not a time; write a time such as 2026-11-03 10:00")],
      [2, expect.stringContaining("ask one at a time")],
      [2, expect.stringContaining("It is in the future")],
    ]);
  });

  it("agrees with plain git about any history", async () => {
    const start = at("2026-01-01T00:00Z");
    const step = fc.record({
      branch: fc.constantFrom("main", "dev", "prod"),
      // Clocks go back now and then.
      after: fc.integer({ min: -400, max: 2000 }),
      how: fc.constantFrom("edit", "edit", "promote", "squash", "fork"),
      file: fc.constantFrom("a.yaml", "b.yaml"),
      value: fc.integer({ min: 0, max: 2 }),
    });
    let count = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 4, maxLength: 10 }),
        fc.array(fc.integer({ min: -500, max: 16_000 }), { minLength: 5, maxLength: 5 }),
        async (drawn, offsets) => {
          const path = join(shop.folder, `any-${count++}.git`);
          let time = start;
          const begin = (["main", "dev", "prod"] as const).map((branch, index): Step => {
            return { branch, time: start - 300 + index, files: { "a.yaml": "v: 0" } };
          });
          const steps = drawn.map(({ branch, after, how, file, value }): Step => {
            time += after;
            const source = branch === "prod" ? "dev" : "main";
            if (how === "edit" || branch === "main")
              return { branch, time, files: { [file]: `v: ${value}` } };
            if (how === "fork") return { branch: "side", time, files: { [file]: `v: ${value}` } };
            return { branch, time, treeOf: source, ...(how === "promote" && { merges: [source] }) };
          });
          await writeTimeline(path, [...begin, ...steps]);
          const fleet = mustLoad(fleetText(path));
          const times = offsets.map((offset) => start + offset);
          await withBranches(
            `file://${path}`,
            { env: shop.env, tempRoot: shop.tempRoot },
            async (repository) => {
              for (const track of tracksOf(fleet)) {
                const line = shop.git(path, "rev-list", "--first-parent", track.branch).split("\n");
                const read = await readHistory(fleet, { track, most: 3 }, repository);
                expect(read!.events.map(({ commit }) => commit)).toEqual(line.slice(0, 3));
                for (const seconds of times) {
                  const moment = await readMoment(
                    ...([fleet, track, undefined, new Date(seconds * 1000), repository, undefined] as const),
                  );
                  const { wanted } = moment!;
                  const known = shop.git(
                    ...([
                      path,
                      "rev-list",
                      "-1",
                      "--first-parent",
                      `--min-age=${seconds}`,
                      track.branch,
                    ] as const),
                  );
                  expect(wanted === undefined || wanted === "unknown" ? "" : wanted.commit).toBe(known);
                }
              }
            },
          );
        },
      ),
      { numRuns: Number(process.env["ARCFLUX_RUNS"] ?? 3) },
    );
  });
});
