import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ownName } from "../../disk/processName.ts";
import { replaceFile, stageFile } from "../../disk/wholeFile.ts";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "arcflux-disk-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const host = createHash("sha256").update(hostname()).digest("hex").slice(0, 8);
/** A process that has ended. */
const dead = () => spawnSync(process.execPath, ["-e", ""]).pid;

describe("a file that is written whole", () => {
  it("keeps its mode and its link, is made with its folder, and stands in place at once", async () => {
    await mkdir(join(folder, "real"));
    await writeFile(join(folder, "real/a.txt"), "old");
    await chmod(join(folder, "real/a.txt"), 0o640);
    await symlink("real/a.txt", join(folder, "link"));
    const staged = await stageFile(join(folder, "link"), "new");
    expect(await readFile(join(folder, "link"), "utf8")).toBe("old");
    await staged.put();
    expect(await readFile(join(folder, "real/a.txt"), "utf8")).toBe("new");
    expect((await stat(join(folder, "real/a.txt"))).mode & 0o777).toBe(0o640);
    await replaceFile(join(folder, "b/c/d.txt"), new Uint8Array([65]), 0o600);
    expect(await readFile(join(folder, "b/c/d.txt"), "utf8")).toBe("A");
    expect((await stat(join(folder, "b/c/d.txt"))).mode & 0o777).toBe(0o600);
    expect((await readdir(folder, { recursive: true })).sort()).toEqual(
      ["b", "b/c", "b/c/d.txt", "link", "real", "real/a.txt"].sort(),
    );
  });

  it("is named in an error, and nothing is left beside it", async () => {
    await mkdir(join(folder, "taken/x"), { recursive: true });
    const fails = replaceFile(join(folder, "taken"), "text");
    await expect(fails).rejects.toMatchObject({ path: join(folder, "taken") });
    const half = replaceFile(join(folder, "half"), async (fresh) => {
      await writeFile(fresh, "ha");
      throw new Error("cut short");
    });
    await expect(half).rejects.toThrow("cut short");
    expect(await readdir(folder)).toEqual(["taken"]);
  });

  it("takes away what the dead left in its folder: not what others write now, and nothing else", async () => {
    const gone = [`a.arcflux-${host}-${dead()}-1-0`, "b.arcflux-00000000-1-1-0"];
    const stay = [
      `c.arcflux-${ownName}-9`,
      "d.arcflux-00000000-1-1-0",
      "e.arcflux-lock",
      ".arcflux-inventory",
    ];
    for (const name of [...gone, ...stay]) await writeFile(join(folder, name), "");
    // Of another machine, which cannot be asked: silent for two minutes.
    const then = new Date(Date.now() - 120_000);
    await utimes(join(folder, gone[1]!), then, then);
    await replaceFile(join(folder, "new"), "");
    expect((await readdir(folder)).sort()).toEqual([...stay, "new"].sort());
  });
});
