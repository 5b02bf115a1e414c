import { afterAll, beforeAll, expect, it } from "vitest";

import { LabStack } from "../../lab/stack.ts";
import { makeAgeKeyPair } from "../../values/ageKey.ts";
import { openSecret } from "../secrets/open.ts";
import { expectCode, filesBelow, startTestLab, type TestLab } from "../support/lab.ts";

/* Secrets that an update encrypts into the folders of clusters, and creates where it reaches one. */

const canary = "canary-Zx81/+hunter2";
const second = "canary-rotated-55";
const sealingKey = "8V1yQ0q1nq3b5x7TtP2mJ6cZ0aKfWuLsEoRgHdYiXvM=";
const file = "clusters/a/secrets/till-api.yaml";
const a = makeAgeKeyPair();
const b = makeAgeKeyPair();

const fleet = ({ recipientOfB = "", secrets = true, removed = "" } = {}) =>
  [
    "apiVersion: arcflux/v1",
    "repository: { url: https://git.example.com/edge/fleet.git }",
    "arc: { resourceGroup: rg-edge, location: westeurope }",
    "agents: present",
    ...(secrets
      ? [
          "secrets:",
          "  till-api: { namespace: pos, match: { kind: store }, keys: { token: { config: till-token }, user: { env: TILL_USER } } }",
          "  vars: { keys: { pin: { config: till-token } } }",
        ]
      : []),
    removed,
    "sets:",
    "  till: { path: ./apps/till, postBuild: { substituteFrom: [{ kind: Secret, name: vars, optional: true }, { kind: Secret, name: vars }] } }",
    "clusters:",
    `  a: { labels: { kind: store }, recipient: ${a.recipient}, sets: { till: {} } }`,
    `  b: { labels: { kind: store }, ${recipientOfB} sets: { till: {} } }`,
    "",
  ].join("\n");

let test: TestLab;
let stack: LabStack;
let said = "";

beforeAll(async () => {
  test = await startTestLab({ assumeClusters: true });
  stack = await LabStack.init(test.lab, "secrets", fleet());
}, 120_000);
afterAll(() => test.stop());

const up = async (text: string, user = "canary-user") => {
  await stack.writeFleet(text);
  const args = ["up", "--yes", "--skip-preview", "--stack", stack.name, "--verbose", "9", "--logtostderr"];
  const ran = await stack.pulumi(args, undefined, { TILL_USER: user });
  said += ran.stdout + ran.stderr;
  return ran;
};
const committed = async () => Object.keys(await test.repository.files());

it("stops before anything is registered, with all that is missing", async () => {
  const ran = await up(fleet(), "");
  expect(ran.code).not.toBe(0);
  const text = ran.stdout + ran.stderr;
  expect(text).toContain("arcflux:sealingKey is missing");
  expect(text).toContain("till-api of a, till-api of b: variable TILL_USER is missing or empty");
  expect(text).toContain("pulumi config set --secret arcflux:till-token");
  expect(await committed()).not.toContain(file);
}, 120_000);

it("encrypts to the key of the cluster alone; one without a key gets none, and its sets wait", async () => {
  for (const [key, value] of [
    ["sealingKey", sealingKey],
    ["till-token", canary],
  ] as const)
    await stack.must(["config", "set", "--stack", stack.name, "--secret", `arcflux:${key}`, value]);
  const ran = expectCode(await up(fleet()), 0);
  expect(ran.stdout).toContain(
    "clusters.b: has no recipient, so its secrets are not sent, and Flux holds till up (b)",
  );
  const text = await test.repository.show(file);
  expect(openSecret(text, a.identity)).toEqual({ token: canary, user: "canary-user" });
  expect(() => openSecret(text, b.identity)).toThrow();
  expect((await committed()).filter((path) => path.includes("b/secrets"))).toEqual([]);
  expect(await test.repository.show("clusters/b/flux/till.yaml")).toContain(
    "dependsOn:\n    - name: secrets\n",
  );
  expect(await test.repository.show("clusters/a/flux/arcflux-inventory.json").catch(() => "")).toBeDefined();
}, 120_000);

it("writes a file anew only where its values or recipients change", async () => {
  const before = await test.repository.commits();
  const again = expectCode(await up(fleet()), 0);
  expect(again.stdout).toMatch(/Resources:\n {4}\d+ unchanged\n/);
  expect(await test.repository.commits()).toEqual(before);
  const [was, vars] = [
    await test.repository.show(file),
    await test.repository.show("clusters/a/secrets/vars.yaml"),
  ];
  expectCode(await up(fleet({ recipientOfB: `recipient: ${b.recipient},` }), second), 0);
  expect(await test.repository.show(file)).not.toBe(was);
  expect(await test.repository.show("clusters/a/secrets/vars.yaml")).toBe(vars);
  const ofB = await test.repository.show(file.replace("/a/", "/b/"));
  expect(openSecret(ofB, b.identity)).toEqual({ token: canary, user: second });
}, 120_000);

it("asks before a secret goes", async () => {
  const without = fleet({ recipientOfB: `recipient: ${b.recipient},` }).replace(/^ {2}till-api.*\n/m, "");
  const ran = await up(without);
  expect(ran.code).not.toBe(0);
  expect(ran.stdout + ran.stderr).toContain(
    "secret till-api (also in 1 more cluster: b) goes away, and Flux deletes the Secret on the cluster. Put it back; if that is meant, add it to the list in the fleet file: `removed: [{ secret: till-api }]`",
  );
  expect(await committed()).toContain(file);
  expectCode(await up(`${without}removed: [{ secret: till-api }]\n`), 0);
  expect(await committed()).not.toContain(file);
}, 120_000);

it("leaves no value in any output, log, state, file or commit", async () => {
  const state = await stack.must(["stack", "export", "--stack", stack.name]);
  const places = new Map([
    ...(await filesBelow(test.lab.dir)),
    ["state", Buffer.from(state)],
    ["said", Buffer.from(said)],
  ]);
  for (const secret of [canary, second, "canary-user", sealingKey])
    for (const form of [secret, Buffer.from(secret).toString("base64"), encodeURIComponent(secret)])
      for (const [path, bytes] of places) expect(bytes.includes(form), `${path} holds ${secret}`).toBe(false);
}, 120_000);
