import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { GitError } from "../../git/words/errors.ts";
import { withTemporaryFolder } from "../../git/access/temporary.ts";
import { writeFiles } from "../../git/index.ts";
import { GitWorkshop } from "../support/gitWorkshop.ts";
import { writeRequest } from "../support/gitRequest.ts";

const shop = new GitWorkshop();
let url: string;
beforeAll(async () => (url = await shop.repository({ "README.md": "read me\n" })));
afterAll(() => shop.remove());

/** A file system of its own, for one process: needs user namespaces, or root. */
const mounts = spawnSync("unshare", ["-rm", "mount", "-t", "tmpfs", "tmpfs", "/mnt"]).status === 0;

/** One writer in a process for which `mount` (tmpfs, with options) is mounted at `place`. */
function writeWith(options: string, place: string, tempRoot: string): { code: number; said: string } {
  mkdirSync(place, { recursive: true });
  const writer = join(import.meta.dirname, "../support/gitWriter.ts");
  const text = JSON.stringify(
    writeRequest({ url, files: { "web.yaml": `${options}\n` }, adopt: "overwrite" }),
  );
  const script = 'mount -t tmpfs -o "$1" tmpfs "$2" && shift 2 && exec "$@"';
  const command = ["sh", "-c", script, "sh", options, place, process.execPath, writer, text, tempRoot];
  const { status, stderr, stdout } = spawnSync("unshare", ["-rm", ...command], { env: shop.env });
  return { code: status ?? -1, said: `${stdout.toString()}${stderr.toString()}` };
}

describe.runIf(mounts)("a temporary folder on a disk that is full", () => {
  const small = ["size=4k", "size=8k", "size=16k", "size=20k", "nr_inodes=3", "nr_inodes=7", "nr_inodes=11"];
  it.each(small)("with room for %s is named as such", (options) => {
    const before = shop.log(url).length;
    const place = join(shop.folder, "small");
    const { code, said } = writeWith(options, place, place);
    expect(code).not.toBe(0);
    expect(said).toMatch(/temporary folder \S+\/small;|temporary folder \S+\/small could not be written to/);
    expect(said).toContain("set TMPDIR to a folder with room");
    expect(said).not.toMatch(/git fsck|Check the URL/);
    expect(shop.log(url)).toHaveLength(before);
  });

  it("that cannot be written to is named too", () => {
    const place = join(shop.folder, "small");
    const { said } = writeWith("ro", place, place);
    expect(said).toContain(`No temporary folder could be made in ${place}: EROFS`);
    expect(said).toContain("Set TMPDIR to a folder that can be written to");
  });
});

it.runIf(mounts).each(["size=4k", "nr_inodes=3", "ro"])("a cache with %s holds no write up", (options) => {
  const { code, said } = writeWith(options, shop.cache, shop.tempRoot);
  expect(said).toContain('"kind":"committed"');
  expect(code).toBe(0);
  expect(readdirSync(shop.tempRoot)).toEqual([]);
});

describe("a temporary folder that cannot be used", () => {
  it.each(["none", "a file"])("since it is %s is named", async (what) => {
    const tempRoot = what === "none" ? join(shop.folder, "none") : join(url, "HEAD");
    const write = writeFiles(writeRequest({ url }), { env: shop.env, tempRoot });
    await expect(write).rejects.toThrow(`No temporary folder could be made in ${tempRoot}: `);
  });

  // Root may write anywhere.
  it.skipIf(process.getuid?.() === 0)("since this user may not write there is named", async () => {
    const tempRoot = join(shop.folder, "locked");
    mkdirSync(tempRoot);
    chmodSync(tempRoot, 0o500);
    const write = writeFiles(writeRequest({ url }), { env: shop.env, tempRoot });
    await expect(write).rejects.toThrow(`No temporary folder could be made in ${tempRoot}: EACCES`);
  });
});

describe("what git says of its own files", () => {
  const failing = (said: string): Promise<unknown> =>
    withTemporaryFolder(shop.tempRoot, (folder) =>
      Promise.reject(
        new GitError("unreachable", `It failed.\n  ${said.replaceAll("FOLDER", folder)}\nNext.`),
      ),
    ).catch((error: unknown) => (error as Error).message);

  it.each([
    "fatal: write error: No space left on device",
    "unable to write file FOLDER/objects/12/34: Disk quota exceeded",
    "sha1 file 'FOLDER/objects/pack/tmp_idx_x' write error. Out of diskspace",
  ])("%s: there is no room", async (said) => {
    expect(await failing(said)).toMatch(/^There is no room left in the temporary folder /);
  });

  it.each([
    "failed to write new configuration file FOLDER/config.lock",
    "couldn't write 'FOLDER/refs/arcflux/tip.lock'",
    "unable to write loose object file FOLDER/objects/12/34",
    "Unable to create temporary file 'FOLDER/objects/pack/tmp_pack_XXXXXX': No such file or directory",
    "Unable to create 'FOLDER/shallow.lock': Read-only file system",
    "unable to create directory for FOLDER/refs/arcflux/tip",
  ])("%s: it could not be written to", async (said) => {
    const message = await failing(said);
    expect(message).toMatch(/^The temporary folder \S+ could not be written to/);
    expect(message).not.toContain("Next.");
  });

  it.each([
    'Load key "FOLDER/key": error in libcrypto',
    "Offending ED25519 key in FOLDER/known_hosts:1",
    "remote: could not write /srv/git/fleet.git/objects/12/34",
  ])("%s: is about something else, and stays as it is", async (said) => {
    expect(await failing(said)).toMatch(/^It failed\.\n {2}.+\nNext\.$/);
  });
});
