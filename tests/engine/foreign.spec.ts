import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";

import { LabStack, projectRoot } from "../../lab/stack.ts";
import { arcflux } from "../cli/process.ts";
import { expectCode, sampleFleet, startTestLab, type TestLab } from "../support/lab.ts";

/* What others change in Azure between two updates. */

const cluster =
  "/subscriptions/00000000-0000-4000-8000-00000000a2cf/resourceGroups/rg-edge/providers/Microsoft.Kubernetes/connectedClusters/edge-device-0";
const configuration = `${cluster}/providers/Microsoft.KubernetesConfiguration/fluxConfigurations/edge-config`;

const fleet = (arc = "tags: { owner: retail }", interval = "10m") =>
  sampleFleet
    .replace(".git }", ".git, access: token }")
    .replace(
      "location: westeurope }",
      `location: westeurope, ${arc} }\nbootstrap: { interval: ${interval} }`,
    );
const token = "r3ad-t0ken-of-clusters";

let test: TestLab;
let stack: LabStack;
let say: (ran: { stdout: string; stderr: string }) => string;
const arm = async (method: "GET" | "PATCH", id: string, body?: object): Promise<Record<string, never>> => {
  const version = id === cluster ? "2024-02-01-preview" : "2023-05-01";
  const answer = await fetch(`${test.env["ARCFLUX_ARM_ENDPOINT"]}${id}?api-version=${version}`, {
    method,
    headers: { authorization: "Bearer lab", "content-type": "application/json" },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(await answer.text());
  return (await answer.json()) as Record<string, never>;
};
const suspended = async (): Promise<unknown> =>
  ((await arm("GET", configuration)) as { properties?: { suspend?: boolean } }).properties?.suspend;

beforeAll(async () => {
  test = await startTestLab();
  stack = await LabStack.init(test.lab, "dev", fleet());
  say = ({ stdout, stderr }) => stdout + stderr;
  await stack.must(["config", "set", "--stack", "dev", "--secret", "arcflux:repositoryToken", token]);
  expectCode(await stack.operate("up", ["--skip-preview"]), 0);
  // A policy of the company, and somebody in an incident.
  await arm("PATCH", cluster, { tags: { owner: "retail", costCenter: "4711" } });
  await arm("PATCH", configuration, { properties: { suspend: true } });
});
afterAll(() => test.stop());

it("tags and a suspension are kept by updates that have nothing to do with them, and said", async () => {
  const preview = expectCode(await stack.operate("preview", ["--diff"]), 0);
  expect(say(preview)).toContain("edge-device-0: Flux was suspended in Azure, not by the fleet file");
  expect(say(preview)).not.toContain("costCenter");
  await stack.writeFleet(fleet("tags: { owner: retail, tier: gold }", "15m"));
  // C02: Azure is still busy with what somebody does there.
  const busy = [{ type: "FluxConfiguration", operation: "update", effect: "conflict", times: 2 }];
  await writeFile(join(test.lab.dir, "faults.json"), JSON.stringify(busy));
  const up = expectCode(await stack.operate("up", ["--skip-preview"]), 0);
  expect(say(up)).toMatch(/edge-device-0-configuration: Azure is busy .* Next try in 2 s[^]*Next try in 4 s/);
  const { tags } = await arm("GET", cluster);
  expect(tags).toEqual({ owner: "retail", tier: "gold", costCenter: "4711" });
  expect(await suspended()).toBe(true);
  for (const args of [[], ["--refresh"]]) {
    const after = expectCode(await stack.operate("preview", args), 0);
    expect(say(after)).not.toMatch(/to (update|replace|delete)/);
  }
});

it("the state holds neither the key of the agents nor the token in the clear", async () => {
  const state = await stack.must(["stack", "export", "--stack", "dev"]);
  for (const secret of [token, Buffer.from(token).toString("base64"), "PRIVATE KEY"])
    expect(state).not.toContain(secret);
  expect(state).toContain("BEGIN PUBLIC KEY");
});

it("another region is refused in the preview, with the words that keep the cluster", async () => {
  await stack.writeFleet(fleet().replace("westeurope", "northeurope"));
  const preview = await stack.operate("preview");
  expect(preview.code).not.toBe(0);
  expect(say(preview)).toMatch(
    /edge-device-0: Azure cannot move a connected cluster to another region\. Nothing was changed\. Keep it with `arc: \{ location: westeurope \}`/,
  );
});

it("where Azure cannot be asked, an update leaves alone what others may have changed, and says so", async () => {
  const refusing = createServer((_, response) => response.writeHead(403).end("{}"));
  await new Promise<void>((listening) => refusing.listen(0, "127.0.0.1", listening));
  const { port } = refusing.address() as AddressInfo;
  await stack.writeFleet(fleet("tags: { owner: it }", "30m"));
  const up = await stack.pulumi(["up", "--yes", "--skip-preview", "--stack", "dev"], undefined, {
    ARCFLUX_ARM_ENDPOINT: `http://127.0.0.1:${port}`,
  });
  refusing.close();
  expect(expectCode(up, 0).stdout).toMatch(/could not be asked what others changed at edge-device-0/);
  const kept = { owner: "retail", tier: "gold", costCenter: "4711" };
  expect((await arm("GET", cluster))["tags"]).toEqual(kept);
  expect(await suspended()).toBe(true);
  // What was left is sent once somebody could look: a tag that left the fleet file goes, a resumption in Azure is followed.
  await arm("PATCH", configuration, { properties: { suspend: false } });
  expectCode(await stack.operate("up", ["--skip-preview"]), 0);
  expect((await arm("GET", cluster))["tags"]).toEqual({ owner: "it", costCenter: "4711" });
  expect(await suspended()).toBe(false);
});

it("credentials that did not arrive within 48 hours are sent again, though nothing changed", async () => {
  const withToken = fleet("tags: { owner: retail, tier: gold }", "15m")
    .replace("access: token }", 'access: token, credentials: { env: "TOKEN_{site}" } }')
    .replace("    variables:", "    attributes: { site: north }\n    variables:");
  await stack.writeFleet(withToken);
  const operate = (command: string[], token: string) =>
    stack.pulumi([...command, "--stack", "dev"], undefined, token === "" ? {} : { TOKEN_north: token });
  const status = () =>
    arcflux(["status", "--credentials", "--stack", "dev", stack.fleetFile], projectRoot, { env: test.env });
  const missing = await operate(["preview"], "");
  expect(say(missing)).toContain("edge-device-0: variable TOKEN_north is missing or empty");
  const up = ["up", "--yes", "--skip-preview"];
  expectCode(await operate(up, "one-1111"), 0);
  expectCode(await operate(up, "two-2222"), 0);

  // It was away since before that: Azure has told it nothing.
  const file = join(
    test.lab.dir,
    "azure",
    "rg-edge",
    "edge-device-0",
    "fluxConfigurations",
    "edge-config.json",
  );
  const days = (count: number): string => new Date(Date.now() - count * 86_400_000).toISOString();
  const stored = JSON.parse(await readFile(file, "utf8")) as {
    properties: Record<string, unknown>;
    systemData: Record<string, unknown>;
  };
  stored.systemData["lastModifiedAt"] = days(3);
  stored.properties["statusUpdatedAt"] = days(4);
  await writeFile(file, JSON.stringify(stored));
  expectCode(await operate(["refresh", "--yes", "--skip-preview"], "two-2222"), 0);
  expectCode(await operate(up, "two-2222"), 0);
  const preview = expectCode(await operate(["preview", "--diff"], "two-2222"), 0);
  const hash = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 8);
  expect(say(preview)).toMatch(
    /edge-device-0: what was sent last \(\d{4}-\d\d-\d\d\) did not arrive within 48 hours.*The next update sends it again/,
  );
  expect(say(preview)).toContain(
    `edge-device-0: credential ${hash("two-2222")}, sent ${days(3).slice(0, 10)}, has not arrived. Keep ${hash("one-1111")} valid`,
  );
  const asked = await status();
  expect([asked.code, asked.err]).toEqual([
    4,
    expect.stringContaining(`Keep ${hash("one-1111")} valid at the Git host until it has.`),
  ]);
  expect(asked.err).toMatch(/edge-device-0: what was sent last .* Azure dropped it, credentials too\./);
  expectCode(await operate(up, "two-2222"), 0);
  const sent = JSON.parse(await readFile(file, "utf8")) as typeof stored & {
    lab: { protectedKeys: string[] };
  };
  expect(Date.parse(String(sent.systemData["lastModifiedAt"]))).toBeGreaterThan(Date.now() - 120_000);
  expect(sent.lab.protectedKeys).toEqual(["httpsKey"]);
  // All of it goes again, and what Azure has of it means the same.
  const { reconciliationWaitDuration, ...rest } = sent.properties;
  expect([reconciliationWaitDuration, rest]).toEqual(["PT1M", stored.properties]);

  // Now it answers: the old one may be revoked, and nothing is sent any more.
  await writeFile(
    file,
    JSON.stringify({ ...sent, properties: { ...sent.properties, statusUpdatedAt: days(-1) } }),
  );
  expectCode(await operate(up, "two-2222"), 0);
  const after = expectCode(await operate(["preview", "--expect-no-changes"], "two-2222"), 0);
  expect(say(after)).not.toMatch(/arrive/);
  const { err, code } = await status();
  expect([code, err]).toEqual([0, ""]);
  const state = await stack.must(["stack", "export", "--stack", "dev"]);
  for (const token of ["one-1111", "two-2222"])
    for (const text of [token, Buffer.from(token).toString("base64")]) expect(state).not.toContain(text);
});

it("suspend stops the configuration in Azure, and preview says so; all goes in the order that Azure needs", async () => {
  const stopped = `${fleet("tags: { owner: it }", "30m")}    suspend: { reason: INC-4711 }\n`;
  await stack.writeFleet(stopped);
  const up = expectCode(await stack.operate("up", ["--skip-preview"]), 0);
  expect(say(up)).toContain("edge-device-0 is suspended (INC-4711): bootstrap and sources fetch nothing new");
  expect(await suspended()).toBe(true);
  const { stdout } = expectCode(await stack.operate("destroy", ["--skip-preview"]), 0);
  const order = [":FluxConfiguration", ":Extension", "helm.sh/v3:Release", ":ConnectedCluster"];
  const deleted = stdout.split("\n").filter((line) => /deleted/.test(line));
  const at = order.map((type) => deleted.findIndex((line) => line.includes(type)));
  expect(at.every((line) => line >= 0)).toBe(true);
  expect(at).toEqual(at.toSorted((a, b) => a - b));
  const files = deleted.findIndex((line) => line.includes(":GitFiles"));
  expect(files).toBeGreaterThan(at[0] ?? 0);
});
