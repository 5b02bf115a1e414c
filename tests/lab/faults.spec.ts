import { rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { goodFlux, goodExtension, types } from "./azureFixtures.ts";
import type { Connection } from "./providerClient.ts";
import { ProviderClient } from "./providerClient.ts";

let client: ProviderClient;
let azure: Connection;

beforeEach(async () => {
  client = await ProviderClient.startAzure({ assumeClusters: true });
  azure = client.connect();
});
afterEach(() => client.close());

const setFaults = (faults: unknown) =>
  writeFileSync(path.join(client.dir, "faults.json"), JSON.stringify(faults));
const makeExtension = (clusterName: string) =>
  azure.create(types.extension, { ...goodExtension(), clusterName });

it("fails with the message given, and only for the type, the name and the operation given", async () => {
  setFaults([
    { type: "Extension", name: "edge-1/*", operation: "create", effect: "fail", message: "out of luck" },
  ]);
  await expect(makeExtension("edge-1")).rejects.toThrow(
    'Status=500 Code="InternalServerError" Message="out of luck"',
  );
  const made = await makeExtension("edge-2");
  await azure.create(types.flux, { ...goodFlux(), clusterName: "edge-1" });
  setFaults([{ operation: "delete", effect: "conflict" }]);
  expect((await azure.read(types.extension, made.id)).id).toBe(made.id);
  await expect(azure.delete(types.extension, made)).rejects.toThrow("Another operation is in progress");
});

it("strikes as often as told, and then no more", async () => {
  setFaults([{ effect: "conflict", times: 2 }]);
  await expect(makeExtension("edge-1")).rejects.toThrow('Status=409 Code="Conflict"');
  await expect(makeExtension("edge-1")).rejects.toThrow("Another operation is in progress");
  await expect(makeExtension("edge-1")).resolves.toMatchObject({});
});

it("throttles; the provider waits and asks again, three times and no more", async () => {
  setFaults([{ effect: "throttle", times: 3, seconds: 0 }]);
  await expect(makeExtension("edge-1")).resolves.toMatchObject({});
  setFaults([{ effect: "throttle", times: 4, seconds: 0 }]);
  await expect(makeExtension("edge-2")).rejects.toThrow('Status=429 Code="TooManyRequests"');
  await expect(makeExtension("edge-2")).resolves.toMatchObject({});
});

it("matches names by a regular expression", async () => {
  setFaults([{ name: "/^edge-[13]\\//", effect: "fail" }]);
  await expect(makeExtension("edge-3")).rejects.toThrow("InternalServerError");
  await expect(makeExtension("edge-2")).resolves.toMatchObject({});
});

it("delays a call and holds up no other one", async () => {
  setFaults([{ name: "edge-1/*", effect: "slow", seconds: 0.5 }]);
  const order: string[] = [];
  await Promise.all(["edge-1", "edge-2"].map((name) => makeExtension(name).then(() => order.push(name))));
  expect(order).toEqual(["edge-2", "edge-1"]);
});

it("does nothing in a preview, nor once the file is gone", async () => {
  setFaults([{ effect: "fail" }]);
  await expect(azure.create(types.extension, goodExtension(), { preview: true })).resolves.toMatchObject({});
  rmSync(path.join(client.dir, "faults.json"));
  await expect(makeExtension("edge-1")).resolves.toMatchObject({});
});

it.each(["/[/", "/(/", "/a{2,1}/"])("names the file when %s is no regular expression", async (name) => {
  setFaults([{ effect: "fail" }, { name, effect: "fail" }]);
  await expect(makeExtension("edge-1")).rejects.toThrow(
    /faults\.json is not a list of faults[\s\S]*no regular expression[\s\S]*\[1\]\.name/,
  );
});

it("says so when the file is not understood", async () => {
  setFaults([{ effect: "explode", when: "now" }]);
  await expect(makeExtension("edge-1")).rejects.toThrow(/is not a list of faults[\s\S]*explode|when/);
});
