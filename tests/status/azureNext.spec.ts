import { azureAccess } from "../../status/ask/azureAccess.ts";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { azureRefusals } from "../../existing/index.ts";
import { azureNext } from "../../status/index.ts";
import { arcflux } from "../cli/process.ts";

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), "arcflux-azure-"));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

const named = (name: string, message = "", more: object = {}) =>
  Object.assign(new Error(message), { name, ...more });

it("to sign in is the advice where that lacks, and not where Azure cannot be reached", async () => {
  const [signIn, network] = [/^Sign in/, /^Check the network/];
  expect(azureNext(named("AggregateAuthenticationError", "no credential"))).toMatch(signIn);
  expect(azureNext(named("CredentialUnavailableError", "Please run 'az login'"))).toMatch(signIn);
  expect(azureNext(named("RestError", "expired", { statusCode: 401 }))).toMatch(signIn);
  expect(azureNext(named("RestError", "no right", { statusCode: 403 }))).toMatch(/Reader/);
  expect(azureNext(named("AuthenticationError", "getaddrinfo ENOTFOUND login.example.com"))).toMatch(network);
  expect(azureNext(named("AbortError"))).toMatch(network);
  await writeFile(
    path.join(dir, "fleet.yaml"),
    `apiVersion: arcflux/v1
repository: { url: https://git.example.com/edge/fleet.git }
arc: { resourceGroup: rg-edge, location: westeurope }
clusters: { edge: { agents: present, sets: { pos: { path: ./apps/pos } } } }
`,
  );
  const { code, out, err } = await arcflux(["existing"], dir, {
    env: { ARCFLUX_ARM_ENDPOINT: "http://127.0.0.1:9" },
  });
  expect([code, out]).toEqual([1, ""]);
  expect(err).toMatch(
    /^Azure could not be asked: .*ECONNREFUSED.* Check the network, proxy and ARCFLUX_ARM_/,
  );
}, 120_000);

it("what takes Flux over is a command that is there", () => {
  const found = { arcId: "/x", extension: { id: "/x/flux", name: "flux" } } as never;
  expect(azureRefusals(new Map([["edge", found]]), () => false)).toEqual([
    expect.stringContaining(
      "Write `adopt: true` to take it over, or do so by hand: `npm run --silent arcflux -- existing > existing.json`",
    ),
  ]);
});

it("asks the cloud that Pulumi's provider is told of, unless an endpoint is named", async () => {
  const at = async (env: NodeJS.ProcessEnv) => (await azureAccess(env)).endpoint;
  expect(await at({ ARM_ENVIRONMENT: "USGovernment" })).toBe("https://management.usgovcloudapi.net");
  expect(await at({ ARM_ENVIRONMENT: "public" })).toBeUndefined();
  expect(await at({ ARM_ENVIRONMENT: "china", ARCFLUX_ARM_ENDPOINT: "http://127.0.0.1:1" })).toBe(
    "http://127.0.0.1:1",
  );
});
