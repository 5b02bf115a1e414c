import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { signingKeyEnd, tokenEnd } from "../../git/index.ts";

/* What hosts answer, by their own documentation: GitHub's header, GitLab's personal_access_tokens/self. */

const token = "t0ken-that-ends";
let server: Server;
let base: string;
let answer: (request: IncomingMessage, response: ServerResponse) => void;
const asked: string[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url} ${request.headers.authorization}`);
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.close();
});

const json = (status: number, body: unknown, headers: Record<string, string> = {}) => {
  answer = (_, response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(JSON.stringify(body));
  };
};
const ask = (
  host: "github" | "gitlab" | "azureDevOps",
  env: NodeJS.ProcessEnv = { ARCFLUX_GIT_TOKEN: token },
) => tokenEnd(`${base}/edge/fleet.git`, { host, apiUrl: `${base}/api` }, { env });

describe("tokenEnd", () => {
  it("is what GitHub's header says, with either kind of zone", async () => {
    const header = "github-authentication-token-expiration";
    json(200, {}, { [header]: "2027-01-31 10:00:00 UTC" });
    expect(await ask("github")).toEqual({ ends: "2027-01-31T10:00:00.000Z", by: new URL(base).host });
    expect(asked).toEqual([`GET /api/rate_limit Bearer ${token}`]);
    json(200, {}, { [header]: "2027-01-31 10:00:00 +0200" });
    expect(await ask("github")).toMatchObject({ ends: "2027-01-31T08:00:00.000Z" });
    json(200, {});
    expect(await ask("github")).toBeUndefined();
  });

  it("is what GitLab says of the token itself, and nothing for one that may not ask or has no end", async () => {
    asked.length = 0;
    json(200, { expires_at: "2027-01-31" });
    expect(await ask("gitlab")).toMatchObject({ ends: "2027-01-31T00:00:00.000Z" });
    expect(asked).toEqual([`GET /api/personal_access_tokens/self Bearer ${token}`]);
    json(200, { expires_at: null });
    expect(await ask("gitlab")).toBeUndefined();
    json(403, { error: "insufficient_scope" });
    expect(await ask("gitlab")).toBeUndefined();
  });

  it("is asked of no interface on a host that the token is not for", async () => {
    asked.length = 0;
    const url = "https://git.example.com/edge/fleet.git";
    const env = { ARCFLUX_GIT_TOKEN: token, ARCFLUX_GIT_TOKEN_HOST: "git.example.com" };
    await expect(tokenEnd(url, { host: "gitlab", apiUrl: `${base}/api` }, { env })).rejects.toMatchObject({
      kind: "invalid",
      message: expect.stringContaining("ARCFLUX_GIT_TOKEN is for git.example.com alone") as unknown,
    });
    expect(asked).toEqual([]);
  });

  it("is not asked of hosts that have no answer, nor without a token; a refused one is an error without it", async () => {
    asked.length = 0;
    expect(await ask("azureDevOps")).toBeUndefined();
    expect(await ask("github", {})).toBeUndefined();
    expect(await tokenEnd("https://bitbucket.org/edge/fleet.git", {}, { env: {} })).toBeUndefined();
    expect(asked).toEqual([]);
    json(401, { message: `Bad credentials ${token}` });
    const error = await ask("github").then(
      () => undefined,
      (reason: unknown) => reason as Error,
    );
    expect(error).toMatchObject({ kind: "authentication" });
    expect(error?.message).not.toContain(token);
  });
});

describe.runIf(spawnSync("gpg", ["--version"]).status === 0)("signingKeyEnd", () => {
  it("is read from an OpenPGP key; one without an end, and an SSH key, have none", async () => {
    const home = mkdtempSync(join(tmpdir(), "ak-"));
    const gpg = (...args: string[]): string =>
      execFileSync("gpg", ["--batch", "--homedir", home, "--passphrase", "", ...args], {
        stdio: ["ignore", "pipe", "ignore"],
      }).toString();
    const end = (key: string) =>
      signingKeyEnd(undefined, { env: { ...process.env, ARCFLUX_GIT_SIGNING_KEY: key } });
    try {
      gpg("--quick-generate-key", "Bot <bot@example.com>", "ed25519", "sign", "2030-06-01");
      gpg("--quick-generate-key", "Forever <forever@example.com>", "ed25519", "sign", "never");
      const of = (name: string): string => gpg("--armor", "--export-secret-keys", name);
      const found = await end(of("bot@example.com"));
      expect(found).toMatchObject({
        name: "Bot <bot@example.com>",
        ends: expect.stringMatching(/^2030-06-01T/) as string,
      });
      expect(await end(of("forever@example.com"))).toBeUndefined();
      expect(await end("-----BEGIN OPENSSH PRIVATE KEY-----\n")).toBeUndefined();
      expect(await signingKeyEnd(undefined, { env: {} })).toBeUndefined();
    } finally {
      spawnSync("gpgconf", ["--homedir", home, "--kill", "all"]);
      rmSync(home, { recursive: true, force: true });
    }
  });
});
