import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { isRunning } from "../../scripts/fakeClone.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), "arcflux-bring-"));
  mkdirSync(path.join(root, "scripts"));
});
afterEach(() => {
  // Not even a set-up that nobody told to stop outlives its test: its pid is the marker's first word.
  const pid = existsSync(marker()) ? Number(readFileSync(marker(), "utf8").split(" ")[0]) : 0;
  if (pid > 0 && isRunning(pid)) process.kill(pid, "SIGKILL");
  rmSync(root, { recursive: true, force: true });
});

const bring = path.join(import.meta.dirname, "..", "..", "..", "lab", "tools", "bring.ts");
const marker = (): string => path.join(root, "marker");

/** Brings them, in a process of its own, with a set-up that notes its pid and arguments and then does `body`. */
function start(body: string, env: Record<string, string> = {}) {
  const note = `import { writeFileSync } from "node:fs"; writeFileSync(${JSON.stringify(marker())}, [process.pid, ...process.argv.slice(2)].join(" "));`;
  writeFileSync(path.join(root, "scripts", "setup.mjs"), `${note}\n${body}`);
  const script = `import { bringClusterTools } from ${JSON.stringify(bring)};
await bringClusterTools(${JSON.stringify(root)}).catch((error) => { console.error(error.message); process.exitCode = 3; });`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", script], {
    env: { ...process.env, ARCFLUX_CLUSTER_TOOLS: "", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let text = "";
  child.stdout.on("data", (chunk: Buffer) => (text += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (text += chunk.toString()));
  const done = once(child, "close").then(([code]: unknown[]) => ({ code, text }));
  return { child, done };
}

test("says nothing of its own when set-up has nothing to say", async () => {
  expect(await start("").done).toEqual({ code: 0, text: "" });
  expect(readFileSync(marker(), "utf8")).toMatch(/^\d+ --cluster --quiet$/);
});

test("shows what set-up says, and fails as it does", async () => {
  const { code, text } = await start('console.error("no Go"); process.exitCode = 1;').done;
  expect(code).toBe(3);
  expect(text).toBe("no Go\nSet-up could not bring the programs of a real Kubernetes API.\n");
});

test("runs nothing when a folder of them is named", async () => {
  expect((await start("", { ARCFLUX_CLUSTER_TOOLS: "/mine" }).done).code).toBe(0);
  expect(existsSync(marker())).toBe(false);
});

test("told to stop, it stops set-up", async () => {
  const { child, done } = start(
    'process.on("SIGTERM", () => { console.log("stopped"); process.exit(143); }); setInterval(() => {}, 1000); console.log("up");',
  );
  await once(child.stdout, "data");
  child.kill("SIGTERM");
  const { code, text } = await done;
  expect(code).toBe(3);
  expect(text).toContain("stopped");
});
