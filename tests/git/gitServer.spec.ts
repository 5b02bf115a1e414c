import { spawnSync } from "node:child_process";
import { request } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { randomBytes } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { writeFiles } from "../../git/index.ts";
import { startGitServer } from "../../lab/gitServer.ts";
import type { GitServer } from "../../lab/gitServer.ts";
import { GitWorkshop } from "../support/gitWorkshop.ts";
import { writeRequest } from "../support/gitRequest.ts";

let shop: GitWorkshop;
let server: GitServer | undefined;
beforeEach(() => (shop = new GitWorkshop()));
afterEach(async () => {
  await server?.close();
  server = undefined;
  shop.remove();
});

const status = (path: string, headers: Record<string, string> = {}): Promise<number> =>
  new Promise((resolve, reject) => {
    const call = request(`${server?.url ?? ""}${path}`, { headers }, (response) => {
      response.resume().on("end", () => resolve(response.statusCode ?? 0));
    });
    call.on("error", reject).end();
  });

const basic = (user: string, password: string): Record<string, string> => ({
  authorization: `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`,
});

const fetchPath = "/fleet.git/info/refs?service=git-upload-pack";
const pushPath = "/fleet.git/info/refs?service=git-receive-pack";

describe("the lab's Git server", () => {
  it("needs the token as password, with any user name", async () => {
    await shop.repository({ "README.md": "read me\n" });
    server = await startGitServer({ root: shop.folder, token: "t:1" });
    expect(await status(fetchPath)).toBe(401);
    expect(await status(fetchPath, basic("a", "wrong"))).toBe(401);
    expect(await status(fetchPath, basic("t:1", ""))).toBe(401);
    expect(await status(fetchPath, basic("anyone", "t:1"))).toBe(200);
    expect(await status(pushPath, basic("", "t:1"))).toBe(200);
  });

  it("lets everyone read and only the token push, when told so", async () => {
    await shop.repository({ "README.md": "read me\n" });
    server = await startGitServer({ root: shop.folder, token: "t", anonymousRead: true });
    expect(await status(fetchPath)).toBe(200);
    expect(await status(pushPath)).toBe(401);
    expect(await status("/fleet.git/git-receive-pack")).toBe(401);
    expect(await status(pushPath.replace("receive", "%72eceive"))).toBe(401);
    expect(await status(pushPath, basic("a", "t"))).toBe(200);
  });

  it("serves nothing outside its folder", async () => {
    await shop.repository({ "README.md": "read me\n" });
    server = await startGitServer({ root: shop.tempRoot });
    expect(await status("/../fleet.git/info/refs?service=git-upload-pack")).not.toBe(200);
    expect(await status("/%2e%2e/fleet.git/info/refs?service=git-upload-pack")).not.toBe(200);
    expect(await status("/%zz")).toBe(400);
    expect(await status("/%00")).toBe(400);
    expect(await status(fetchPath)).toBe(404);
  });

  it("takes big and packed requests, and clones what was pushed", async () => {
    const url = await shop.repository({ "README.md": "read me\n" });
    server = await startGitServer({ root: shop.folder });
    // Base64 of random bytes: past the 1 MiB from which git sends in chunks.
    const content = randomBytes(3 << 20).toString("base64");
    await writeFiles(writeRequest({ url: `${server.url}/fleet.git`, files: { "big.txt": content } }), {
      env: shop.env,
      tempRoot: shop.tempRoot,
    });
    expect(shop.git(url, "cat-file", "-s", "main:clusters/edge-1/flux/big.txt")).toBe(String(content.length));

    const command = "0014command=ls-refs\n0000";
    const answer = await fetch(`${server.url}/fleet.git/git-upload-pack`, {
      method: "POST",
      headers: {
        "content-type": "application/x-git-upload-pack-request",
        "content-encoding": "gzip",
        "git-protocol": "version=2",
      },
      body: gzipSync(command),
    });
    expect(await answer.text()).toContain("refs/heads/main");
  });

  it("leaves no process, no connection and no port", async () => {
    const url = await shop.repository({ "README.md": "read me\n" });
    shop.writeHook(url, "pre-receive", `echo $$ > ${shop.folder}/pid; exec sleep 300`);
    server = await startGitServer({ root: shop.folder });
    const { port } = server;
    const write = writeFiles(writeRequest({ url: `${server.url}/fleet.git` }), {
      env: shop.env,
      tempRoot: shop.tempRoot,
    }).catch((error: unknown) => error);
    await shop.waitFor("pid");
    const idle = connect(port, "127.0.0.1");
    const closed = new Promise((resolve) => idle.on("close", resolve));
    idle.on("error", () => undefined);
    await new Promise((resolve) => idle.on("connect", resolve));

    await server.close();
    await closed;

    expect(await write).toMatchObject({ name: "GitError" });
    await expect.poll(() => shop.isRunning("pid")).toBe(false);
    const again = await startGitServer({ root: shop.folder, port });
    expect(again.port).toBe(port);
    await again.close();
    expect(spawnSync("git", ["-C", join(url), "rev-parse", "main"]).status).toBe(0);
  });

  it("says so when its port is taken", async () => {
    server = await startGitServer({ root: shop.folder });
    await expect(startGitServer({ root: shop.folder, port: server.port })).rejects.toThrow("EADDRINUSE");
  });
});
