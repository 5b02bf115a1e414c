import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Lab } from "../../lab/lab.ts";
import { root, startLab } from "../../lab/lab.ts";
import type { Ran } from "../../lab/run.ts";
import { run } from "../../lab/run.ts";
import { isAlive } from "../../lab/endWithParent.ts";
import { processesNaming, within } from "./labProcess.ts";

/** The real classes of azure-native, tls and kubernetes, in the order that Azure asks for. */
const program = `
import { createPublicKey } from "node:crypto";
import * as pulumi from "@pulumi/pulumi";
import * as arc from "@pulumi/azure-native/kubernetes/index.js";
import * as configuration from "@pulumi/azure-native/kubernetesconfiguration/index.js";
import { helm, Provider } from "@pulumi/kubernetes";
import { PrivateKey } from "@pulumi/tls";

const config = new pulumi.Config();
console.log("the program speaks");
const resourceGroupName = "rg-edge";
const key = new PrivateKey("key", { algorithm: "RSA", rsaBits: 4096 });
const cluster = new arc.ConnectedCluster("cluster", {
  resourceGroupName,
  clusterName: "edge-0",
  location: config.get("location") ?? "West Europe",
  identity: { type: "SystemAssigned" },
  agentPublicKeyCertificate: key.publicKeyPem.apply((pem) =>
    createPublicKey(pem).export({ type: "pkcs1", format: "der" }).toString("base64"),
  ),
});
const agents = new helm.v3.Release(
  "agents",
  {
    chart: process.env["ARCFLUX_AGENTS_CHART"]!,
    name: "azure-arc",
    namespace: "azure-arc-release",
    values: { global: { resourceName: cluster.name, onboardingPrivateKey: key.privateKeyPem } },
  },
  { provider: new Provider("edge-0", { context: "edge-0" }) },
);
const parent = {
  resourceGroupName,
  clusterRp: "Microsoft.Kubernetes",
  clusterResourceName: "connectedClusters",
  clusterName: cluster.name,
};
const extension = new configuration.Extension(
  "extension",
  { ...parent, extensionName: "flux", extensionType: "microsoft.flux", identity: { type: "SystemAssigned" } },
  { dependsOn: [agents] },
);
const flux = new configuration.FluxConfiguration(
  "flux",
  {
    ...parent,
    fluxConfigurationName: "edge-config",
    namespace: "flux-system",
    scope: "cluster",
    gitRepository: { url: "https://git.example.com/fleet.git", repositoryRef: { branch: "main" }, httpsUser: "git" },
    configurationProtectedSettings: { httpsKey: config.requireSecret("key") },
    kustomizations: { bootstrap: { path: config.get("path") ?? "./clusters/edge-0/flux" } },
  },
  { dependsOn: [extension] },
);
export const state = flux.complianceState;
if (config.getBoolean("broken")) throw new Error("broken on purpose");
`;

const policyPack = `
const { PolicyPack } = require("@pulumi/policy");
new PolicyPack("pack", {
  policies: [{
    name: "no-extension",
    description: "No extension.",
    enforcementLevel: "mandatory",
    validateResource(args, report) {
      if (args.type.endsWith(":Extension")) report("extensions are not wanted here");
    },
  }],
});
`;

const projectFiles = {
  "package.json": JSON.stringify({ type: "module", main: "index.ts" }),
  "Pulumi.yaml": "name: tiny\nruntime:\n  name: nodejs\n  options: { typescript: false }\n",
};

let dir: string;
let project: string;
let lab: Lab;

beforeAll(async () => {
  dir = mkdtempSync(path.join(tmpdir(), "arcflux-lab-"));
  project = path.join(dir, "project");
  lab = await startLab({ dir: path.join(dir, "lab") });
  await makeProject(project, { ...projectFiles, "index.ts": program });
});
afterAll(async () => {
  await lab.stop();
  rmSync(dir, { recursive: true, force: true });
});

/** A folder with these files that finds the packages of this clone. */
async function makeProject(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  await mkdir(folder);
  await symlink(path.join(root, "node_modules"), path.join(folder, "node_modules"));
  await Promise.all(Object.entries(files).map(([name, text]) => writeFile(path.join(folder, name), text)));
}

async function pulumi(code: number, ...args: string[]): Promise<Ran> {
  const ran = await run("pulumi", ["--non-interactive", ...args], { cwd: project, env: lab.env });
  if (ran.code !== code)
    throw new Error(`pulumi ${args.join(" ")}: ${ran.code}\n${ran.stdout}\n${ran.stderr}`);
  return ran;
}

it("takes the real SDK and the real engine from up to destroy", async () => {
  await pulumi(0, "stack", "init", "dev");
  await pulumi(0, "config", "set", "--secret", "key", "YS10b2tlbg==");

  const up = await pulumi(0, "up", "--yes", "--skip-preview");
  expect(up.stdout).toContain("the program speaks");
  expect(up.stdout).toContain("+ 7 created");
  expect(up.stdout + up.stderr).not.toContain("warning");
  expect((await pulumi(0, "stack", "output", "state")).stdout.trim()).toBe("Pending");
  const state = (await pulumi(0, "stack", "export")).stdout;
  expect(state).not.toMatch(/YS10b2tlbg|BEGIN RSA PRIVATE KEY|BEGIN PRIVATE KEY/);

  await pulumi(0, "preview", "--expect-no-changes");
  await pulumi(0, "refresh", "--yes", "--skip-preview", "--expect-no-changes");

  const pack = path.join(dir, "pack");
  await makeProject(pack, {
    "PulumiPolicy.yaml": "runtime: nodejs\n",
    "package.json": JSON.stringify({ name: "pack", version: "1.0.0" }),
    "index.js": policyPack,
  });
  const stopped = await pulumi(1, "preview", "--policy-pack", pack);
  expect(stopped.stdout).toContain("extensions are not wanted here");

  // A refusal reaches the user in Azure's words, and an exception of the program in its own.
  await pulumi(0, "config", "set", "path", "");
  const refused = await pulumi(1, "up", "--yes", "--skip-preview");
  expect(refused.stdout).toContain('Status=400 Code="MissingProperty"');
  await pulumi(0, "config", "set", "broken", "true");
  const broken = await pulumi(1, "preview");
  expect(broken.stdout).toContain("broken on purpose");

  const gone = await pulumi(0, "destroy", "--yes", "--skip-preview");
  expect(gone.stdout).toContain("- 7 deleted");
});

it("ends the program and the language host when the engine is killed", async () => {
  const folder = path.join(dir, "endless");
  const note = path.join(folder, "pids");
  await makeProject(folder, {
    ...projectFiles,
    "index.ts": `import { writeFileSync } from "node:fs";
      writeFileSync(${JSON.stringify(`${note}.new`)}, [process.pid, process.ppid].join(" "));
      (await import("node:fs")).renameSync(${JSON.stringify(`${note}.new`)}, ${JSON.stringify(note)});
      await new Promise((resolve) => setTimeout(resolve, 600_000));`,
  });
  await run("pulumi", ["--non-interactive", "stack", "init", "endless"], { cwd: folder, env: lab.env });
  const engine = spawn("pulumi", ["--non-interactive", "preview"], {
    cwd: folder,
    env: lab.env,
    stdio: "ignore",
  });
  expect(await within(() => existsSync(note))).toBe(true);
  const pids = readFileSync(note, "utf8").split(" ").map(Number);
  expect(pids.map(isAlive)).toEqual([true, true]);
  engine.kill("SIGKILL");
  expect(await within(() => !pids.some(isAlive))).toBe(true);
  expect(processesNaming(folder)).toEqual([]);
});
