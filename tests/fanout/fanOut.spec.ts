import fc from "fast-check";
import { expect, it } from "vitest";
import { fanOut, fingerprint } from "../../fanout/index.ts";
import { fleetText, mustLoad } from "../fleet/fixture.ts";

it("runs every stack once, never more at once than asked, and starts none after so many failures", async () => {
  const some = fc.record({
    fails: fc.array(fc.boolean(), { maxLength: 30 }),
    parallel: fc.integer({ min: 1, max: 8 }),
    stopAfter: fc.integer({ min: 1, max: 4 }),
  });
  await fc.assert(
    fc.asyncProperty(some, async ({ fails, parallel, stopAfter }) => {
      const stacks = fails.map((_, index) => `s${index}`);
      const started: string[] = [];
      let [running, most, failures, startedAfter] = [0, 0, 0, 0];
      const operate = async (stack: string): Promise<string> => {
        started.push(stack);
        if (failures >= stopAfter) startedAfter += 1;
        most = Math.max(most, (running += 1));
        for (let turns = stacks.indexOf(stack) % 3; turns >= 0; turns -= 1) await Promise.resolve();
        running -= 1;
        if (fails[stacks.indexOf(stack)] !== true) return "fine";
        failures += 1;
        throw new Error("no");
      };
      const { done, failed, notStarted } = await fanOut(stacks, operate, { parallel, stopAfter });
      expect(most).toBeLessThanOrEqual(parallel);
      // One that failed is counted once its worker hears of it; the others may have begun theirs in that turn.
      expect(startedAfter).toBeLessThanOrEqual(parallel);
      expect([...started, ...notStarted]).toEqual(stacks);
      expect([...done.keys(), ...failed.keys()].sort()).toEqual([...started].sort());
      expect(notStarted.length === 0 || failed.size >= stopAfter).toBe(true);
    }),
    { numRuns: 100 },
  );
});

it("starts none once it is called off, and waits for what is under way", async () => {
  const stop = new AbortController();
  const operate = (stack: string): Promise<string> => {
    stop.abort();
    return Promise.resolve(stack);
  };
  const found = await fanOut(["a", "b"], operate, { parallel: 1, stopAfter: 1, signal: stop.signal });
  expect([[...found.done], found.notStarted]).toEqual([[["a", "a"]], ["b"]]);
});

it("a stack is the same as long as its own clusters and the project are", async () => {
  const print = (sets: string, cluster = "a") => {
    const fleet = mustLoad(`${fleetText({ cluster: "sets: {}" })}  a: { agents: present, sets: ${sets} }\n`);
    const clusters = fleet.clusters.filter(({ name }) => name === cluster);
    return fingerprint(fleet, { stack: "one", clusters }, "/nowhere");
  };
  expect(await print("{ pos: {} }")).toBe(await print("{ pos: {} }"));
  expect(await print("{ pos: {} }")).not.toBe(await print("{ pos: { interval: 20m } }"));
  expect(await print("{ pos: {} }", "edge-0")).toBe(await print("{ pos: { interval: 20m } }", "edge-0"));
});
