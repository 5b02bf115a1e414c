import { spawn } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { withMachineLock } from "../../git/plumbing/machineLock.ts";

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "arcflux-lock-"))));
afterEach(() => {
  chmodSync(folder, 0o700);
  rmSync(folder, { recursive: true, force: true });
});

const options = { wait: 60_000, assertAlive: () => undefined };
const tick = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

/** A process that takes the lock, says so, and holds it until it is ended. */
async function holder(): Promise<{ readonly kill: () => Promise<void> }> {
  const module = join(import.meta.dirname, "../../git/plumbing/machineLock.ts");
  const script =
    `const { withMachineLock } = await import(${JSON.stringify(module)});` +
    `await withMachineLock(${JSON.stringify(folder)}, { wait: 60000, assertAlive() {} }, () => ` +
    `new Promise((resolve) => { console.log("held"); setTimeout(resolve, 60000); }));`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script]);
  await once(child.stdout, "data");
  return {
    kill: async () => {
      const gone = once(child, "close");
      child.kill("SIGKILL");
      await gone;
    },
  };
}

describe("the lock among the writers of one machine", () => {
  it("is held by one at a time, in the order they came", async () => {
    let inside = 0;
    const order: number[] = [];
    const work = async (number: number): Promise<void> => {
      expect((inside += 1)).toBe(1);
      await tick(5);
      order.push(number);
      inside -= 1;
    };
    const all: Promise<void>[] = [];
    for (let number = 0; number < 20; number += 1) {
      all.push(withMachineLock(folder, options, () => work(number)));
      await tick(2);
    }
    await Promise.all(all);
    expect(order).toEqual(Array.from({ length: 20 }, (_, index) => index));
    expect(readdirSync(folder)).toEqual([]);
  });

  it("is free again after work that fails", async () => {
    const failing = withMachineLock(folder, options, () => Promise.reject(new Error("no")));
    await expect(failing).rejects.toThrow("no");
    expect(await withMachineLock(folder, options, () => Promise.resolve("next"))).toBe("next");
  });

  it("of a killed process is taken over", async () => {
    const other = await holder();
    let entered = false;
    const waiting = withMachineLock(folder, options, () => Promise.resolve((entered = true)));
    await tick(100);
    expect(entered).toBe(false);
    await other.kill();
    await waiting;
    expect(entered).toBe(true);
    expect(readdirSync(folder).filter((name) => !name.startsWith("dead_"))).toEqual([]);
  });

  it("and the ticket of a process killed while it waited hold nobody up", async () => {
    writeFileSync(join(folder, "000000000000001_00000000-1-1_1.ticket"), "");
    const old = new Date(Date.now() - 3_600_000);
    const { utimesSync } = await import("node:fs");
    utimesSync(join(folder, "000000000000001_00000000-1-1_1.ticket"), old, old);
    expect(await withMachineLock(folder, options, () => Promise.resolve("mine"))).toBe("mine");
  });

  it("is not waited for longer than allowed", async () => {
    const other = await holder();
    const done = await withMachineLock(folder, { ...options, wait: 100 }, () => Promise.resolve("without"));
    expect(done).toBe("without");
    await other.kill();
  });

  it("is given up waiting for when the caller is gone", async () => {
    const other = await holder();
    const assertAlive = (): void => {
      throw new TypeError("gone");
    };
    const waiting = withMachineLock(folder, { ...options, assertAlive }, () => Promise.resolve("late"));
    await expect(waiting).rejects.toThrow("gone");
    await other.kill();
  });

  it.each([
    ["that is a file", (): string => (writeFileSync(join(folder, "file"), ""), join(folder, "file", "lock"))],
    [
      "whose lock was made by something else",
      (): string => (
        mkdirSync(join(folder, "odd")),
        writeFileSync(join(folder, "odd", "held"), ""),
        join(folder, "odd")
      ),
    ],
  ])("is done without in a folder %s", async (_, make) => {
    const done = await withMachineLock(make(), { ...options, wait: 100 }, () => Promise.resolve("without"));
    expect(done).toBe("without");
  });
});
