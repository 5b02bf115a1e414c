import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, expect, it } from "vitest";
import { subscriptionId } from "../../lab/azure/armId.ts";
import type { ArmServer } from "../../lab/azure/http/startArm.ts";
import { startArm } from "../../lab/azure/http/startArm.ts";
import { publicKey } from "./azureFixtures.ts";

/* What a client sees of the lab's Azure on the wire, beside what Azure's own clients show (azureClients.spec.ts). */

let dir: string;
let arm: ArmServer;
const log: string[] = [];

beforeEach(async () => {
  dir = mkdtempSync(path.join(tmpdir(), "arcflux-lab-"));
  arm = await startArm({ dir, pageSize: 3, log: (line) => log.push(line) });
});
afterEach(async () => {
  log.splice(0);
  await arm.close();
  rmSync(dir, { recursive: true, force: true });
});

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: { readonly error?: { readonly code: string; readonly message: string } } & Record<
    string,
    unknown
  >;
}

async function ask(method: string, target: string, body?: string, token = "Bearer any"): Promise<Answer> {
  const url = target.startsWith("http") ? target : `${arm.url}${target}`;
  const headers = { ...(token !== "" && { authorization: token }) };
  const response = await fetch(url, { method, headers, ...(body !== undefined && { body }) });
  const text = await response.text();
  const parsed = text === "" ? {} : (JSON.parse(text) as Answer["body"]);
  return { status: response.status, headers: response.headers, body: parsed };
}

const group = `/subscriptions/${subscriptionId}/resourceGroups/rg-edge`;
const clusters = `${group}/providers/Microsoft.Kubernetes/connectedClusters`;
const newest = "?api-version=2024-02-01-preview";
const key = publicKey(4096);
const cluster = (properties = {}) =>
  JSON.stringify({
    location: "westeurope",
    identity: { type: "SystemAssigned" },
    properties: { agentPublicKeyCertificate: key, ...properties },
  });

it("refuses a request without a token, and one whose token is none", async () => {
  for (const token of ["", "Bearer", "Basic YTpi"]) {
    const { status, headers, body } = await ask("GET", `${clusters}${newest}`, undefined, token);
    expect(status).toBe(401);
    expect(body.error?.code).toBe("AuthenticationFailed");
    expect(headers.get("www-authenticate")).toMatch(/^Bearer /);
  }
});

it("writes no token and no body to its log", async () => {
  await ask("PUT", `${clusters}/edge-0${newest}`, cluster({ note: "s3cr3t" }), "Bearer t0ken");
  expect(log).toEqual([`PUT ${clusters}/edge-0 201`]);
});

it.each([
  ["connectedClusters/edge-0", "2020-01-01", "2021-10-01, 2024-02-01-preview"],
  [
    "connectedClusters/edge-0/providers/Microsoft.KubernetesConfiguration/extensions/flux",
    "2021-10-01",
    "2023-05-01",
  ],
  ["connectedClusters", "now", "2021-10-01, 2024-02-01-preview"],
])("refuses another version for %s, and names those there are", async (place, version, supported) => {
  const address = `${group}/providers/Microsoft.Kubernetes/${place}`;
  const { status, body } = await ask("GET", `${address}?api-version=${version}`);
  expect(status).toBe(400);
  expect(body.error).toEqual({
    code: "InvalidApiVersionParameter",
    message: `The api-version '${version}' is invalid. The supported versions are '${supported}'.`,
  });
  expect((await ask("GET", address)).body.error?.code).toBe("MissingApiVersionParameter");
});

it("serves a cluster in the shape of the version that is asked for", async () => {
  const made = await ask("PUT", `${clusters}/edge-0${newest}`, cluster({ privateLinkState: "Enabled" }));
  expect(made.body["properties"]).toMatchObject({
    privateLinkState: "Enabled",
    provisioningState: "Accepted",
  });
  const old = await ask("GET", `${clusters}/edge-0?api-version=2021-10-01`);
  expect(old.body["properties"]).toMatchObject({ distribution: "generic", provisioningState: "Succeeded" });
  expect(old.body["properties"]).not.toHaveProperty("privateLinkState");
});

it("an update is answered with 200, what is not there to delete with 204", async () => {
  expect((await ask("PUT", `${clusters}/edge-0${newest}`, cluster())).status).toBe(201);
  await expect
    .poll(async () => (await ask("PUT", `${clusters}/EDGE-0${newest}`, cluster())).status)
    .toBe(200);
  expect((await ask("DELETE", `${clusters}/edge-1${newest}`)).status).toBe(204);
});

it("deletes a cluster over the address in Location: 202 at first, 204 in the end", async () => {
  await ask("PUT", `${clusters}/edge-0${newest}`, cluster());
  const begun = await ask("DELETE", `${clusters}/edge-0${newest}`);
  expect(begun.status).toBe(202);
  expect(begun.headers.get("azure-asyncoperation")).toBeNull();
  const location = begun.headers.get("location") ?? "";
  expect(location).toContain("/providers/Microsoft.Kubernetes/locations/westeurope/operationresults/");
  expect((await ask("GET", location)).status).toBe(204);
});

it("lists page by page, each item once, also when one comes between two pages", async () => {
  for (const name of ["b", "d", "f", "h"]) await ask("PUT", `${clusters}/${name}${newest}`, cluster());
  const first = await ask("GET", `${clusters}${newest}`);
  await ask("PUT", `${clusters}/c${newest}`, cluster());
  const second = await ask("GET", String(first.body["nextLink"]));
  const names = ({ body }: Answer) => (body["value"] as { name: string }[]).map(({ name }) => name);
  expect([names(first), names(second)]).toEqual([["b", "d", "f"], ["h"]]);
  expect(second.body).not.toHaveProperty("nextLink");
  expect((await ask("GET", `${clusters}${newest}&$skiptoken=x!`)).body.error?.code).toBe("InvalidSkipToken");
});

it("lists resource groups, and nothing below a cluster that is not there", async () => {
  await ask("PUT", `${group}?api-version=2024-03-01`, JSON.stringify({ location: "westeurope" }));
  const groups = await ask("GET", `/subscriptions/${subscriptionId}/resourcegroups?api-version=2024-03-01`);
  expect(groups.body["value"]).toMatchObject([{ name: "rg-edge", location: "westeurope" }]);
  const below = `${clusters}/gone/providers/Microsoft.KubernetesConfiguration/extensions?api-version=2023-05-01`;
  expect((await ask("GET", below)).status).toBe(404);
});

it.each([
  ["no JSON", "{", 400, "InvalidRequestContent"],
  ["a list", "[]", 400, "InvalidRequestContent"],
  [
    "many levels",
    `{"tags":${'{"s3cr3t":'.repeat(30_000)}1${"}".repeat(30_000)}}`,
    400,
    "InvalidRequestContent",
  ],
  ["more than 4 MiB", `{"a":"${"s3cr3t".repeat(800_000)}"}`, 413, "RequestContentTooLarge"],
])("refuses a body of %s and shows nothing of it", async (_what, body, status, code) => {
  const refused = await ask("PUT", `${clusters}/edge-0${newest}`, body);
  expect(refused.status).toBe(status);
  expect(refused.body.error?.code).toBe(code);
  expect(JSON.stringify(refused.body)).not.toContain("s3cr3t");
});

it.each([
  ["/subscriptions/11111111-0000-4000-8000-00000000a2cf/resourceGroups", 404, "SubscriptionNotFound"],
  [`/subscriptions/${subscriptionId}/providers/Microsoft.Compute/virtualMachines`, 400, "InvalidResourceId"],
  [`${clusters}/edge-0/providers/Microsoft.KubernetesConfiguration/extensions/%zz`, 400, "InvalidRequestUri"],
  [`${clusters}/${"a".repeat(201)}`, 400, "InvalidResourceName"],
  [`/subscriptions/${subscriptionId}/resourceGroups/${"a".repeat(300)}`, 400, "InvalidResourceName"],
  [
    `${clusters}/edge-0/providers/Microsoft.KubernetesConfiguration/extensions/${"a".repeat(240)}`,
    ...([400, "InvalidResourceName"] as const),
  ],
  [`/subscriptions/${subscriptionId}/operationresults/none`, 404, "OperationNotFound"],
])("refuses %s", async (place, status, code) => {
  const version = place.includes("extensions")
    ? "2023-05-01"
    : place.includes("connectedClusters")
      ? "2024-02-01-preview"
      : "2024-03-01";
  const refused = await ask("GET", `${place}?api-version=${version}`);
  expect([refused.status, refused.body.error?.code]).toEqual([status, code]);
});

it("refuses methods that a place does not have", async () => {
  expect((await ask("POST", `${clusters}/edge-0${newest}`, "{}")).status).toBe(405);
  expect((await ask("PUT", `${clusters}${newest}`, "{}")).status).toBe(405);
});

it("answers any path with JSON and a status that is no failure of its own", async () => {
  const segment = fc.oneof(
    fc.constantFrom(
      "subscriptions",
      subscriptionId,
      "resourceGroups",
      "providers",
      "..",
      "",
      "%2e%2e",
      "%00",
    ),
    fc.constantFrom(
      "Microsoft.Kubernetes",
      "connectedClusters",
      "Microsoft.KubernetesConfiguration",
      "operations",
    ),
    fc.string({ maxLength: 8 }).map(encodeURIComponent),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(segment, { maxLength: 12 }), async (segments) => {
      const { status } = await ask("GET", `/${segments.join("/")}?api-version=2024-02-01-preview`);
      expect(status).toBeLessThan(500);
    }),
    { numRuns: 200 },
  );
});
