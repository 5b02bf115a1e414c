import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { withTemporaryFolder } from "../../git/access/temporary.ts";
import { GitWorkshop } from "../support/gitWorkshop.ts";
import { writeRequest } from "../support/gitRequest.ts";

let shop: GitWorkshop;
beforeEach(() => (shop = new GitWorkshop()));
afterEach(() => shop.remove());

describe("temporary folders", () => {
  it("are removed when the work in them fails", async () => {
    const work = withTemporaryFolder(shop.tempRoot, (folder) => Promise.reject(new Error(folder)));
    await expect(work).rejects.toThrow(join(shop.tempRoot, `arcflux-git-${process.pid}-`));
    expect(readdirSync(shop.tempRoot)).toEqual([]);
  });

  it("that a killed writer left behind are swept by the next process, and no others", async () => {
    const url = await shop.repository({ "README.md": "read me\n" });
    shop.writeHook(url, "pre-receive", `echo $$ > ${shop.folder}/pid; exec sleep 300`);
    const writer = join(import.meta.dirname, "../support/gitWriter.ts");
    const args = [writer, JSON.stringify(writeRequest({ url })), shop.tempRoot];
    const child = spawn(process.execPath, args, { env: shop.env, stdio: "ignore" });
    const exited = new Promise((resolve) => child.on("exit", resolve));
    const hook = Number(await shop.waitFor("pid"));
    child.kill("SIGKILL");
    await exited;
    process.kill(hook, "SIGKILL");
    const left = readdirSync(shop.tempRoot);
    expect(left).toEqual([expect.stringContaining(`arcflux-git-${child.pid ?? 0}-`)]);
    const others = ["arcflux-git-notes", `arcflux-git-${child.pid ?? 0}-00000000-x`, "else"];
    others.forEach((name) => mkdirSync(join(shop.tempRoot, name)));

    // A signing key is there where TMPDIR is too long for gpg.
    const keyring = join("/tmp", left[0] ?? "");
    mkdirSync(keyring);

    shop.writeHook(url, "pre-receive", "exit 0");
    execFileSync(process.execPath, args, { env: shop.env, stdio: "ignore" });

    // One of them has the id of a dead process, but of another machine.
    expect(readdirSync(shop.tempRoot).sort()).toEqual(others.sort());
    expect(existsSync(keyring)).toBe(false);
  });

  it("and git processes are gone when the process exits in the middle of a push", async () => {
    const url = await shop.repository({ "README.md": "read me\n" });
    shop.writeHook(url, "pre-receive", `echo $$ > ${shop.folder}/pid; exec sleep 300`);
    const writer = join(import.meta.dirname, "../support/gitWriter.ts");
    const exitSoon = `process.on("SIGUSR2", () => process.exit(3)); await import(${JSON.stringify(writer)});`;
    const args = [
      "--input-type=module",
      "-e",
      exitSoon,
      "x",
      JSON.stringify(writeRequest({ url })),
      shop.tempRoot,
    ];
    const child = spawn(process.execPath, args, { env: shop.env, stdio: "ignore" });
    const exited = new Promise((resolve) => child.on("exit", resolve));
    await shop.waitFor("pid");
    child.kill("SIGUSR2");
    expect(await exited).toBe(3);
    await expect.poll(() => shop.isRunning("pid"), { timeout: 5_000 }).toBe(false);
    expect(readdirSync(shop.tempRoot)).toEqual([]);
  });
});
