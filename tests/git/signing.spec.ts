import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { writeFiles } from "../../git/index.ts";
import type { GitContext, WriteResult } from "../../git/index.ts";
import { beforeOf, type Overrides, writeRequest } from "../support/gitRequest.ts";
import { GitWorkshop } from "../support/gitWorkshop.ts";
import { commandLines } from "../support/processes.ts";

// Short, since gpg-agent's socket is in it.
const keys = mkdtempSync(join(tmpdir(), "ak-"));
const gpgHome = join(keys, "g");
const hasGpg = spawnSync("gpg", ["--version"]).status === 0;
let ssh: string;
let pgp = "";
beforeAll(() => {
  for (const name of ["key", "other"]) {
    execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-C", "arcflux", "-f", join(keys, name)]);
  }
  execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "a passphrase", "-f", join(keys, "locked")]);
  ssh = readFileSync(join(keys, "key"), "utf8");
  if (!hasGpg) return;
  mkdirSync(gpgHome, { mode: 0o700 });
  const gpg = (...args: string[]): Buffer =>
    execFileSync("gpg", ["--batch", "--homedir", gpgHome, ...args], { stdio: ["ignore", "pipe", "ignore"] });
  gpg(
    "--passphrase",
    "",
    "--quick-generate-key",
    "Arcflux <arcflux@example.com>",
    "ed25519",
    "sign",
    "never",
  );
  pgp = gpg("--armor", "--export-secret-keys").toString();
});
afterAll(() => {
  if (hasGpg) spawnSync("gpgconf", ["--homedir", gpgHome, "--kill", "all"]);
  rmSync(keys, { recursive: true, force: true });
});

let shop: GitWorkshop;
let url: string;
let context: GitContext;
beforeEach(async () => {
  shop = new GitWorkshop();
  url = await shop.repository({ "README.md": "read me\n" });
  context = {
    env: shop.env,
    tempRoot: shop.tempRoot,
    cacheRoot: `${shop.folder}/cache`,
    sleep: () => Promise.resolve(),
  };
});
afterEach(() => {
  // Whatever happened, no key stays behind.
  expect(readdirSync(shop.tempRoot)).toEqual([]);
  shop.remove();
});

/** How `git verify-commit` judges with the key of `name` known for the committer. */
const verified = (commit: string, name = "key"): boolean => {
  const signers = join(shop.folder, "signers");
  writeFileSync(signers, `robot@example.com ${readFileSync(join(keys, `${name}.pub`), "utf8")}`);
  const args = ["-c", `gpg.ssh.allowedSignersFile=${signers}`, "--git-dir", url, "verify-commit", commit];
  return spawnSync("git", args, { env: { ...shop.env, GNUPGHOME: gpgHome } }).status === 0;
};

const delivery = { signing: {}, committer: { name: "Robot", email: "robot@example.com" } } as const;
const write = (changes: Overrides = {}, more: Partial<GitContext> = {}): Promise<WriteResult> =>
  writeFiles(writeRequest({ url, delivery, ...changes }), {
    ...context,
    env: { ...shop.env, ARCFLUX_GIT_SIGNING_KEY: ssh },
    ...more,
  });

describe("B05: signed commits", () => {
  it("are all kinds: create, update, adopt, delete, and the retry after a race", async () => {
    const created = await write();
    let raced = false;
    const alive = (): boolean => {
      if (!raced) shop.commit(url, { "note.md": "mine\n" });
      return (raced = true);
    };
    const updated = await write({ files: { "web.yaml": "a: 1\n" }, before: beforeOf(created) }, { alive });
    shop.commit(url, { "clusters/edge-1/flux/db.yaml": "a: 2\n" });
    const adopted = await write({
      files: { "web.yaml": "a: 1\n", "db.yaml": "a: 3\n" },
      before: beforeOf(updated),
      adopt: "overwrite",
    });
    const deleted = await write({ files: {}, before: beforeOf(adopted) });

    expect(updated.attempts).toBe(2);
    const commits = [created, updated, adopted, deleted].map(({ commit }) => commit);
    expect(commits.map((commit) => verified(commit))).toEqual([true, true, true, true]);
    expect(verified(created.commit, "other")).toBe(false);
    expect(shop.git(url, "log", "-1", "--format=%an <%ae>, %cn <%ce>", created.commit)).toBe(
      "Arcflux <arcflux@example.com>, Robot <robot@example.com>",
    );
  });

  it("are made with a key file too, and with the key of the environment when nothing else is said", async () => {
    const file = { ...delivery, signing: { format: "ssh", keyFile: join(keys, "other") } } as const;
    const { commit, blobs } = await write({ delivery: file });
    expect(verified(commit, "other")).toBe(true);
    const silent = { committer: delivery.committer };
    const next = await write({ delivery: silent, files: { "web.yaml": "b: 1\n" }, owned: blobs });
    expect(verified(next.commit)).toBe(true);
  });

  it.runIf(hasGpg)("are made with OpenPGP in a temporary folder too deep for gpg's sockets", async () => {
    const tempRoot = join(shop.folder, "deep".repeat(25));
    mkdirSync(tempRoot);
    const env = { ...shop.env, ARCFLUX_GIT_SIGNING_KEY: pgp };
    const { commit } = await write({}, { env, tempRoot });
    expect(verified(commit)).toBe(true);
    expect(readdirSync("/tmp").filter((name) => name.startsWith(`arcflux-git-${process.pid}-`))).toEqual([]);
  });

  it.runIf(hasGpg)("are made with OpenPGP, and no agent or keyring stays (needs gpg)", async () => {
    const env = { ...shop.env, ARCFLUX_GIT_SIGNING_KEY: pgp };
    const { commit } = await write({}, { env });
    expect(verified(commit)).toBe(true);
    expect(
      (await commandLines()).filter((line) => line.includes("gpg-agent") && line.includes(shop.folder)),
    ).toEqual([]);
  });

  it.each([
    ["no key", {}, /Signed commits are asked for.*set ARCFLUX_GIT_SIGNING_KEY/s],
    ["a key that is none", { ARCFLUX_GIT_SIGNING_KEY: "S3CRET" }, /not an SSH or OpenPGP private key/],
    [
      "half a key",
      { ARCFLUX_GIT_SIGNING_KEY: "-----BEGIN OPENSSH PRIVATE KEY-----\nS3CRETS3CRETS3CRET\n" },
      /could not be signed/,
    ],
    [
      "half an OpenPGP key",
      { ARCFLUX_GIT_SIGNING_KEY: "-----BEGIN PGP PRIVATE KEY BLOCK-----\nS3CRETS3CRETS3CRET\n" },
      /gpg could not/,
    ],
    [
      "a key with a passphrase",
      { ARCFLUX_GIT_SIGNING_KEY_FILE: join(keys, "locked") },
      /could not be signed(?!.*\/sign\/key).*the signing key.*must be a private one without a passphrase/s,
    ],
    [
      "a file that is not there",
      { ARCFLUX_GIT_SIGNING_KEY_FILE: join(keys, "none") },
      /cannot be read \(ENOENT\)/,
    ],
  ])("end the write before its push with %s, and what was there stays", async (_, variables, reason) => {
    const { blobs } = await write();
    const before = shop.log(url);
    const failing = write({ files: {}, owned: blobs }, { env: { ...shop.env, ...variables } });
    const error = await failing.catch((fault: unknown) => fault);
    expect(error).toMatchObject({ message: expect.stringMatching(reason) as string });
    expect(String(error)).not.toMatch(/S3CRET/);
    expect(shop.log(url)).toEqual(before);
  });

  it("fail for the cluster whose key is bad, and for no other of its group", async () => {
    const pushes = join(shop.folder, "pushes");
    shop.writeHook(url, "pre-receive", `echo x >> ${pushes}`);
    const keyFile = (name: string): { readonly keyFile: string } => ({ keyFile: join(keys, name) });
    const group = { ...context, env: shop.env };
    const [first, locked, missing, last] = await Promise.allSettled(
      ["key", "locked", "none", "other"].map((name) =>
        writeFiles(
          writeRequest({ url, directory: name, delivery: { ...delivery, signing: keyFile(name) } }),
          group,
        ),
      ),
    );
    expect(locked).toMatchObject({
      reason: { message: expect.stringMatching(/could not be signed/) as string },
    });
    expect(missing).toMatchObject({ reason: { message: expect.stringMatching(/cannot be read/) as string } });
    expect([first?.status, last?.status]).toEqual(["fulfilled", "fulfilled"]);
    expect(Object.keys(shop.contents(url, "")).sort()).toEqual([
      "README.md",
      "key/web.yaml",
      "other/web.yaml",
    ]);
    const commits = shop.log(url);
    expect(commits).toHaveLength(3);
    expect([verified(commits[0] ?? "", "other"), verified(commits[1] ?? "", "key")]).toEqual([true, true]);
    expect(readFileSync(pushes, "utf8")).toBe("x\n");
  });

  it("that all fail are told to each cluster, and nothing is pushed", async () => {
    const env = { ...shop.env, ARCFLUX_GIT_SIGNING_KEY_FILE: join(keys, "locked") };
    const before = shop.log(url);
    const group = { ...context, env };
    const all = await Promise.allSettled(
      ["a", "b", "c"].map((name) => writeFiles(writeRequest({ url, delivery, directory: name }), group)),
    );
    expect(all).toHaveLength(3);
    for (const one of all) {
      expect(String((one as PromiseRejectedResult).reason)).toMatch(
        /could not be signed, and was not pushed/,
      );
    }
    expect(shop.log(url)).toEqual(before);
  });

  it("keep the key out of argv, the repository and every file others may read while they are made", async () => {
    const seen: string[] = [];
    // Stands before ssh-keygen on PATH, and looks around while it signs.
    const bin = join(shop.folder, "bin");
    mkdirSync(bin);
    const real = execFileSync("sh", ["-c", "command -v ssh-keygen"]).toString().trim();
    const look = `ps -eww -o args > ${shop.folder}/ps; ls -lR ${shop.tempRoot} > ${shop.folder}/files; env > ${shop.folder}/env`;
    writeFileSync(join(bin, "ssh-keygen"), `#!/bin/sh\n${look}\nexec ${real} "$@"\n`, { mode: 0o755 });
    const env = { ...shop.env, PATH: `${bin}:${shop.env["PATH"] ?? ""}`, ARCFLUX_GIT_SIGNING_KEY: ssh };
    const { commit } = await write({}, { env });
    expect(verified(commit)).toBe(true);
    for (const name of ["ps", "env"]) seen.push(readFileSync(join(shop.folder, name), "utf8"));
    seen.push(shop.git(url, "cat-file", "-p", commit));
    const secret = ssh.split("\n").filter((line) => line.length > 30 && !line.startsWith("---"));
    for (const line of secret) for (const text of seen) expect(text).not.toContain(line);
    expect(readFileSync(join(shop.folder, "files"), "utf8")).toMatch(/^-rw------- .* key$/m);
  });
});
