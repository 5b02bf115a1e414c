import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";

import { mustRun } from "../../lab/run.ts";
import { LabStack } from "../../lab/stack.ts";
import { makeAgeKeyPair } from "../../values/ageKey.ts";
import { arcflux } from "../cli/process.ts";
import { openSecret } from "../secrets/open.ts";
import { commandLines } from "../support/processes.ts";
import { expectCode, filesBelow, startTestLab, type TestLab } from "../support/lab.ts";

/* Secrets that an update encrypts into the folders of clusters, and creates where it reaches one. */

const canary = "canary-Zx81/+hunter2";
const second = "canary-rotated-55";
const sealingKey = "8V1yQ0q1nq3b5x7TtP2mJ6cZ0aKfWuLsEoRgHdYiXvM=";
const file = "clusters/a/secrets/till-api.yaml";
const a = makeAgeKeyPair();
const b = makeAgeKeyPair();
/** Of the device that takes the place of a. */
const c = makeAgeKeyPair();

const fleet = ({ recipientOfA = a.recipient, recipientOfB = "", secrets = true, removed = "" } = {}) =>
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
          '  direct: { deliver: pulumi, namespace: pos, match: { reach: "yes" }, keys: { pin: { env: DIRECT_PIN } } }',
        ]
      : []),
    removed,
    "sets:",
    "  till: { path: ./apps/till, postBuild: { substituteFrom: [{ kind: Secret, name: vars, optional: true }, { kind: Secret, name: vars }] } }",
    "clusters:",
    `  a: { labels: { kind: store, reach: "yes" }, kubeconfig: { context: a }, recipient: ${recipientOfA}, sets: { till: {} } }`,
    `  b: { labels: { kind: store }, ${recipientOfB} sets: { till: {} } }`,
    "",
  ].join("\n");

let test: TestLab;
let stack: LabStack;
let said = "";
/** Without the engine's own debug log. */
let shown = "";

beforeAll(async () => {
  test = await startTestLab({ assumeClusters: true });
  stack = await LabStack.init(test.lab, "secrets", fleet());
});
afterAll(() => test.stop());

/** Another value for what goes by Pulumi itself. */
const pinOf = (user: string): string => [...user].reverse().join("");
const environment = (user: string) => ({ TILL_USER: user, DIRECT_PIN: pinOf(user) });

/** Command lines that were seen on this machine while an update ran. */
const seen = new Set<string>();

const up = async (text: string, user = "canary-user") => {
  await stack.writeFleet(text);
  const args = ["up", "--yes", "--skip-preview", "--stack", stack.name, "--verbose", "9", "--logtostderr"];
  let isOver = false;
  const watching = (async () => {
    for (; !isOver; await sleep(100)) for (const line of await commandLines()) seen.add(line);
  })();
  const ran = await stack.pulumi(args, undefined, environment(user));
  isOver = true;
  await watching;
  said += ran.stdout + ran.stderr;
  shown += ran.stdout;
  return ran;
};
/** The Secret that Pulumi made, as the cluster that it reaches has it. */
const direct = async () =>
  JSON.parse(
    await readFile(join(test.lab.dir, "kubernetes", "a", "pos", "secret.direct.json"), "utf8"),
  ) as Record<string, Record<string, unknown>>;
const committed = async () => Object.keys(await test.repository.files());

it("stops before anything is registered, with all that is missing", async () => {
  const ran = await up(fleet(), "");
  expect(ran.code).not.toBe(0);
  const text = ran.stdout + ran.stderr;
  expect(text).toContain("arcflux:sealingKey is missing");
  expect(text).toContain("till-api of a, till-api of b: variable TILL_USER is missing or empty");
  expect(text).toContain("pulumi config set --secret arcflux:till-token");
  expect(await committed()).not.toContain(file);
});

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
  // Where Pulumi reaches the cluster it creates the Secret there, and nothing of it is in Git.
  expect(await direct()).toMatchObject({ metadata: { name: "direct", namespace: "pos" }, data: "[secret]" });
  expect((await committed()).filter((path) => path.includes("direct"))).toEqual([]);
  expect(await test.repository.show("clusters/b/flux/till.yaml")).toContain(
    "dependsOn:\n    - name: secrets\n",
  );
  expect(await test.repository.show("clusters/a/flux/arcflux-inventory.json").catch(() => "")).toBeDefined();
});

it("writes a file anew only where its values or recipients change", async () => {
  const before = await test.repository.commits();
  const again = expectCode(await up(fleet()), 0);
  expect(again.stdout).toMatch(/Resources:\n {4}\d+ unchanged\n/);
  expect(await test.repository.commits()).toEqual(before);
  const [was, vars] = [
    await test.repository.show(file),
    await test.repository.show("clusters/a/secrets/vars.yaml"),
  ];
  const version = (await direct())["metadata"]?.["annotations"];
  expectCode(await up(fleet({ recipientOfB: `recipient: ${b.recipient},` }), second), 0);
  expect((await direct())["metadata"]?.["annotations"]).not.toEqual(version);
  expect(await test.repository.show(file)).not.toBe(was);
  expect(await test.repository.show("clusters/a/secrets/vars.yaml")).toBe(vars);
  const ofB = await test.repository.show(file.replace("/a/", "/b/"));
  expect(openSecret(ofB, b.identity)).toEqual({ token: canary, user: second });
});

it("a device with another key has all its secrets by one update, and the old key opens none of them", async () => {
  const both = { recipientOfB: `recipient: ${b.recipient},` };
  expectCode(await up(fleet({ ...both, recipientOfA: c.recipient }), second), 0);
  for (const [path, values] of [
    [file, { token: canary, user: second }],
    ["clusters/a/secrets/vars.yaml", { pin: canary }],
  ] as const) {
    const text = await test.repository.show(path);
    expect(openSecret(text, c.identity)).toEqual(values);
    expect(() => openSecret(text, a.identity)).toThrow();
  }
  expectCode(await up(fleet(both), second), 0);
});

it("preview, validate --repo and update find the same wrong with secrets", async () => {
  // Nobody brings what the set needs.
  const text = fleet({ recipientOfB: `recipient: ${b.recipient},` })
    .replace("name: vars, optional", "name: nobody, optional")
    .replace("name: vars }", "name: nobody }");
  await stack.writeFleet(text);
  const env = environment(second);
  const preview = await stack.pulumi(["preview", "--stack", stack.name], undefined, env);
  const validate = await arcflux(
    ["validate", "--repo", test.lab.repositoryUrl, stack.fleetFile],
    test.lab.dir,
    { env: test.env },
  );
  const update = await up(text, second);
  shown += preview.stdout + preview.stderr + validate.out + validate.err;
  const findings = [
    preview.stdout + preview.stderr,
    validate.out + validate.err,
    update.stdout + update.stderr,
  ].map((words) => [...new Set(words.match(/sets\.till[^\n]*nobody[^\n]*?\[undelivered-secret\]/g) ?? [])]);
  expect(findings[0]).toHaveLength(1);
  expect(findings[1]).toEqual(findings[0]);
  expect(findings[2]).toEqual(findings[0]);
  expectCode(await up(fleet({ recipientOfB: `recipient: ${b.recipient},` }), second), 0);
});

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
});

it("leaves no value in any output, log, state, file or commit", async () => {
  const state = await stack.must(["stack", "export", "--stack", stack.name]);
  // Every object that Git has or had, unpacked.
  const objects = await mustRun(
    "git",
    ["-C", test.lab.gitDir, "cat-file", "--batch-all-objects", "--batch", "--buffer"],
    {
      ...{ cwd: test.lab.dir, env: test.env },
    },
  );
  expect(objects).toContain("clusters/a");
  expect([...seen].join("\n")).toContain("pulumi");
  const places = new Map([
    ["git", Buffer.from(objects)],
    ["argv", Buffer.from([...seen].join("\n"))],
    ...(await filesBelow(test.lab.dir)),
    ["state", Buffer.from(state)],
    ["said", Buffer.from(said)],
  ]);
  const hunt = (secrets: readonly string[], where: ReadonlyMap<string, Buffer>): void => {
    for (const secret of secrets)
      for (const form of [secret, Buffer.from(secret).toString("base64"), encodeURIComponent(secret)])
        for (const [path, bytes] of where)
          expect(bytes.includes(form), `${path} holds ${secret}`).toBe(false);
  };
  hunt([canary, second, "canary-user", sealingKey, a.identity, b.identity, c.identity], places);
  // The engine's debug log, which one asks for, shows what Pulumi itself sends to a cluster.
  places.delete("said");
  hunt([pinOf("canary-user"), pinOf(second)], places.set("shown", Buffer.from(shown)));
});
