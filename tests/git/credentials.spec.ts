import { createPublicKey, generateKeyPairSync, verify } from "node:crypto";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { deliverFiles, writeFiles } from "../../git/index.ts";
import type { GitContext, WriteResult } from "../../git/index.ts";
import { hasOpenssl, makeCertificates } from "../support/certificates.ts";
import { startConnectProxy } from "../support/connectProxy.ts";
import { type Overrides, writeRequest } from "../support/gitRequest.ts";
import { GitWorkshop } from "../support/gitWorkshop.ts";
import { azureDevOps } from "../support/hosts/azureDevOps.ts";
import { GitHost } from "../support/hosts/gitHost.ts";
import type { GitHostOptions } from "../support/hosts/gitHost.ts";
import type { Rest } from "../support/hosts/rest.ts";

let shop: GitWorkshop;
let repository: string;
let server: GitHost | undefined;
beforeEach(async () => {
  shop = new GitWorkshop();
  repository = await shop.repository({ "README.md": "read me\n" });
});
afterEach(async () => {
  await server?.close();
  server = undefined;
  shop.remove();
});

const start = async (rest: Rest, tokens: string[], more: Partial<GitHostOptions> = {}): Promise<GitHost> =>
  (server = await GitHost.start({ shop, repository, rest, tokens, ...more }));
const context = (env: NodeJS.ProcessEnv, more: Partial<GitContext> = {}): GitContext => ({
  env: { ...shop.env, ...env },
  tempRoot: shop.tempRoot,
  cacheRoot: `${shop.folder}/cache`,
  ...more,
});
const write = (
  env: NodeJS.ProcessEnv,
  more: Overrides = {},
  of?: Partial<GitContext>,
): Promise<WriteResult> =>
  writeFiles(writeRequest({ url: `${server?.url ?? ""}/fleet.git`, ...more }), context(env, of));
const none: Rest = () => undefined;

describe("a token from a file", () => {
  it("is read at each use, and its final newline is not part of it", async () => {
    await start(none, ["one"]);
    const file = join(shop.folder, "token");
    writeFileSync(file, "one\n");
    const { blobs } = await write({ ARCFLUX_GIT_TOKEN_FILE: file });
    server?.tokens.clear();
    server?.tokens.add("two");
    writeFileSync(file, "two\n");
    const next = await write({ ARCFLUX_GIT_TOKEN_FILE: file }, { owned: blobs, files: {} });
    expect(next.kind).toBe("committed");
  });

  it("B13: that expires between fetch and push is read once more, and the push made again", async () => {
    await start(none, ["one"]);
    const file = join(shop.folder, "token");
    writeFileSync(file, "one\n");
    const alive = (): boolean => {
      server?.tokens.clear();
      server?.tokens.add("two");
      writeFileSync(file, "two\n");
      return true;
    };
    const result = await write({ ARCFLUX_GIT_TOKEN_FILE: file }, {}, { alive });
    expect(result).toMatchObject({ kind: "committed", attempts: 1 });
    expect(shop.log(repository)).toHaveLength(2);
  });

  it("B13: that stays expired ends in an authentication error", async () => {
    await start(none, ["one"]);
    const file = join(shop.folder, "token");
    writeFileSync(file, "one\n");
    const alive = (): boolean => server?.tokens.delete("one") !== undefined;
    await expect(write({ ARCFLUX_GIT_TOKEN_FILE: file }, {}, { alive })).rejects.toMatchObject({
      kind: "authentication",
      message: expect.stringContaining("The token in ARCFLUX_GIT_TOKEN_FILE was not accepted") as string,
    });
    expect(shop.log(repository)).toHaveLength(1);
  });

  it("that is missing or empty is named, and nothing is tried", async () => {
    await start(none, ["one"]);
    const missing = write({ ARCFLUX_GIT_TOKEN_FILE: "/no/such/file" });
    await expect(missing).rejects.toMatchObject({
      kind: "invalid",
      message: expect.stringMatching(/ARCFLUX_GIT_TOKEN_FILE.*ENOENT.*"\/no\/such\/file"/) as string,
    });
    writeFileSync(join(shop.folder, "empty"), "\n");
    const empty = write({ ARCFLUX_GIT_TOKEN_FILE: join(shop.folder, "empty") });
    await expect(empty).rejects.toMatchObject({ kind: "invalid" });
  });
});

describe("git's own credential helpers", () => {
  it("B13: are asked again when what they gave is no longer valid", async () => {
    await start(none, ["new"]);
    // Gives an old token until it is told that it is not valid.
    const script = `cat > /dev/null; d=${shop.folder}; case $1 in erase) echo new > $d/t;; get) echo username=u; echo password=$(cat $d/t);; esac`;
    writeFileSync(join(shop.folder, "t"), "old\n");
    writeFileSync(join(shop.folder, "helper"), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    writeFileSync(join(shop.home, ".gitconfig"), `[credential]\n\thelper = ${join(shop.folder, "helper")}\n`);
    expect(await write({})).toMatchObject({ kind: "committed" });
  });
});

describe("a GitHub App", () => {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const pem = privateKey.export({ type: "pkcs1", format: "pem" }).toString();
  let issued: number;
  let lifetime: number;
  beforeEach(() => {
    issued = 0;
    lifetime = 3_600_000;
  });

  /** Checks the signature and the times, as GitHub does, and gives out ghs_1, ghs_2, … */
  const rest: Rest = ({ method, path, headers }) => {
    if (method !== "POST" || path !== "/api/v3/app/installations/42/access_tokens") return undefined;
    const [, jwt = ""] = /^Bearer (.+)$/.exec(headers["authorization"] ?? "") ?? [];
    const [head = "", body = "", signature = ""] = jwt.split(".");
    const claims = JSON.parse(Buffer.from(body, "base64url").toString() || "{}") as Record<
      string,
      number | string
    >;
    const { alg } = JSON.parse(Buffer.from(head, "base64url").toString() || "{}") as { alg?: string };
    const key = createPublicKey(publicKey.export({ type: "spki", format: "pem" }));
    const good = verify(
      "RSA-SHA256",
      Buffer.from(`${head}.${body}`),
      key,
      Buffer.from(signature, "base64url"),
    );
    const now = Date.now() / 1000;
    if (!good || alg !== "RS256" || claims["iss"] !== "7")
      return { status: 401, body: { message: "A JSON web token could not be decoded" } };
    if (Number(claims["iat"]) > now || Number(claims["exp"]) > now + 600) {
      return { status: 401, body: { message: "'Expiration time' claim ('exp') is too far in the future" } };
    }
    issued += 1;
    server?.tokens.add(`ghs_${issued}`);
    const expires_at = new Date(Date.now() + lifetime).toISOString();
    return { status: 201, body: { token: `ghs_${issued}`, expires_at } };
  };
  const app = (): NodeJS.ProcessEnv => ({
    ARCFLUX_GITHUB_APP_ID: "7",
    ARCFLUX_GITHUB_APP_INSTALLATION_ID: "42",
    ARCFLUX_GITHUB_APP_PRIVATE_KEY: pem,
    ARCFLUX_GITHUB_API_URL: `${server?.url ?? ""}/api/v3`,
  });

  it("gets a token with a signed request, and one serves several writes", async () => {
    await start(rest, []);
    const { blobs } = await write(app());
    await write(
      { ...app(), ARCFLUX_GITHUB_APP_PRIVATE_KEY: pem.replaceAll("\n", "\\n") },
      { files: {}, owned: blobs },
    );
    expect(issued).toBe(1);
    expect(shop.log(repository)).toHaveLength(3);
  });

  it("B13: gets another when the token was taken back before the push, or is about to end", async () => {
    await start(rest, []);
    lifetime = 200_000;
    const { blobs } = await write(app());
    const alive = (): boolean => {
      server?.tokens.delete("ghs_2");
      return true;
    };
    expect(await write(app(), { files: {}, owned: blobs }, { alive })).toMatchObject({ kind: "committed" });
    expect(issued).toBe(3);
  });

  it("has no say for other hosts, and its key goes nowhere", async () => {
    await start(rest, ["x"]);
    const other = { ...app(), ARCFLUX_GITHUB_API_URL: "https://github.example.com/api/v3" };
    await expect(write(other)).rejects.toMatchObject({ kind: "authentication" });
    expect(server?.calls).toEqual([]);
  });

  it.each([
    [
      "no installation",
      { ARCFLUX_GITHUB_APP_INSTALLATION_ID: "" },
      /ARCFLUX_GITHUB_APP_INSTALLATION_ID is not/,
    ],
    ["no key", { ARCFLUX_GITHUB_APP_PRIVATE_KEY: "" }, /neither ARCFLUX_GITHUB_APP_PRIVATE_KEY nor/],
    [
      "a key that is none",
      { ARCFLUX_GITHUB_APP_PRIVATE_KEY: "S3CRET\nS3CRETS3CRETS3CRET" },
      /is no RSA private key/,
    ],
  ])("with %s is an error that says what to set", async (_, change, reason) => {
    await start(rest, []);
    const error: unknown = await write({ ...app(), ...change }).catch((fault: unknown) => fault);
    expect(error).toMatchObject({ kind: "invalid", message: expect.stringMatching(reason) as string });
    expect(String(error)).not.toContain("S3CRET");
  });

  it("never follows a redirect with its token", async () => {
    const rest: Rest = ({ path }) =>
      path.startsWith("/api/v3/app")
        ? { status: 307, body: {}, headers: { location: `${server?.url ?? ""}/elsewhere` } }
        : { status: 200, body: { token: "stolen" } };
    await start(rest, []);
    await expect(write({ ...app(), ARCFLUX_GITHUB_APP_ID: "8" })).rejects.toMatchObject({
      message: expect.stringMatching(/redirected \(307\), which is not followed/) as string,
    });
    expect(server?.calls.map(({ path }) => path)).toEqual(["/api/v3/app/installations/42/access_tokens"]);
  });
});

describe.runIf(hasOpenssl)("B14: a private CA and a proxy together (needs openssl)", () => {
  const assertion = "ey.federated.assertion";
  const access = "eyJ0eXAi.YWNjZXNz.c2lnbmF0dXJl";
  /** Microsoft's token endpoint and Azure DevOps, whichever host is asked. */
  const login: Rest = (call, at) => {
    if (call.path !== "/tenant-1/oauth2/v2.0/token")
      return azureDevOps("/edge", "fleet", "fleet", "7.1")(call, at);
    const { body } = call;
    const right =
      body["grant_type"] === "client_credentials" &&
      body["client_id"] === "client-1" &&
      body["scope"] === "499b84ac-1321-427f-aa17-267ca6975798/.default" &&
      body["client_assertion_type"] === "urn:ietf:params:oauth:client-assertion-type:jwt-bearer" &&
      body["client_assertion"] === assertion;
    if (!right)
      return {
        status: 401,
        body: {
          error: "invalid_client",
          error_description: `AADSTS700211 ${body["client_assertion"] ?? ""}`,
        },
      };
    server?.tokens.add(access);
    return { status: 200, body: { token_type: "Bearer", expires_in: 3599, access_token: access } };
  };
  const names = ["dev.azure.com", "login.microsoftonline.com"];

  it("lead to Azure DevOps with a workload identity: sign-in, fetch, push and pull request", async () => {
    const { caFile, ...tls } = makeCertificates(shop.folder, names);
    await start(login, [], { tls });
    const served = join(shop.folder, "edge/_git/fleet");
    mkdirSync(dirname(served), { recursive: true });
    symlinkSync(repository, served);
    const port = server?.port ?? 0;
    const proxy = await startConnectProxy(new Map(names.map((name) => [`${name}:443`, port])));
    const file = join(shop.folder, "assertion");
    writeFileSync(file, `${assertion}\n`);
    const env = {
      HTTPS_PROXY: proxy.url,
      AZURE_FEDERATED_TOKEN_FILE: file,
      AZURE_CLIENT_ID: "client-1",
      AZURE_TENANT_ID: "tenant-1",
    };
    const url = "https://dev.azure.com/edge/_git/fleet";
    const request = writeRequest({ url, delivery: { caFile, mode: "pullRequest" } });
    try {
      const result = await deliverFiles(request, context(env));
      expect(result).toMatchObject({
        kind: "committed",
        pullRequest: { state: "open", url: "https://dev.azure.com/edge/fleet/_git/fleet/pullrequest/1" },
      });
      expect(new Set(proxy.asked)).toEqual(new Set(["login.microsoftonline.com:443", "dev.azure.com:443"]));

      // The same without the CA: refused, and no advice to look away.
      const untrusted = writeFiles({ ...request, delivery: { mode: "push" } }, context(env));
      await expect(untrusted).rejects.toMatchObject({
        kind: "unreachable",
        message: expect.stringMatching(/certificate/) as string,
      });

      writeFileSync(file, "another-assertion\n");
      const refused = deliverFiles(request, context({ ...env, AZURE_CLIENT_ID: "client-2" }));
      await expect(refused).rejects.toMatchObject({
        kind: "authentication",
        message: expect.stringMatching(/AADSTS700211 \*\*\*/) as string,
      });
    } finally {
      await proxy.close();
    }
  });
});
