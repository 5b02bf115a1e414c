import { chmodSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { GitError, writeFiles } from "../../git/index.ts";
import type { WriteResult } from "../../git/index.ts";
import { writeRequest } from "../support/gitRequest.ts";
import { GitWorkshop } from "../support/gitWorkshop.ts";
import { commandLines } from "../support/processes.ts";
import { sshd, startSshServer } from "../support/sshServer.ts";
import type { SshServer } from "../support/sshServer.ts";

const wrongKey = "AAAAC3NzaC1lZDI1NTE5AAAAIDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDEy";

describe.runIf(sshd !== undefined)("B14: SSH with a real server (needs sshd)", () => {
  const shop = new GitWorkshop();
  let server: SshServer;
  let repository: string;
  let count = 0;
  beforeAll(async () => {
    repository = await shop.repository({ "README.md": "read me\n" });
    server = await startSshServer(join(shop.folder, "ssh"));
  });
  afterAll(async () => {
    await server.close();
    shop.remove();
  });
  afterEach(() => expect(readdirSync(shop.tempRoot)).toEqual([]));

  const known = (...lines: string[]): string =>
    lines.map((line) => `[127.0.0.1]:${server.port} ${line}\n`).join("");
  const write = (env: NodeJS.ProcessEnv): Promise<WriteResult> => {
    count += 1;
    const url = `ssh://${server.user}@127.0.0.1:${server.port}${repository}`;
    const request = writeRequest({ url, directory: `clusters/edge-${count}/flux` });
    const context = {
      env: { ...shop.env, ...env },
      tempRoot: shop.tempRoot,
      cacheRoot: `${shop.folder}/cache`,
    };
    return writeFiles(request, context);
  };
  const failing = async (env: NodeJS.ProcessEnv): Promise<GitError> => {
    const before = shop.log(repository);
    const error: unknown = await write(env).catch((reason: unknown) => reason);
    if (!(error instanceof GitError)) throw new Error("it did not fail");
    expect(shop.log(repository)).toEqual(before);
    for (const line of server.key.split("\n").filter((text) => text.length > 30 && !text.startsWith("-"))) {
      expect(error.message).not.toContain(line);
    }
    return error;
  };

  it("takes key and known hosts as text, with [host]:port and a port that is not 22", async () => {
    const env = { ARCFLUX_GIT_SSH_KEY: server.key, ARCFLUX_GIT_KNOWN_HOSTS: known(server.hostKeys.ed25519) };
    expect(await write(env)).toMatchObject({ kind: "committed" });
  });

  it("takes them as files too, even where others may read the key, as in a mounted secret", async () => {
    const key = join(shop.folder, "mounted-key");
    const hosts = join(shop.folder, "mounted-hosts");
    writeFileSync(key, server.key);
    chmodSync(key, 0o644);
    // Two types, one of them stale, as after a rotation of the host's keys.
    writeFileSync(hosts, known(server.hostKeys.ecdsa));
    const env = { ARCFLUX_GIT_SSH_KEY_FILE: key, ARCFLUX_GIT_KNOWN_HOSTS_FILE: hosts };
    expect(await write(env)).toMatchObject({ kind: "committed" });
  });

  it("keeps the key out of the process list and out of a file that others may read", async () => {
    const looked = join(shop.folder, "looked");
    shop.writeHook(
      repository,
      "pre-receive",
      `ls -lR ${shop.tempRoot} > ${looked}; echo 1 > ${looked}-on; sleep 1`,
    );
    const env = { ARCFLUX_GIT_SSH_KEY: server.key, ARCFLUX_GIT_KNOWN_HOSTS: known(server.hostKeys.ed25519) };
    const writing = write(env);
    await shop.waitFor("looked-on");
    const lines = (await commandLines()).join("\n");
    await writing;
    shop.writeHook(repository, "pre-receive", "exit 0");
    expect(lines).toContain("StrictHostKeyChecking=yes");
    for (const line of server.key.split("\n").filter((text) => text.length > 30))
      expect(lines).not.toContain(line);
    expect(await shop.waitFor("looked")).toMatch(/^-rw------- .* ssh-key$/m);
  });

  it.each([
    ["an unknown host", (): string => "other.example.com ssh-ed25519 AAAA\n"],
    ["a changed host key", (): string => known(`ssh-ed25519 ${wrongKey}`)],
    ["a key known for another port alone", (): string => `[127.0.0.1]:1 ${server.hostKeys.ed25519}\n`],
  ])("refuses %s", async (_, hosts) => {
    const error = await failing({ ARCFLUX_GIT_SSH_KEY: server.key, ARCFLUX_GIT_KNOWN_HOSTS: hosts() });
    expect(error.kind).toBe("authentication");
    expect(error.message).toMatch(/Host key verification failed/);
    expect(error.message).not.toMatch(/StrictHostKeyChecking[= ]no/);
  });

  it("refuses a key that the server does not know, and nothing prompts", async () => {
    const hosts = known(server.hostKeys.ed25519);
    const error = await failing({ ARCFLUX_GIT_SSH_KEY: server.stranger, ARCFLUX_GIT_KNOWN_HOSTS: hosts });
    expect(error.kind).toBe("authentication");
    expect(error.message).toMatch(/Permission denied/);
  });

  it("names a key that is none, without showing it", async () => {
    const error = await failing({ ARCFLUX_GIT_SSH_KEY: "S3CRET" });
    expect(error.kind).toBe("invalid");
    expect(error.message).toMatch(/ARCFLUX_GIT_SSH_KEY holds no private key/);
    expect(error.message).not.toContain("S3CRET");
  });
});

it.skipIf(sshd !== undefined)(
  "is skipped: no sshd here (Debian: apt-get install openssh-server)",
  () => undefined,
);
