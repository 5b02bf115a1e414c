import { spawn } from "node:child_process";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writeFiles } from "../../git/index.ts";
import type { GitServer } from "../../lab/gitServer.ts";
import { startGitServer } from "../../lab/gitServer.ts";
import { GitWorkshop } from "../support/gitWorkshop.ts";
import { writeRequest } from "../support/gitRequest.ts";

const shop = new GitWorkshop();
let repository: string;
let server: GitServer;
beforeAll(async () => {
  repository = await shop.repository({ "README.md": "read me\n" });
  server = await startGitServer({ root: shop.folder, token: "valid-token", anonymousRead: true });
});
afterAll(async () => {
  await server.close();
  shop.remove();
});

/** Runs the writer as a process of its own, without a terminal, with stdin closed and an empty HOME. */
const unattended = (
  env: NodeJS.ProcessEnv,
): Promise<{ code: number | null; stdout: string; stderr: string }> =>
  new Promise((resolve) => {
    const request = JSON.stringify(writeRequest({ url: `${server.url}/fleet.git` }));
    const writer = join(import.meta.dirname, "../support/gitWriter.ts");
    const child = spawn(process.execPath, [writer, request, shop.tempRoot], {
      env: { ...shop.env, ...env },
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
    });
    let stdout = "";
    let stderr = "";
    child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
    child.on("close", (code) => resolve({ code, stdout, stderr }));
  });

describe("B13: without HOME config, terminal and stdin", () => {
  it("a token that is no longer valid at the push ends in an authentication error, and nothing prompts", async () => {
    const { code, stderr } = await unattended({ ARCFLUX_GIT_TOKEN: "expired-token" });
    expect(code).toBe(1);
    expect(stderr).toContain("kind: 'authentication'");
    expect(stderr).toContain("The token in ARCFLUX_GIT_TOKEN was not accepted");
    expect(stderr).not.toContain("expired-token");
    expect(shop.log(repository)).toHaveLength(1);
  });

  it("no token at all ends in an authentication error that says what to set", async () => {
    const { code, stderr } = await unattended({
      GIT_ASKPASS: "/bin/false",
      SSH_ASKPASS: "/bin/false",
      DISPLAY: ":9",
    });
    expect(code).toBe(1);
    expect(stderr).toContain("kind: 'authentication'");
    expect(stderr).toContain("Set ARCFLUX_GIT_TOKEN");
  });

  it("a valid token writes, with author and committer as asked", async () => {
    const { code, stdout } = await unattended({
      ARCFLUX_GIT_TOKEN: "valid-token",
      GIT_AUTHOR_NAME: "Someone Else",
    });
    expect(code).toBe(0);
    const { commit } = JSON.parse(stdout) as { commit: string };
    expect(shop.git(repository, "log", "-1", "--format=%H %an <%ae> %cn <%ce>")).toBe(
      `${commit} Arcflux <arcflux@example.com> Arcflux <arcflux@example.com>`,
    );
  });

  it("one that is refused after the day on which it ends says that first", async () => {
    const env = { ...shop.env, ARCFLUX_GIT_TOKEN: "expired-token" };
    const refusal = (tokenEnds: string): Promise<unknown> =>
      writeFiles(writeRequest({ url: `${server.url}/fleet.git`, directory: "clusters/edge-3/flux" }), {
        ...{ env, tempRoot: shop.tempRoot, tokenEnds },
      }).catch((error: unknown) => String((error as Error).message));
    expect(await refusal("2020-01-31")).toMatch(/^The Git token ended on 2020-01-31\./);
    expect(await refusal("2999-01-31")).not.toContain("ended on");
  });

  it("the token is read at each use", async () => {
    const env: NodeJS.ProcessEnv = { ...shop.env, ARCFLUX_GIT_TOKEN: "valid-token" };
    const request = writeRequest({ url: `${server.url}/fleet.git`, directory: "clusters/edge-2/flux" });
    env["ARCFLUX_GIT_TOKEN"] = "expired-token";
    const context = { env, tempRoot: shop.tempRoot };
    await expect(writeFiles(request, context)).rejects.toMatchObject({ kind: "authentication" });
    env["ARCFLUX_GIT_TOKEN"] = "valid-token";
    expect(await writeFiles(request, context)).toMatchObject({ kind: "committed" });
  });
});
