import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";

import { sampleManifests } from "../../lab/sampleManifests.ts";

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), "arcflux-sample-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

async function foldersFor(text: string): Promise<string[]> {
  const file = path.join(dir, "fleet.yaml");
  writeFileSync(file, text);
  const paths = Object.keys(await sampleManifests(file));
  return [...new Set(paths.map((one) => path.posix.dirname(one)))].sort();
}

const head = `apiVersion: arcflux/v1
repository: { url: https://git.example.com/edge/fleet.git }
arc: { resourceGroup: rg-edge, location: westeurope }
`;

it("are in the folders of sets, but not where a source of their own or Arcflux itself puts them", async () => {
  const fleet = `${head}sources: { charts: { kind: GitRepository, url: https://git.example.com/charts.git, ref: { tag: v1 } } }
clusters:
  edge-0:
    apps: { pos: { patch: { spec: { replicas: 2 } }, target: { kind: Deployment, name: pos } } }
    sets:
      web: { path: ./apps/web }
      own: {}
      elsewhere: { source: charts, path: ./pos }
`;
  expect(await foldersFor(fleet)).toEqual(["apps/web", "clusters/edge-0/sets/own"]);
});

it("are none for a file with faults", async () => {
  expect(await foldersFor(`${head}clusters: { edge-0: { sets: { web: { pth: ./web } } } }\n`)).toEqual([]);
});
