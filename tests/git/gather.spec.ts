import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { branchKey } from "../../git/words/branchKey.ts";
import { gather } from "../../git/commit/gather.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

let count = 0;
const branch = (): { url: string; branch: string } => ({ url: `/srv/${(count += 1)}.git`, branch: "main" });
const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

interface Group {
  readonly members: readonly number[];
  /** Milliseconds from the opening of the door to its closing. */
  readonly open: number;
}

/** A branch whose pushes take a while; `push` says who has gone out. */
class Branch {
  readonly place = branch();
  readonly groups: Group[] = [];
  readonly #push: number;
  readonly #alike: (first: number, other: number) => boolean;
  readonly #done = new Map<number, () => void>();

  constructor(push = 200, alike: (first: number, other: number) => boolean = () => true) {
    this.#push = push;
    this.#alike = alike;
  }

  write(member: number): Promise<void> {
    return new Promise((resolve) => {
      this.#done.set(member, resolve);
      gather(branchKey(this.place), member, this.#alike, async (lobby) => {
        const opened = Date.now();
        const members = await lobby.close();
        this.groups.push({ members, open: Date.now() - opened });
        await pause(this.#push);
        for (const one of members) this.#done.get(one)?.();
      });
    });
  }
}

/** Hands over `total` writes, never more than `parallel` that wait, and one each `gap` milliseconds at most. */
async function engine(to: Branch, total: number, parallel: number, gap: number): Promise<void> {
  let inFlight = 0;
  const all: Promise<void>[] = [];
  for (let next = 0; next < total; next += 1) {
    while (inFlight >= parallel) await pause(5);
    inFlight += 1;
    all.push(to.write(next).then(() => void (inFlight -= 1)));
    await pause(gap);
  }
  await Promise.all(all);
}

/** Runs to the end on the clock that the test sets; gives the milliseconds that went by. */
async function run(work: Promise<void>): Promise<number> {
  const start = Date.now();
  let ended: number | undefined;
  void work.then(() => (ended = Date.now()));
  while (ended === undefined) await vi.advanceTimersByTimeAsync(5);
  return ended - start;
}

describe("a write that comes alone", () => {
  it("goes after 100 ms", async () => {
    const to = new Branch();
    await run(to.write(1));
    expect(to.groups).toEqual([{ members: [1], open: 100 }]);
  });

  it("goes in time though the clock is set back an hour meanwhile", async () => {
    const to = new Branch();
    void to.write(1);
    vi.setSystemTime(Date.now() - 3_600_000);
    await vi.advanceTimersByTimeAsync(200);
    expect(to.groups.map(({ members }) => members)).toEqual([[1]]);
  });
});

describe("writes that an engine hands over", () => {
  it.each([
    // Each state between is saved in `gap` ms; ceil(100 / parallel) + 2 groups at most.
    { parallel: 8, gap: 0, most: 15 },
    { parallel: 8, gap: 60, most: 15 },
    { parallel: 8, gap: 200, most: 15 },
    { parallel: 3, gap: 150, most: 36 },
    { parallel: 64, gap: 0, most: 4 },
    // At 100 ms one after the other, 20 come in the 2 s that a door stays open, and 2 while a group is pushed.
    { parallel: 64, gap: 100, most: 7 },
    { parallel: 64, gap: 50, most: 5 },
  ])("$parallel at a time, one each $gap ms: $most groups at most", async ({ parallel, gap, most }) => {
    const to = new Branch();
    await run(engine(to, 100, parallel, gap));
    expect(to.groups.flatMap(({ members }) => members)).toHaveLength(100);
    expect(to.groups.length).toBeLessThanOrEqual(most);
  });

  it("one at a time wait no longer for each other than one alone, once it is known that no more come", async () => {
    const to = new Branch();
    await run(engine(to, 10, 1, 0));
    expect(to.groups.map(({ open }) => open)).toEqual([100, 400, ...Array<number>(8).fill(100)]);
  });

  it("fewer and then more at a time: the door learns anew", async () => {
    const to = new Branch();
    await run(engine(to, 12, 2, 0));
    to.groups.length = 0;
    await run(engine(to, 60, 10, 30));
    // One that is cut short by what was learned before, one at which the new size is learned.
    expect(to.groups.length).toBeLessThanOrEqual(8);
  });

  it("are not taken for fewer at a time after one pause", async () => {
    const to = new Branch();
    await run(engine(to, 16, 8, 150));
    await run(engine(to, 3, 8, 150));
    to.groups.length = 0;
    await run(engine(to, 16, 8, 150));
    expect(to.groups.length).toBeLessThanOrEqual(3);
  });

  it("go in any case 2 s after the door was opened", async () => {
    const to = new Branch();
    await run(engine(to, 30, 30, 150));
    expect(Math.max(...to.groups.map(({ open }) => open))).toBe(2_000);
  });

  it("do not wait behind one that cannot share their push", async () => {
    const to = new Branch(200, (first, other) => first < 10 === other < 10);
    await run(Promise.all([1, 2, 11].map((member) => to.write(member))).then(() => undefined));
    expect(to.groups).toEqual([
      { members: [1, 2], open: 100 },
      { members: [11], open: 400 },
    ]);
  });
});
