import { readFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { kubernetesStandIn } from "../../lab/providers/kubernetesStandIn.ts";
import { root } from "../../lab/lab.ts";
import type { Connection, Values } from "./providerClient.ts";
import { ProviderClient, secret } from "./providerClient.ts";

let client: ProviderClient;
const type = "kubernetes:helm.sh/v3:Release";
const chart = path.join(root, "lab", "agents-chart");

beforeEach(async () => {
  client = await ProviderClient.start(kubernetesStandIn);
});
afterEach(() => client.close());

async function connect(config: Values): Promise<Connection> {
  const connection = client.connect();
  await connection.configure(config);
  return connection;
}

const release = (): Values => ({
  chart,
  name: "azure-arc",
  namespace: "azure-arc-release",
  values: { a: 1 },
});
const noted = (context: string) =>
  JSON.parse(
    readFileSync(path.join(client.dir, "kubernetes", context, "azure-arc-release", "azure-arc.json"), "utf8"),
  ) as Values;

const kubeconfig = `apiVersion: v1
kind: Config
current-context: store-7
contexts:
  - name: store-7
    context: { cluster: c, user: u }
`;

it("keeps the clusters of one process apart by their connections", async () => {
  const one = await connect({ context: "edge-0" });
  const two = await connect({ kubeconfig });
  const three = await connect({});
  await one.create(type, { ...release(), values: { who: "one" } });
  await two.create(type, { ...release(), values: { who: "two" } });
  await three.create(type, { ...release(), values: { who: "three" } });
  expect(noted("edge-0")["values"]).toEqual({ who: "one" });
  expect(noted("store-7")["values"]).toEqual({ who: "two" });
  expect(noted("default")["values"]).toEqual({ who: "three" });
});

it("notes a release without its secrets, and gives them back as secrets", async () => {
  const one = await connect({ context: "edge-0" });
  const values = {
    global: {
      onboardingPrivateKey: secret("-----BEGIN RSA PRIVATE KEY-----\nabc"),
      site: secret("hidden"),
      location: "we",
    },
    proxyPassword: "plain",
    cert: "-----BEGIN PRIVATE KEY-----",
  };
  const made = await one.create(type, { ...release(), values });
  expect(made.id).toBe("azure-arc-release/azure-arc");
  expect(made.outputs).toMatchObject({ values, status: { status: "deployed", revision: 1 } });
  expect(noted("edge-0")).toMatchObject({
    chart: "azure-arc-k8sagents",
    revision: 1,
    values: {
      global: { onboardingPrivateKey: "[secret]", site: "[secret]", location: "we" },
      proxyPassword: "[secret]",
      cert: "[secret]",
    },
  });
});

it("updates in place, refuses a name in use, and lets a release go", async () => {
  const one = await connect({ context: "edge-0" });
  const made = await one.create(type, release());
  await expect(one.create(type, release())).rejects.toThrow("cannot re-use a name that is still in use");
  await one.update(type, made, { ...release(), values: { a: 2 } });
  expect(noted("edge-0")).toMatchObject({ revision: 2, values: { a: 2 } });
  expect((await one.read(type, made.id, release(), made.outputs)).id).toBe(made.id);
  await one.delete(type, made);
  expect((await one.read(type, made.id, release(), made.outputs)).id).toBe("");
});

it.each([
  ["no chart", { chart: undefined }, "missing required property 'chart'"],
  ["a folder without chart", { chart: "/nowhere" }, "There is no chart in '/nowhere'"],
  ["a chart from the network", { chart: "oci://mcr.microsoft.com/agents" }, "The lab is offline"],
  ["a chart repository", { repositoryOpts: { repo: "https://charts.example.com" } }, "no chart repositories"],
  ["a name of 54 characters", { name: "a".repeat(54) }, "must have 1 to 53"],
  ["a namespace in capitals", { namespace: "Arc" }, "must have 1 to 63"],
  ["values that are none", { values: ["a"] }, "values must be an object"],
])("refuses a release with %s", async (_what, override, complaint) => {
  const one = await connect({});
  const inputs = Object.fromEntries(
    Object.entries({ ...release(), ...override }).filter(([, value]) => value !== undefined),
  );
  expect((await one.check(type, inputs)).failures).toEqual([expect.stringContaining(complaint)]);
});

it("refuses kinds it has not, and a kubeconfig without the context, without showing it", async () => {
  const one = await connect({});
  expect((await one.check("kubernetes:core/v1:Namespace", {})).failures[0]).toContain("not in the lab");
  await expect(connect({ kubeconfig, context: "other" })).rejects.toThrow("It has store-7");
  await expect(connect({ kubeconfig: "token: abc\n\tbroken: [" })).rejects.toThrow(
    /^(?!.*abc).*kubeconfig is not YAML/,
  );
});
