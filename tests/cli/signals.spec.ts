import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect, it } from "vitest";
import { workFolder } from "./workFolder.ts";

const { path, save } = workFolder();
const cli = join(import.meta.dirname, "../../cli/arcflux.ts");

/** Some seconds of computing without a pause. */
const fleet = `apiVersion: arcflux/v1
repository: { url: https://git.example.com/edge/fleet.git }
platform: kubernetes
sets: { pos: { path: ./pos } }
groups: { all: { match: { kind: store }, sets: { pos: {} } } }
clusters:
${Array.from({ length: 20_000 }, (_, index) => `  s${index}: { labels: { kind: store }, kubeconfig: { context: c${index} } }`).join("\n")}
`;

it.skipIf(process.platform === "win32").each(["SIGINT", "SIGTERM"] as const)(
  "%s ends a command in the middle of what it computes",
  async (signal) => {
    await save(fleet);
    const child = spawn(process.execPath, [cli, "validate"], { cwd: path(), stdio: "ignore" });
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    child.kill(signal);
    // A listener would have run only after the computation, and ended with a code.
    expect(await once(child, "exit")).toEqual([null, signal]);
  },
  60_000,
);
