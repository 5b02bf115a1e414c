import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";

import type { Lab } from "../../lab/lab.ts";
import { startLab } from "../../lab/lab.ts";
import { sampleManifests } from "../../lab/sampleManifests.ts";
import { mustRun } from "../../lab/run.ts";
import { LabStack, projectRoot } from "../../lab/stack.ts";
import { OnCluster, readyOf } from "../support/clusterLab.ts";
import { Consumer, packArcflux } from "../support/consumer.ts";
import { expectCode } from "../support/lab.ts";

let dir: string;
const labs: Lab[] = [];
const lines: string[] = [];

beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), "arcflux-sample-"));
});
afterEach(async () => {
  await Promise.all(labs.splice(0).map((lab) => lab.stop()));
  rmSync(dir, { recursive: true, force: true });
});

/** As `npm run lab -- --cluster` does it. */
async function start(): Promise<Lab> {
  const lab = await startLab({
    ...{ dir, clusters: [{ name: "edge-device-0" }], manifests: await sampleManifests() },
    log: (line) => lines.push(line),
  });
  labs.push(lab);
  return lab;
}

it("the clone's own fleet comes to content in a new lab; in the next, whose clusters are empty, an installed package", async () => {
  const lab = await start();
  expect(lines).toEqual([]);
  const stack = await LabStack.init(lab, "try");
  expectCode(await stack.operate("up", ["--skip-preview"]), 0);
  const { kubernetes } = lab;
  if (kubernetes === undefined) throw new Error("The lab has no cluster.");
  const cluster = new OnCluster({ kubernetes }, "edge-device-0");
  const names = ["infrastructure", "set-01", "set-02"];
  await cluster.until("all sets are ready", async () => {
    const found = await Promise.all(names.map((name) => cluster.kustomization(name)));
    return found.every((one) => readyOf(one).status === "True");
  });
  const settings = { apiVersion: "v1", kind: "ConfigMap", namespace: "set-01", name: "settings" };
  expect((await cluster.api.read(settings))?.["data"]).toEqual({
    variables: "meta_productive=true site_code=0042",
    set: "set-01",
  });
  await lab.stop();

  const [next, tarball] = await Promise.all([start(), packArcflux(dir)]);
  expect(lines).toEqual([
    `The clusters are new and empty: run \`pulumi refresh\` first on a stack that an earlier lab in ${dir} has left.`,
  ]);
  await asTheGuideSays(next, tarball);
}, 600_000);

/** Every command of the guide up to the first update, in the order and the words in which it has them. */
function commandsOfTheGuide(): string[] {
  const guide = readFileSync(path.join(projectRoot, "docs", "guide", "install.md"), "utf8");
  const [start = ""] = guide.split("## More clusters");
  return [...start.matchAll(/^\$ (.+)$/gm)].map(([, line = ""]) => line);
}

/** From an empty folder to content on the cluster. What a person answers or has of their own is filled in. */
async function asTheGuideSays(lab: Lab, tarball: string): Promise<void> {
  const { kubernetes } = lab;
  if (kubernetes === undefined) throw new Error("The lab has no cluster.");
  const [first, install, ...others] = commandsOfTheGuide();
  expect([first, install]).toEqual(["mkdir edge && cd edge", "npm install arcflux"]);
  const edge = new Consumer(path.join(dir, "edge"), lab.env);
  mkdirSync(edge.folder);
  await edge.install(tarball);
  const git = (...args: string[]) =>
    mustRun("git", ["-c", "user.name=Ada", "-c", "user.email=ada@example.com", ...args], {
      cwd: dir,
      env: lab.env,
    });
  await git("clone", "--quiet", lab.gitDir, "fleet");
  const filledIn: Readonly<Record<string, string>> = {
    "npx arcflux init": ` --yes --repository ${lab.repositoryUrl}`,
    "pulumi stack init prod": " --non-interactive",
    "pulumi preview --policy-pack policy": " --non-interactive",
    "pulumi up --policy-pack policy": " --non-interactive --yes",
  };
  for (const line of others) {
    const command = line.replace("--context store-001", "--context edge-device-0") + (filledIn[line] ?? "");
    expectCode(await edge.run("sh", "-c", command), 0);
    if (!line.includes("--repo ../fleet")) continue;
    await git("-C", "fleet", "add", "--all");
    await git("-C", "fleet", "commit", "--quiet", "--message", "Manifests of pos");
    await git("-C", "fleet", "push", "--quiet");
  }
  const cluster = new OnCluster({ kubernetes }, "edge-device-0");
  await cluster.until("the namespace of the set is there", () =>
    cluster.api.read({ apiVersion: "v1", kind: "Namespace", name: "pos" }),
  );
}
