import { afterEach, beforeEach, expect, it } from "vitest";
import fc from "fast-check";
import type { Fleet } from "../../fleet/model.ts";
import { hotfix, promote, rollBack, type World } from "../../stages/index.ts";
import { mustLoad } from "../fleet/fixture.ts";
import { GitWorkshop } from "../support/gitWorkshop.ts";

const paths = ["apps/a", "apps/b", "apps/c"] as const;
type Path = (typeof paths)[number];
const before = { test: "main", prod: "test" } as const;
type StageName = keyof typeof before;

type Step =
  | { readonly act: "commit"; readonly path: number }
  | { readonly act: "byHand" | "hotfix" | "revert"; readonly stage: StageName; readonly path: number }
  | { readonly act: "promote"; readonly stage: StageName; readonly back: number; readonly again: boolean }
  | {
      readonly act: "rollback";
      readonly stage: StageName;
      readonly back: number;
      readonly only: boolean;
      readonly yes: boolean;
      readonly path: number;
    }
  | { readonly act: "squash" | "race"; readonly stage: StageName };

const stage = fc.constantFrom<StageName>("test", "prod");
const path = fc.nat(paths.length - 1);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ act: fc.constant("commit" as const), path }) },
  {
    weight: 5,
    arbitrary: fc.record({
      act: fc.constant("promote" as const),
      stage,
      back: fc.nat(2),
      again: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      act: fc.constantFrom("byHand" as const, "hotfix" as const, "revert" as const),
      stage,
      path,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      act: fc.constant("rollback" as const),
      stage,
      back: fc.nat(3),
      only: fc.boolean(),
      yes: fc.boolean(),
      path,
    }),
  },
  { weight: 1, arbitrary: fc.record({ act: fc.constantFrom("squash" as const, "race" as const), stage }) },
);

/** A few seconds each; more by the switch. */
const runs = Number(process.env["ARCFLUX_RUNS"] ?? 3);

let shop: GitWorkshop;
beforeEach(() => (shop = new GitWorkshop()));
afterEach(() => shop.remove());

/** Real branches, and an account of who put what where, kept beside them by what plain git shows. */
class Histories {
  readonly repository: string;
  readonly fleet: Fleet;
  readonly world: World;
  readonly done: Record<string, number>;
  /** By stage, values put there by hand or as a hotfix. */
  readonly named: Record<StageName, Set<string>> = { test: new Set(), prod: new Set() };
  /** By stage, what a rollback took back since the last promotion: `path value`. */
  readonly taken: Record<StageName, Set<string>> = { test: new Set(), prod: new Set() };
  #values = 0;

  constructor(repository: string, done: Record<string, number>) {
    this.repository = repository;
    this.done = done;
    this.fleet = mustLoad(
      [
        "apiVersion: arcflux/v1",
        `repository: { url: "file://${repository}" }`,
        "platform: kubernetes",
        "stages: { test: { branch: test }, prod: { branch: prod, after: test } }",
        "clusters: { c: { kubeconfig: { context: c } } }",
      ].join("\n"),
    );
    this.world = {
      git: { env: shop.env, tempRoot: shop.tempRoot },
      now: () => new Date(),
      ask: () => Promise.reject(new Error("nobody is there")),
      applied: () => Promise.resolve("unknown"),
      statuses: () => Promise.resolve([]),
    };
  }

  value(): string {
    return `v: ${++this.#values}\n`;
  }

  git(...args: string[]): string {
    return shop.git(this.repository, ...args);
  }

  /** Path to value at a commit, by plain git. */
  files(ref: string): Record<Path, string | undefined> {
    return Object.fromEntries(
      paths.map((one) => [one, shop.try(this.repository, "show", `${ref}:${one}`)]),
    ) as Record<Path, string | undefined>;
  }

  /** The branch's own commits, the tip first. */
  line(branch: string): string[] {
    return this.git("rev-list", "--first-parent", branch).split("\n");
  }

  commit(branch: string, at: number, value = this.value()): string {
    return shop.commit(this.repository, { [paths[at]!]: value }, { branch, message: `Set ${value.trim()}` });
  }

  async run(one: Step): Promise<void> {
    const was = { test: this.git("rev-parse", "test"), prod: this.git("rev-parse", "prod") };
    const outcome = await this.#act(one);
    this.done[`${one.act} ${outcome}`] = (this.done[`${one.act} ${outcome}`] ?? 0) + 1;
    for (const name of ["test", "prod"] as const) {
      // Nothing is ever reset: the branch only goes on.
      expect(this.line(name)).toContain(was[name]);
      this.#assertKnown(name);
    }
    if (one.act === "promote" && outcome === "promoted")
      this.#assertKept(one.stage, was[one.stage], one.again);
  }

  async #act(one: Step): Promise<string> {
    const { fleet, world } = this;
    switch (one.act) {
      case "commit":
        this.commit("main", one.path);
        return "done";
      case "byHand":
        this.#name(one.stage, this.commit(one.stage, one.path), one.path);
        return "done";
      case "revert": {
        // By hand, to what the stage had at its first commit.
        const first = this.line(one.stage).at(-1)!;
        const value = this.files(first)[paths[one.path]!];
        this.#name(one.stage, this.commit(one.stage, one.path, `${value}\n`), one.path);
        return "done";
      }
      case "hotfix": {
        this.git("branch", "-f", "fix", one.stage);
        const fix = this.commit("fix", one.path);
        const { outcome } = await hotfix(fleet, { stage: one.stage, commit: "fix", dryRun: false }, world);
        if (outcome === "done") this.#name(one.stage, fix, one.path);
        return outcome;
      }
      case "squash": {
        const files = this.files(before[one.stage]);
        shop.commit(this.repository, Object.fromEntries(paths.map((at) => [at, `${files[at]}\n`])), {
          branch: one.stage,
          message: "Squashed",
        });
        this.taken[one.stage].clear();
        return "done";
      }
      case "promote": {
        const line = this.line(before[one.stage]);
        const commit = line[Math.min(one.back, line.length - 1)]!;
        const request = {
          stage: one.stage,
          commit,
          dryRun: false,
          again: one.again,
          unverified: true,
          pullRequest: false,
        };
        const { outcome } = await promote(fleet, request, world);
        if (outcome === "promoted")
          expect(this.git("rev-parse", `${one.stage}^{tree}`)).toBe(
            this.git("rev-parse", `${commit}^{tree}`),
          );
        return outcome;
      }
      case "race": {
        const from = before[one.stage];
        const made = this.commit(from, 0);
        if (from !== "main") this.#name(from, made, 0);
        const length = this.line(one.stage).length;
        const request = {
          stage: one.stage,
          dryRun: false,
          again: true,
          unverified: true,
          pullRequest: false,
        };
        const both = await Promise.all([promote(fleet, request, world), promote(fleet, request, world)]);
        const outcomes = both.map(({ outcome }) => outcome).sort();
        // One wins, and the other finds that it is done, or within the same second makes the very same commit; or both are
        // stopped by the same gate.
        expect(new Set(both.flatMap(({ made }) => made ?? [])).size).toBeLessThanOrEqual(1);
        const won = outcomes.includes("promoted");
        if (won) this.taken[one.stage].clear();
        expect(outcomes.join()).toMatch(/^(promoted,(promoted|same)|stopped,stopped|same,same)$/);
        expect(this.line(one.stage).length).toBe(length + (won ? 1 : 0));
        return outcomes.join();
      }
      case "rollback": {
        const line = this.line(one.stage);
        const to = one.back === 0 ? undefined : line[Math.min(one.back, line.length - 1)];
        const [was, passed] = [this.files(one.stage), line];
        const only = one.only ? paths[one.path] : undefined;
        const request = { of: one.stage, to, only, now: false, yes: one.yes, dryRun: false };
        const found = await rollBack(fleet, request, world).catch((error: unknown) => error as Error);
        if (found instanceof Error) {
          expect(found.name).toBe("StageError");
          return "refused";
        }
        if (found.outcome !== "rolledBack") return found.outcome;
        const now = this.files(one.stage);
        for (const at of paths) {
          expect(now[at]).toBe(only === undefined || only === at ? this.files(found.target.id)[at] : was[at]);
          const had =
            only === undefined ? passed.slice(0, passed.indexOf(found.target.id)) : passed.slice(0, 1);
          for (const commit of had) {
            const value = this.files(commit)[at];
            if (value !== now[at]) this.taken[one.stage].add(`${at} ${value}`);
          }
        }
        return "rolledBack";
      }
    }
  }

  #name(name: StageName, commit: string, at: number): void {
    this.named[name].add(`${paths[at]} ${this.files(commit)[paths[at]!]}`);
  }

  /** A stage's tree is one that its predecessor had, but for what was named, and what it had itself before. */
  #assertKnown(name: StageName): void {
    const now = this.files(name);
    const own = this.line(name)
      .slice(1)
      .map((commit) => this.files(commit));
    const trees = this.line(before[name]).map((commit) => this.files(commit));
    const known = trees.some((had) =>
      paths.every(
        (at) =>
          now[at] === had[at] ||
          this.named[name].has(`${at} ${now[at]}`) ||
          own.some((files) => files[at] === now[at]),
      ),
    );
    expect(known, `${name} has ${JSON.stringify(now)}`).toBe(true);
  }

  /** What was put on the stage alone is not lost by a promotion, and what was taken back does not come again unasked. */
  #assertKept(name: StageName, was: string, again: boolean): void {
    const [old, now] = [this.files(was), this.files(name)];
    const history = this.git("rev-list", `${name}^2`).split("\n");
    for (const at of paths) {
      if (old[at] === now[at]) continue;
      if (!again) expect(this.taken[name].has(`${at} ${now[at]}`), `${at} came again`).toBe(false);
      if (!this.named[name].has(`${at} ${old[at]}`)) continue;
      // The branch before has had it, or says that it took it over.
      const isIn = history.some((commit) => shop.try(this.repository, "show", `${commit}:${at}`) === old[at]);
      expect(isIn, `${at} ${old[at]} was lost`).toBe(true);
    }
    this.taken[name].clear();
  }
}

it(
  "keeps a stage to what the one before had and to named hotfixes, loses nothing, and lets one of two win",
  async () => {
    const done: Record<string, number> = {};
    let count = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 6, maxLength: 10 }), async (steps) => {
        const files = Object.fromEntries(paths.map((one) => [one, "v: 0\n"]));
        const repository = await shop.repository(files, { name: `fleet-${++count}` });
        for (const branch of ["test", "prod"]) shop.git(repository, "branch", branch, "main");
        const histories = new Histories(repository, done);
        for (const one of steps) await histories.run(one);
      }),
      { numRuns: runs, endOnFailure: true },
    );
    // Said where somebody looks: how often what happened.
    if (process.env["ARCFLUX_RUNS"] !== undefined) console.log(done);
  },
  runs * 120_000,
);
