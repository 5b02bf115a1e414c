import { execFileSync, spawn } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { parse } from "yaml";
import { GitWorkshop } from "../support/gitWorkshop.ts";

const root = join(import.meta.dirname, "../..");
const example = join(root, "examples/change-approval");
const token = "change-token-4711";

/** A small stand-in of a change system: what was opened, and when it is decided. */
interface Change {
  readonly number: string;
  readonly correlation_id: string;
  readonly short_description: string;
  approval: string;
}

let shop: GitWorkshop;
let clone: string;
let server: Server;
let changes: Change[];
/** Looks until what is open is decided so. */
let decision: { looks: number; approval: string };

beforeEach(async () => {
  shop = new GitWorkshop();
  changes = [];
  decision = { looks: 2, approval: "approved" };
  server = createServer((request, response) => {
    const { searchParams, pathname } = new URL(request.url ?? "", "http://localhost");
    if (request.headers.authorization !== `Bearer ${token}` || pathname !== "/api/now/table/change_request")
      return void response.writeHead(401).end("{}");
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString()));
    request.on("end", () => {
      response.setHeader("content-type", "application/json");
      if (request.method === "POST") {
        const change = {
          number: `CHG${changes.length + 1}`,
          ...(JSON.parse(body) as Omit<Change, "number">),
        };
        changes.push(change);
        return response.end(JSON.stringify({ result: change }));
      }
      const [, commit] = /^correlation_id=(.*)$/.exec(searchParams.get("sysparm_query") ?? "") ?? [];
      const found = changes.filter((change) => change.correlation_id === commit);
      if (found.length > 0 && (decision.looks -= 1) <= 0) found[0]!.approval = decision.approval;
      response.end(JSON.stringify({ result: found }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));

  const repository = await shop.repository({ "README.md": "A fleet\n" });
  clone = join(shop.folder, "clone");
  execFileSync("git", ["clone", "-q", repository, clone], { env: shop.env });
  mkdirSync(join(clone, "examples"), { recursive: true });
  cpSync(example, join(clone, "examples/change-approval"), { recursive: true });
  save("fleet.yaml", fleetOf(repository));
  save("apps/pos/pos.yaml", config("1"));
  save("apps/lab/lab.yaml", config("1"));
  git("add", "--all");
  git("commit", "-q", "-m", "A fleet");
  git("push", "-q", "origin", "main");
  // In place of npm and npx, which would ask a registry.
  mkdirSync(join(shop.folder, "bin"));
  const program = (name: string, text: string): void =>
    writeFileSync(join(shop.folder, "bin", name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  program("npm", "exit 0");
  program("npx", `shift 2\nexec "${process.execPath}" "${root}/cli/arcflux.ts" "$@"`);
});
afterEach(async () => {
  await new Promise((resolve) => server.close(resolve));
  shop.remove();
});

const config = (value: string) =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: pos, namespace: shop }\ndata: { value: "${value}" }\n`;
const fleetOf = (url: string) => `apiVersion: arcflux/v1
repository: { url: "file://${url}" }
platform: kubernetes
sets: { pos: { path: ./apps/pos }, lab: { path: ./apps/lab } }
stages: { prod: { production: true }, lab: {} }
clusters:
  store-1: { stage: prod, kubeconfig: { context: store-1 }, sets: { pos: {} } }
  lab-1: { stage: lab, kubeconfig: { context: lab-1 }, sets: { lab: {} } }
`;

function git(...args: string[]): string {
  const person = ["-c", "user.name=Pat", "-c", "user.email=p@example.com"];
  return execFileSync("git", [...person, ...args], { cwd: clone, env: shop.env })
    .toString()
    .trim();
}

function save(path: string, text: string): void {
  mkdirSync(join(clone, path, ".."), { recursive: true });
  writeFileSync(join(clone, path), text);
}

interface Step {
  readonly if?: string;
  readonly run?: string;
}

/** Runs the steps of the workflow as a runner does, in a clone of the change; the exit code and all that was said. */
async function check(more: NodeJS.ProcessEnv = {}): Promise<{ code: number; said: string }> {
  const workflow = parse(readFileSync(join(example, "workflow.yaml"), "utf8")) as {
    jobs: { change: { steps: Step[] } };
  };
  const output = join(shop.folder, "output");
  writeFileSync(output, "");
  const env = {
    ...process.env,
    PATH: `${join(shop.folder, "bin")}:${process.env["PATH"] ?? ""}`,
    ...{ GITHUB_BASE_REF: "main", GITHUB_OUTPUT: output, COMMIT: git("rev-parse", "HEAD") },
    ...{ CHANGE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, CHANGE_TOKEN: token },
    ...{ CHANGE_INTERVAL: "0.05", CHANGE_PATIENCE: "20", ...more },
  };
  let said = "";
  for (const step of workflow.jobs.change.steps) {
    if (step.run === undefined) continue;
    if (step.if !== undefined && !readFileSync(output, "utf8").includes("needed=true")) continue;
    const child = spawn("bash", ["-e", "-o", "pipefail", "-c", step.run], { cwd: clone, env });
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk: Buffer) => (said += chunk.toString()));
    const code = await new Promise<number>((resolve) => child.on("close", (ended) => resolve(ended ?? -1)));
    if (code !== 0) return { code, said };
  }
  return { code: 0, said };
}

it("opens a change request by commit where production is reached, and waits for its approval", async () => {
  save("apps/lab/lab.yaml", config("2"));
  git("commit", "-q", "-a", "-m", "Lab alone");
  expect(await check()).toMatchObject({ code: 0 });
  expect(changes).toEqual([]);

  save("apps/pos/pos.yaml", config("2"));
  git("commit", "-q", "-a", "-m", "Reaches the tills");
  const commit = git("rev-parse", "HEAD");
  const approved = await check();
  expect(approved.said).toContain("CHG1 is approved.");
  expect([approved.code, approved.said.includes(token)]).toEqual([0, false]);
  expect(changes).toMatchObject([
    { correlation_id: commit, short_description: `prod: lab, pos at ${commit.slice(0, 10)}` },
  ]);
  // Run again it finds the same request; of another commit it opens another.
  expect((await check()).code).toBe(0);
  expect(changes).toHaveLength(1);

  git("commit", "-q", "--allow-empty", "-m", "Once more");
  decision = { looks: 2, approval: "rejected" };
  expect(await check()).toMatchObject({
    code: 1,
    said: expect.stringContaining("CHG2 is rejected.") as string,
  });
  git("commit", "-q", "--allow-empty", "-m", "And again");
  decision = { looks: 1000, approval: "approved" };
  expect(await check({ CHANGE_PATIENCE: "0" })).toMatchObject({
    code: 4,
    said: expect.stringContaining("CHG3 is not approved yet.") as string,
  });
  const refused = await check({ CHANGE_TOKEN: "another-token" });
  expect(refused).toMatchObject({ code: 1, said: expect.stringContaining("answers 401") as string });
});
