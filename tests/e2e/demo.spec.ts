import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";

import { root } from "../../lab/lab.ts";
import { processesWith } from "../support/processes.ts";

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), "arcflux-demo-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

/** Runs the demo as a user does, on a real cluster. `onText` gets all that it has said each time it says more. */
function demo(onText: (text: string) => void = () => undefined) {
  const args = [path.join(root, "lab", "demo.ts"), "--cluster", "--verbose", "--dir", path.join(dir, "demo")];
  const temporary = path.join(dir, "tmp");
  mkdirSync(temporary);
  const env = { ...process.env, TMPDIR: temporary };
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"], env });
  const text = { stdout: "", stderr: "" };
  child.stdout.on("data", (chunk: Buffer) => onText((text.stdout += chunk.toString())));
  child.stderr.on("data", (chunk: Buffer) => (text.stderr += chunk.toString()));
  return new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) => {
    child.once("close", (code) => resolve({ code, ...text }));
  });
}

it("shows Flux apply the sets, refuse a broken commit, and go on after the fix; it ends clean", async () => {
  const { code, stdout, stderr } = await demo();
  expect({ code, stderr }, stdout).toEqual({ code: 0, stderr: "" });
  const said = stdout.split("\n").map((line) => line.trim());
  const at = (...texts: string[]) =>
    texts.map((text) => said.findIndex((line) => line.includes(text))).map((index) => index >= 0);
  expect(
    at(
      "✓ all 3 sets are applied on the cluster, and ready",
      '"variables": "meta_productive=true site_code=0042"',
      "✓ all 4 sets are applied on the cluster, and ready",
      'ConfigMapp/set-01/settings dry-run failed: no matches for kind "ConfigMapp" in version "v1"',
      "✓ what runs is what was applied before",
      "✓ it shows edge-device-0, ready",
      "✓ Flux's objects are gone from the cluster, and everything they had applied",
    ),
  ).toEqual([true, true, true, true, true, true, true]);
  expect(stdout).toContain(`to open in a browser: ${path.join(dir, "demo", "fleet.html")}`);
  // Each set is told in its own order: after what it depends on, and both times.
  const ready = said.filter((line) =>
    /^\| (infrastructure|set-0\d) +Ready +ReconciliationSucceeded +main@sha1:[0-9a-f]{7}$/.test(line),
  );
  expect(ready.slice(0, 3).map((line) => line.split(/ +/)[1])).toEqual([
    "infrastructure",
    "set-01",
    "set-02",
  ]);
  expect(said.some((line) => /^\| set-01 +Not ready +ReconciliationFailed/.test(line))).toBe(true);
  expect(await processesWith(dir)).toEqual([]);
  expect(existsSync(path.join(dir, "demo", "clusters"))).toBe(false);
  // The Kubernetes provider leaves a kubeconfig with its key in the folder for temporary files, at each run.
  const copies = readdirSync(dir, { recursive: true, encoding: "utf8" }).filter((name) =>
    /^kubeconfig\d/.test(path.basename(name)),
  );
  expect(copies).toEqual([]);
});

it("ends with 1 and says why when a program of the cluster dies, and keeps the logs", async () => {
  let killed = false;
  const { code, stderr } = await demo((text) => {
    if (killed || !text.includes("Flux on the cluster fetches the repository")) return;
    killed = true;
    const notes = path.join(dir, "demo", "clusters", "edge-device-0", "processes.json");
    const noted = JSON.parse(readFileSync(notes, "utf8")) as { name: string; pid: number }[];
    process.kill(noted.find(({ name }) => name === "kustomize-controller")?.pid ?? 0, "SIGKILL");
  });
  expect(code).toBe(1);
  expect(stderr).toContain(
    "The demo failed: kustomize-controller of the cluster edge-device-0 ended by itself (SIGKILL). The end of ",
  );
  const folder = path.join(dir, "demo", "clusters", "edge-device-0");
  expect(stderr).toContain(`What the cluster's programs said is in ${folder}/logs.`);
  expect(readdirSync(folder)).toEqual(["logs"]);
  expect(await processesWith(dir)).toEqual([]);
});
