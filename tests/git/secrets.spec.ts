import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { GitError, writeFiles } from "../../git/index.ts";
import type { GitContext } from "../../git/index.ts";
import { startGitServer } from "../../lab/gitServer.ts";
import type { GitServer } from "../../lab/gitServer.ts";
import { GitWorkshop } from "../support/gitWorkshop.ts";
import { writeRequest } from "../support/gitRequest.ts";

const token = "S3CR/T+?=é !*";
/** Worked out with printf and base64, and by percent-encoding each byte by hand. */
const forms = [
  "S3CR/T",
  "S3CR%2FT",
  "S3CR%2fT",
  "UzNDUi9UKz89w6kgISo", // base64 of the token
  "eC1hY2Nlc3MtdG9rZW46UzNDUi9UKz89w6kgISo", // base64 of x-access-token:<token>
];

const shop = new GitWorkshop();
let server: GitServer;
let repository: string;
const lines: string[] = [];
beforeAll(async () => {
  repository = await shop.repository({ "README.md": "read me\n" });
  server = await startGitServer({ root: shop.folder, token, logger: (line) => lines.push(line) });
});
afterEach(() => expect(readdirSync(shop.tempRoot)).toEqual([]));
afterAll(async () => {
  await server.close();
  shop.remove();
});

/** As verbose as git can be made. */
const loud = {
  GIT_TRACE: "1",
  GIT_TRACE_CURL: "1",
  GIT_CURL_VERBOSE: "1",
  GIT_TRACE_PACKET: "1",
  GIT_TRACE_SETUP: "1",
};
const context = (overrides: Partial<GitContext> = {}): GitContext => ({
  env: { ...shop.env, ...loud, ARCFLUX_GIT_TOKEN: token },
  tempRoot: shop.tempRoot,
  maxAttempts: 2,
  sleep: () => Promise.resolve(),
  ...overrides,
});

const expectClean = (text: string): void => {
  for (const form of forms) expect(text).not.toContain(form);
};

const failing = async (url: string, overrides: Partial<GitContext> = {}): Promise<GitError> => {
  const error: unknown = await writeFiles(writeRequest({ url }), context(overrides)).catch(
    (reason: unknown) => reason,
  );
  if (!(error instanceof GitError)) throw new Error(`expected a GitError, got ${JSON.stringify(error)}`);
  expectClean(`${error.message}\n${error.stack ?? ""}\n${JSON.stringify(error)}`);
  return error;
};

describe("B12: the token", () => {
  it("is in no error when the server does not accept it (401)", async () => {
    const strict = await startGitServer({ root: shop.folder, token: "another" });
    const error = await failing(`${strict.url}/fleet.git`);
    await strict.close();
    expect(error.kind).toBe("authentication");
    expect(error.message).toContain("Authentication failed");
  });

  it("is in no error when the server echoes it and forbids the push (403)", async () => {
    const echo = createServer((request, response) => {
      const header = request.headers.authorization;
      if (header === undefined) response.writeHead(401, { "www-authenticate": "Basic" }).end();
      else {
        const plain = Buffer.from(header.replace("Basic ", ""), "base64").toString();
        response.writeHead(403, { "content-type": "text/plain" });
        response.end(`Forbidden for ${plain} (${encodeURIComponent(plain)}, ${header})\n`);
      }
    });
    await new Promise<void>((resolve) => echo.listen(0, "127.0.0.1", resolve));
    const { port } = echo.address() as AddressInfo;
    const error = await failing(`http://127.0.0.1:${port}/fleet.git`);
    await new Promise((resolve) => echo.close(resolve));
    expect(error.kind).toBe("authentication");
    expect(error.message).toContain("403");
    expect(error.message).toContain("Forbidden for x-access-token:***");
  });

  it.each([
    ["no such host", "https://arcflux.invalid/fleet.git", /resolve|access/],
    ["a refused connection", "http://127.0.0.1:9/fleet.git", /connect/],
  ])("is in no error with %s", async (_, url, reason) => {
    const error = await failing(url);
    expect(error.kind).toBe("unreachable");
    expect(error.message).toMatch(reason);
  });

  it("is in no error when the race is lost, and in no error of a hook that prints its environment", async () => {
    const lost = await failing(`${server.url}/fleet.git`, {
      alive: () => shop.commit(repository, { "note.md": `${Math.random()}\n` }) !== "",
    });
    expect(lost.kind).toBe("race");
    shop.writeHook(repository, "pre-receive", "env >&2; exit 1");
    const refused = await failing(`${server.url}/fleet.git`);
    expect(refused.kind).toBe("refused");
    expectClean(lines.join("\n"));
  });

  it("in a URL is refused without showing it", async () => {
    for (const url of [
      "https://x-access-token:S3CR%2FT@host.example/r.git",
      "https://user:S3CR/T@host.example/r.git",
      "https://S3CR%2FT@host.example/r.git",
      "ssh://git:S3CR%2FT@host.example/r.git",
      "https://host.example/r.git?private_token=S3CR%2FT",
    ]) {
      expect((await failing(url)).kind).toBe("invalid");
    }
  });

  it("is in no argv, no temporary file and no commit while a push goes on", async () => {
    shop.writeHook(repository, "pre-receive", `echo 1 > ${shop.folder}/pushing; sleep 0.5`);
    const write = writeFiles(writeRequest({ url: `${server.url}/fleet.git` }), context());
    await shop.waitFor("pushing");
    const processes = execFileSync("ps", ["-eww", "-o", "args"]).toString();
    const files = readdirSync(shop.tempRoot, { recursive: true, withFileTypes: true }).filter((file) =>
      file.isFile(),
    );
    const texts = files.map((file) => readFileSync(join(file.parentPath, file.name), "latin1"));
    const { commit } = await write;

    expect(processes).toContain("send-pack");
    expect(texts.length).toBeGreaterThan(5);
    [processes, ...texts, shop.git(repository, "cat-file", "-p", commit)].forEach(expectClean);
    expect(readdirSync(shop.home)).toEqual([]);
  });

  it("is not handed to git where the URL takes none", async () => {
    shop.writeHook(repository, "pre-receive", `env > ${shop.folder}/environment`);
    const request = writeRequest({ url: repository, directory: "clusters/edge-2/flux" });
    await writeFiles(request, context());
    expectClean(readFileSync(join(shop.folder, "environment"), "utf8"));
  });

  it("goes to the host of the URL alone, and the user's own helper is not told", async () => {
    const config = join(shop.folder, "gitconfig");
    writeFileSync(config, `[credential]\n\thelper = "!f() { cat >> ${shop.folder}/told; }; f"\n`);
    shop.writeHook(repository, "pre-receive", "exit 0");
    const env = { ...shop.env, ARCFLUX_GIT_TOKEN: `${token}\n`, GIT_CONFIG_GLOBAL: config };
    const request = writeRequest({ url: `${server.url}/fleet.git`, directory: "clusters/edge-3/flux" });
    expect(await writeFiles(request, context({ env }))).toMatchObject({ kind: "committed" });
    expect(readdirSync(shop.folder)).not.toContain("told");
  });
});
