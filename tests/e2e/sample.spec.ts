import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";

import { waitUntil } from "../../lab/cluster/waitUntil.ts";
import type { Lab } from "../../lab/lab.ts";
import { startLab } from "../../lab/lab.ts";
import { sampleManifests } from "../../lab/sampleManifests.ts";
import { LabStack } from "../../lab/stack.ts";
import { kustomizationRef, readyOf } from "../support/clusterLab.ts";
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

it("the clone's own fleet comes to content in a new lab, and the next lab says that its clusters are empty", async () => {
  const lab = await start();
  expect(lines).toEqual([]);
  const stack = await LabStack.init(lab, "try");
  expectCode(await stack.operate("up", ["--skip-preview"]), 0);
  const { kubernetes } = lab;
  if (kubernetes === undefined) throw new Error("The lab has no cluster.");
  const api = kubernetes.api("edge-device-0");
  const names = ["infrastructure", "set-01", "set-02"];
  await waitUntil(
    "all sets are ready",
    async () => {
      const found = await Promise.all(names.map((name) => api.read(kustomizationRef(name))));
      return found.every((one) => readyOf(one).status === "True");
    },
    { seconds: 90, failure: () => kubernetes.failure() },
  );
  const settings = { apiVersion: "v1", kind: "ConfigMap", namespace: "set-01", name: "settings" };
  expect((await api.read(settings))?.["data"]).toEqual({
    variables: "meta_productive=true site_code=0042",
    set: "set-01",
  });
  await lab.stop();

  await start();
  expect(lines).toEqual([
    `The clusters are new and empty: run \`pulumi refresh\` first on a stack that an earlier lab in ${dir} has left.`,
  ]);
});
