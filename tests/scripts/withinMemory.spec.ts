import { expect, test } from "vitest";
import { withinMemory } from "../../scripts/setup/withinMemory.mjs";

const tool = (name: string, memoryMegabytes: number, recipe = name) => ({
  tool: { name, memoryMegabytes, recipe },
});

/** Runs a plan; gives the most that ran at once, in builds and in megabytes. */
async function most(
  items: ReturnType<typeof tool>[],
  limits: { builds: number; megabytes: number },
): Promise<{ builds: number; megabytes: number; done: number }> {
  const peak = { builds: 0, megabytes: 0 };
  const running: number[] = [];
  const results = await withinMemory(
    items,
    async ({ tool: { memoryMegabytes } }: ReturnType<typeof tool>) => {
      running.push(memoryMegabytes);
      peak.builds = Math.max(peak.builds, running.length);
      peak.megabytes = Math.max(
        peak.megabytes,
        running.reduce((sum, one) => sum + one, 0),
      );
      await new Promise((resolve) => setImmediate(resolve));
      running.splice(running.indexOf(memoryMegabytes), 1);
    },
    limits,
  );
  return { ...peak, done: results.length };
}

const four = [tool("a", 1000), tool("b", 2400), tool("c", 2500), tool("d", 4500)];

test("one after the other on two cores, however much memory there is", async () => {
  expect(await most(four, { builds: 1, megabytes: 100_000 })).toEqual({
    builds: 1,
    megabytes: 4500,
    done: 4,
  });
});

test("several at once as far as memory allows", async () => {
  const { builds, megabytes, done } = await most(four, { builds: 4, megabytes: 5000 });
  expect(builds).toBe(2);
  expect(megabytes).toBeLessThanOrEqual(5000);
  expect(done).toBe(4);
});

test("one that needs more than there is runs alone", async () => {
  expect(await most(four, { builds: 4, megabytes: 500 })).toEqual({ builds: 1, megabytes: 4500, done: 4 });
});

test("after a failure nothing new is begun, and the failure is told when the others have ended", async () => {
  const begun: string[] = [];
  const work = async ({ tool: { name } }: ReturnType<typeof tool>): Promise<void> => {
    begun.push(name);
    await new Promise((resolve) => setImmediate(resolve));
    if (name === "a") throw new Error("a is broken");
  };
  await expect(withinMemory(four, work, { builds: 2, megabytes: 100_000 })).rejects.toThrow("a is broken");
  expect(begun).toEqual(["a", "b"]);
});

test("those of one recipe share most of what they compile, so they are built one after the other", async () => {
  const items = [tool("a", 1, "r"), tool("b", 1, "r"), tool("c", 1, "r"), tool("d", 1, "s")];
  const begun: string[] = [];
  const running: string[] = [];
  const work = async ({ tool: { name, recipe } }: ReturnType<typeof tool>): Promise<void> => {
    begun.push(name);
    expect(running).not.toContain(recipe);
    running.push(recipe);
    await new Promise((resolve) => setImmediate(resolve));
    running.splice(running.indexOf(recipe), 1);
  };
  await withinMemory(items, work, { builds: 4, megabytes: 100 });
  // d overtakes b and c, which wait for a.
  expect(begun).toEqual(["a", "d", "b", "c"]);
});
