import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type AddressInfo, type Server } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { isAlive } from "../../lab/endWithParent.ts";
import { root } from "../../lab/lab.ts";
import { processesNaming, within } from "./labProcess.ts";

/* Children whose parent is gone before they can look for it: they never see another parent take its place. */

let dir: string;
const started: number[] = [];
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), "arcflux-lab-"));
});
afterEach(() => {
  for (const pid of started.splice(0)) if (isAlive(pid)) process.kill(pid, "SIGKILL");
  rmSync(dir, { recursive: true, force: true });
});

/** Runs a script that starts a child, prints its id, and is gone at once. */
async function orphanOf(script: string): Promise<number> {
  const parent = spawn(process.execPath, ["--input-type=module", "-e", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let text = "";
  parent.stdout.on("data", (chunk: Buffer) => (text += chunk.toString()));
  await new Promise((resolve) => parent.once("exit", resolve));
  started.push(Number(text));
  return Number(text);
}

const languageHost = (address: string) => `import { spawn } from "node:child_process";
const args = [${JSON.stringify(path.join(root, "lab", "language-host", "main.ts"))}, ${JSON.stringify(address)}];
const child = spawn(process.execPath, args, { stdio: "ignore", detached: true });
process.stdout.write(String(child.pid), () => process.kill(process.pid, "SIGKILL"));`;

async function engine(): Promise<{ server: Server; address: string }> {
  const server = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { server, address: `127.0.0.1:${(server.address() as AddressInfo).port}` };
}

it("the language host ends when its engine is gone before it looks", async () => {
  const { server, address } = await engine();
  await new Promise((resolve) => server.close(resolve));
  const pid = await orphanOf(languageHost(address));
  expect(pid).toBeGreaterThan(1);
  expect(await within(() => !isAlive(pid))).toBe(true);
});

it("the language host stays as long as the engine listens, whatever became of its parent", async () => {
  const { server, address } = await engine();
  const seen = new Promise((resolve) => server.once("connection", resolve));
  const pid = await orphanOf(languageHost(address));
  await seen;
  // Once it has looked and is content, it is there for the next look too.
  await new Promise((resolve) => server.once("connection", resolve));
  expect(isAlive(pid)).toBe(true);
  await new Promise((resolve) => server.close(resolve));
  expect(await within(() => !isAlive(pid))).toBe(true);
});

it("a stand-in ends when the lab is gone before it looks", async () => {
  const pid =
    await orphanOf(`import { startProvider } from ${JSON.stringify(path.join(root, "lab", "startProvider.ts"))};
import child_process from "node:child_process";
import { syncBuiltinESMExports } from "node:module";
const { spawn } = child_process;
child_process.spawn = (...args) => {
  const child = spawn(...args);
  process.stdout.write(String(child.pid), () => process.kill(process.pid, "SIGKILL"));
  return child;
};
syncBuiltinESMExports();
await startProvider({ name: "tls", dir: ${JSON.stringify(dir)}, port: undefined, env: process.env, log() {} });`);
  expect(pid).toBeGreaterThan(1);
  expect(await within(() => !isAlive(pid) && processesNaming(dir).length === 0)).toBe(true);
});
