import { execFile } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Lab } from "../../lab/lab.ts";
import { startLab } from "../../lab/lab.ts";
import { isOpen, portsOf, processesNaming } from "./labProcess.ts";

let dir: string;
const labs: Lab[] = [];

beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), "arcflux-lab-"));
});
afterEach(async () => {
  await Promise.all(labs.splice(0).map((lab) => lab.stop()));
  rmSync(dir, { recursive: true, force: true });
});

async function start(folder = dir, env?: NodeJS.ProcessEnv, log?: (line: string) => void): Promise<Lab> {
  const lab = await startLab({ dir: folder, ...(env && { env }), ...(log && { log }) });
  labs.push(lab);
  return lab;
}

// Not the synchronous form: the Git server lives in this process.
const execute = promisify(execFile);
const git = async (...args: string[]) => (await execute("git", args)).stdout.trim();

it("serves a repository with one commit on main, and leaves no port and no process behind", async () => {
  const lab = await start();
  expect(await git("ls-remote", lab.repositoryUrl, "HEAD")).toMatch(/^[0-9a-f]{40}\tHEAD$/);
  expect(await git("--git-dir", lab.gitDir, "symbolic-ref", "HEAD")).toBe("refs/heads/main");
  expect(await git("--git-dir", lab.gitDir, "ls-tree", "--name-only", "main")).toBe("README.md");
  const ports = portsOf(lab.env);
  expect(ports.length).toBe(4);
  expect(await Promise.all(ports.map(isOpen))).toEqual([true, true, true, true]);
  await lab.stop();
  await lab.stop();
  expect(await Promise.all(ports.map(isOpen))).toEqual([false, false, false, false]);
  expect(processesNaming(dir)).toEqual([]);
});

it("keeps its URL, its ports, its token and its repository from start to start", async () => {
  const first = await start();
  const commit = await git("--git-dir", first.gitDir, "rev-parse", "main");
  await first.stop();
  const second = await start();
  expect(second.env).toEqual(first.env);
  expect(second.repositoryUrl).toBe(first.repositoryUrl);
  expect(await git("--git-dir", second.gitDir, "rev-parse", "main")).toBe(commit);
});

it("keeps the token to its owner, widened modes included", async () => {
  const lab = await start();
  const file = path.join(dir, "token");
  expect(readFileSync(file, "utf8").trim()).toBe(lab.env["ARCFLUX_GIT_TOKEN"]);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  await lab.stop();
  chmodSync(file, 0o644);
  await start();
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

it("takes another port, and says so, when its own is taken", async () => {
  const first = await start();
  const { port } = new URL(first.repositoryUrl);
  await first.stop();
  const stranger = createServer().listen(Number(port), "127.0.0.1");
  await new Promise((resolve) => stranger.once("listening", resolve));
  try {
    const lines: string[] = [];
    const second = await start(dir, undefined, (line) => lines.push(line));
    expect(second.repositoryUrl).not.toBe(first.repositoryUrl);
    expect(lines.join("\n")).toContain(`Port ${port} of the Git server is taken`);
  } finally {
    stranger.close();
  }
});

it("refuses a second lab in the same folder, and starts one beside it", async () => {
  const lab = await start();
  await expect(startLab({ dir })).rejects.toThrow(
    `A lab is already running in ${dir} (process ${process.pid}). Stop it first, or choose another folder with --dir`,
  );
  const other = await start(path.join(dir, "other"));
  expect(other.repositoryUrl).not.toBe(lab.repositoryUrl);
  expect(new Set([...portsOf(lab.env), ...portsOf(other.env)]).size).toBe(8);
});

it("breaks the lock of an owner that is gone, also when its process id is in use again", async () => {
  writeFileSync(path.join(dir, "lock"), "4194304 1\n");
  await (await start()).stop();
  writeFileSync(path.join(dir, "lock"), `${process.pid} 1\n`);
  await expect(start()).resolves.toBeDefined();
});

it("lets nothing of the user's own set-up into a run", async () => {
  const lab = await start(dir, {
    ...process.env,
    PULUMI_ACCESS_TOKEN: "pul-1",
    PULUMI_STACK: "prod",
    PULUMI_BACKEND_URL: "https://api.pulumi.com",
    PULUMI_CONFIG_PASSPHRASE_FILE: "/p",
    AZURE_CLIENT_SECRET: "x",
    ARM_CLIENT_SECRET: "x",
    KUBECONFIG: "/home/me/.kube/config",
    ARCFLUX_GIT_TOKEN: "mine",
    GIT_DIR: "/elsewhere/.git",
    HTTP_PROXY: "http://proxy:3128",
    NO_PROXY: "example.com",
    PULUMI_PARALLEL: "3",
  });
  for (const name of [
    "PULUMI_ACCESS_TOKEN",
    "PULUMI_STACK",
    "PULUMI_CONFIG_PASSPHRASE_FILE",
    "KUBECONFIG",
    "GIT_DIR",
  ]) {
    expect(lab.env).not.toHaveProperty(name);
  }
  expect(Object.keys(lab.env).filter((name) => /^(AZURE|ARM)_/.test(name))).toEqual([]);
  expect(lab.env).toMatchObject({
    PULUMI_BACKEND_URL: `file://${dir}/state`,
    PULUMI_PARALLEL: "3",
    NO_PROXY: "example.com,127.0.0.1,localhost",
    ARCFLUX_GIT_TOKEN: expect.stringMatching(/^lab-[0-9a-f]{48}$/) as string,
  });
});

it("leaves nothing running when it cannot start", async () => {
  writeFileSync(path.join(dir, "git"), "in the way");
  await expect(startLab({ dir })).rejects.toThrow();
  expect(processesNaming(dir)).toEqual([]);
  rmSync(path.join(dir, "git"));
  await expect(start()).resolves.toBeDefined();
});
