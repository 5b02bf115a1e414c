import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { GitWorkshop } from "../support/gitWorkshop.ts";
import { writeRequest } from "../support/gitRequest.ts";
import { commandLines, eventually, processesWith } from "../support/processes.ts";

let shop: GitWorkshop;
let url: string;
beforeEach(async () => {
  shop = new GitWorkshop();
  url = await shop.repository({ "README.md": "read me\n" });
});
afterEach(() => shop.remove());

const leftIn = (root: string): string[] =>
  readdirSync(root).filter((name) => name.startsWith("arcflux-git-"));

describe.skipIf(process.platform === "win32")("a writer that is killed with -9 while it pushes", () => {
  it("takes its git along, though the server has not answered, and its guard ends too", async () => {
    // The server says nothing until the test lets it.
    const hold = `while [ ! -e ${shop.folder}/go ]; do sleep 0.05; done`;
    shop.writeHook(url, "pre-receive", `echo here > ${shop.folder}/pushing; ${hold}`);
    const writer = join(import.meta.dirname, "../support/gitWriter.ts");
    const request = JSON.stringify(writeRequest({ url }));
    const child = spawn(process.execPath, [writer, request, shop.tempRoot], {
      env: shop.env,
      stdio: "ignore",
    });
    const ended = new Promise((resolve) => child.once("exit", resolve));
    const pushing = async (): Promise<boolean> =>
      (await processesWith(shop.folder)).some(({ command }) => /^git .*\bpush\b/.test(command));
    try {
      await shop.waitFor("pushing");
      expect(await pushing()).toBe(true);
      expect(leftIn(shop.tempRoot)).toHaveLength(1);
      expect(
        (await commandLines()).filter((line) => line.includes(`arcflux-guard-${child.pid}`)),
      ).toHaveLength(1);
      child.kill("SIGKILL");
      await ended;
      await eventually("the push ends", async () => !(await pushing()), 5_000);
      await eventually("its folder goes", () => Promise.resolve(leftIn(shop.tempRoot).length === 0), 5_000);
      await eventually(
        "the guard ends",
        async () => !(await commandLines()).some((line) => line.includes(`arcflux-guard-${child.pid}`)),
        5_000,
      );
    } finally {
      child.kill("SIGKILL");
      writeFileSync(join(shop.folder, "go"), "");
      await eventually("the hook ends", async () => !(await processesWith(shop.folder)).length, 10_000);
    }
  });
});

describe.skipIf(process.platform === "win32")("a folder with a line break in its name", () => {
  it("is left alone, and so is the one that its name begins with", async () => {
    const begins = mkdtempSync(join(shop.folder, "begins-"));
    const script = join(import.meta.dirname, "../../git/access/guard.ts");
    const text = `import { guardFolder } from ${JSON.stringify(script)}; guardFolder(${JSON.stringify(`${begins}\n/x`)});
      guardFolder(${JSON.stringify(join(shop.folder, "goes"))});`;
    mkdirSync(join(shop.folder, "goes"));
    await new Promise((resolve) =>
      spawn(process.execPath, ["--input-type=module", "--eval", text], { stdio: "ignore" }).once(
        "exit",
        resolve,
      ),
    );
    await eventually("the other goes", () => Promise.resolve(!existsSync(join(shop.folder, "goes"))), 5_000);
    expect(existsSync(begins)).toBe(true);
  });
});
