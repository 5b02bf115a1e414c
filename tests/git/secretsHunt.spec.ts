import { generateKeyPairSync } from "node:crypto";
import { execFileSync, spawn } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { configEnvironment } from "../../provider/configEnvironment.ts";
import { writeRequest } from "../support/gitRequest.ts";
import { GitWorkshop } from "../support/gitWorkshop.ts";
import { GitHost } from "../support/hosts/gitHost.ts";
import { commandLines } from "../support/processes.ts";

const shop = new GitWorkshop();
const token = "t0k/en+S3CRET=?é";
const derived = "ghs_S3CRET/derived+1";
const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey.export({
  type: "pkcs1",
  format: "pem",
});
const appKey = rsa.toString();
let sshKey: string;
let repository: string;
let host: GitHost;
/** How the server answers from now on; undefined: as it should. */
let answer: ((request: IncomingMessage, response: ServerResponse) => boolean) | undefined;

beforeAll(async () => {
  repository = await shop.repository({ "README.md": "read me\n" });
  const key = join(shop.folder, "id");
  execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-C", "", "-f", key]);
  sshKey = readFileSync(key, "utf8");
  host = await GitHost.start({
    shop,
    repository,
    tokens: [token, derived],
    first: (request, response) => answer?.(request, response) ?? false,
    rest: ({ path }) =>
      path.endsWith("/access_tokens")
        ? {
            status: 201,
            body: { token: derived, expires_at: new Date(Date.now() + 3_600_000).toISOString() },
          }
        : undefined,
  });
});
afterAll(async () => {
  await host.close();
  shop.remove();
});
beforeEach(() => {
  answer = undefined;
  shop.writeHook(repository, "pre-receive", "exit 0");
});

const lines = (key: string): string[] =>
  key.split("\n").filter((line) => line.length > 30 && !line.startsWith("-"));
/** Every form, made here by other means than the code under test. */
const formsOf = (secret: string): string[] => {
  const percent = [...Buffer.from(secret)]
    .map((byte) =>
      /[A-Za-z0-9_.-]/.test(String.fromCharCode(byte))
        ? String.fromCharCode(byte)
        : `%${byte.toString(16).padStart(2, "0")}`,
    )
    .join("");
  const base64 = ["", ":", "x-access-token:"].map((user) =>
    execFileSync("base64", ["-w0"], { input: `${user}${secret}` })
      .toString()
      .replace(/=+$/, ""),
  );
  return [secret, percent, percent.replace(/%../g, (code) => code.toUpperCase()), ...base64];
};

const sources: readonly { name: string; env: () => NodeJS.ProcessEnv; forms: () => string[] }[] = [
  { name: "a token", env: () => ({ ARCFLUX_GIT_TOKEN: token }), forms: () => formsOf(token) },
  {
    name: "a token file",
    env: () => {
      writeFileSync(join(shop.folder, "token"), `${token}\n`);
      return { ARCFLUX_GIT_TOKEN_FILE: join(shop.folder, "token") };
    },
    forms: () => formsOf(token),
  },
  {
    name: "stack config",
    env: () => configEnvironment({ PULUMI_CONFIG: JSON.stringify({ "arcflux-git:token": token }) }),
    forms: () => formsOf(token),
  },
  {
    name: "a GitHub App",
    env: () => ({
      ARCFLUX_GITHUB_APP_ID: "7",
      ARCFLUX_GITHUB_APP_INSTALLATION_ID: "42",
      ARCFLUX_GITHUB_APP_PRIVATE_KEY: appKey,
      ARCFLUX_GITHUB_API_URL: `${host.url}/api/v3`,
    }),
    forms: () => [...formsOf(derived), ...lines(appKey)],
  },
];
/** Set beside each: no use of these is made, and none must show either. */
const beside = (): NodeJS.ProcessEnv => ({ ARCFLUX_GIT_SSH_KEY: sshKey, ARCFLUX_GIT_SIGNING_KEY: sshKey });

/** A writer in a process of its own, as loud as git can be made. */
const run = (
  env: NodeJS.ProcessEnv,
  url: string,
  push = 20_000,
): { ended: Promise<{ code: number | null; output: string }> } => {
  const writer = join(import.meta.dirname, "../support/gitWriter.ts");
  const request = JSON.stringify(
    writeRequest({ url, directory: `clusters/${Math.random().toString(36).slice(2)}` }),
  );
  // A host that breaks off is asked again for as long as a fetch may take.
  const bounds = JSON.stringify({ maxAttempts: 2, timeouts: { push, fetch: 5_000 } });
  const child = spawn(process.execPath, [writer, request, shop.tempRoot, bounds], {
    env: { ...shop.env, GIT_TRACE: "1", GIT_CURL_VERBOSE: "1", GIT_TRACE_CURL: "1", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
  return { ended: new Promise((resolve) => child.on("close", (code) => resolve({ code, output }))) };
};

const echo =
  (status: number) =>
  (request: IncomingMessage, response: ServerResponse): boolean => {
    const header = request.headers.authorization;
    if (request.url?.includes("/api/v3/")) return false;
    if (header === undefined) response.writeHead(401, { "www-authenticate": "Basic" }).end();
    else {
      const plain = Buffer.from(header.replace(/^Basic /, ""), "base64").toString();
      response.writeHead(status, { "content-type": "text/plain" });
      response.end(`No, ${plain} (${encodeURIComponent(plain.split(":")[1] ?? "")}, ${header})\n`);
    }
    return true;
  };

const breakOff = (request: IncomingMessage): boolean => {
  if (request.url?.includes("/api/v3/")) return false;
  request.socket.destroy();
  return true;
};

interface Failure {
  readonly name: string;
  readonly prepare: () => void;
  readonly url?: string;
  /** What must be in the output, so that it is this failure that is looked at. */
  readonly shows: RegExp;
}

const failures: readonly Failure[] = [
  { name: "401 that echoes it", prepare: () => (answer = echo(401)), shows: /Authentication failed/ },
  {
    name: "403 that echoes it",
    prepare: () => (answer = echo(403)),
    shows: /No, x-access-token:\*\*\* \(\*\*\*/,
  },
  {
    name: "no such host",
    prepare: () => undefined,
    url: "https://arcflux.invalid/fleet.git",
    shows: /kind: 'unreachable'/,
  },
  {
    name: "a hook that refuses and prints what it has",
    prepare: () => shop.writeHook(repository, "pre-receive", "env >&2; exit 1"),
    shows: /kind: 'refused'/,
  },
  {
    name: "a lost race",
    // Someone else's commit arrives while ours is looked at, each time.
    prepare: () =>
      shop.writeHook(
        repository,
        "pre-receive",
        `unset GIT_QUARANTINE_PATH GIT_OBJECT_DIRECTORY GIT_ALTERNATE_OBJECT_DIRECTORIES\n` +
          `git update-ref refs/heads/main $(git -c user.name=a -c user.email=b@c commit-tree -p main -m x main^{tree})`,
      ),
    shows: /kind: 'race'/,
  },
  {
    name: "a push that takes too long",
    prepare: () => shop.writeHook(repository, "pre-receive", "exec sleep 30"),
    shows: /kind: 'timeout'/,
  },
  {
    name: "a connection that breaks off, each time",
    prepare: () => (answer = breakOff),
    shows: /kind: 'busy'/,
  },
];

describe.each(sources)("after each kind of failure, no form of the secret of $name", ({ env, forms }) => {
  it.each(failures)("shows anywhere: $name", async ({ prepare, url, shows }) => {
    prepare();
    const { output } = await run(
      { ...env(), ...beside() },
      url ?? `${host.url}/fleet.git`,
      shows.source.includes("timeout") ? 700 : undefined,
    ).ended;
    expect(output).toMatch(shows);
    for (const form of [...forms(), ...lines(sshKey)]) expect(output).not.toContain(form);
    expect(readdirSync(shop.tempRoot)).toEqual([]);
    expect(readdirSync(shop.home).filter((name) => name !== ".cache")).toEqual([]);
  });

  it("shows in the process list, in a temporary file or in the repository during a slow push", async () => {
    shop.writeHook(repository, "pre-receive", `echo 1 > ${shop.folder}/pushing; sleep 1`);
    const { ended } = run({ ...env(), ...beside() }, `${host.url}/fleet.git`);
    await shop.waitFor("pushing");
    const processes = (await commandLines()).filter((line) => /git|ssh|gpg/.test(line));
    const files = readdirSync(shop.tempRoot, { recursive: true, withFileTypes: true })
      .filter((file) => file.isFile())
      .map((file) => readFileSync(join(file.parentPath, file.name), "latin1"));
    const { code, output } = await ended;
    writeFileSync(join(shop.folder, "pushing"), "");
    expect({ code, output: code === 0 ? "" : output }).toEqual({ code: 0, output: "" });
    expect(processes.some((line) => line.includes("push"))).toBe(true);
    expect(files.length).toBeGreaterThan(3);
    const commit = shop.git(repository, "cat-file", "-p", "main");
    const config = readFileSync(join(repository, "config"), "utf8");
    for (const form of [...forms(), ...lines(sshKey)]) {
      for (const text of [...processes, ...files, commit, config, output]) expect(text).not.toContain(form);
    }
  });
});
