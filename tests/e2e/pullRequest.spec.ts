import { afterAll, beforeAll, expect, it } from "vitest";

import { LabStack } from "../../lab/stack.ts";
import { type ClusterLab, configMap, OnCluster, readyOf, startClusterLab } from "../support/clusterLab.ts";
import { expectCode } from "../support/lab.ts";

const name = "edge";
const side = "arcflux/arcflux/requests";

function fleet(flux: string): string {
  return `apiVersion: arcflux/v1
repository: { url: https://git.example.com/edge/fleet.git, mode: pullRequest }
arc: { resourceGroup: rg-edge, location: westeurope }
layout: { flux: ${flux} }
bootstrap: { interval: 5m, retryInterval: 1m }
defaults: { interval: 5m, retryInterval: 1m, timeout: 1m }
clusters:
  ${name}:
    kubeconfig: { context: ${name} }
    sets: { base: { path: ./apps/base } }
`;
}

let test: ClusterLab;
let stack: LabStack;
let cluster: OnCluster;
beforeAll(async () => {
  test = await startClusterLab([{ name, kustomizeController: "newest" }]);
  cluster = new OnCluster(test, name);
  await test.person.commit("Manifests", configMap("apps/base", "base", { a: "b" }));
  stack = await LabStack.init(test.lab, "requests", fleet("flux"));
});
afterAll(() => test.stop());

async function update(): Promise<void> {
  expectCode(await stack.operate("up", ["--skip-preview"]), 0);
}

/** Merges the side branch, as a person does on a host, and has Flux fetch that. Gives the new tip. */
async function merge(): Promise<string> {
  const git = (...args: string[]): Promise<string> => test.repository.git(...args);
  // Otherwise git asks whether what others have in a folder that moved is to go along.
  const tree = await git("-c", "merge.directoryRenames=false", "merge-tree", "--write-tree", "main", side);
  const pat = ["-c", "user.name=Pat", "-c", "user.email=pat@example.com"];
  const tip = await git(...pat, "commit-tree", tree, "-p", "main", "-p", side, "-m", "Merge");
  await git("update-ref", "refs/heads/main", tip);
  await cluster.fetchNow();
  return tip;
}

async function bootstrap(): Promise<{ path: string; status: string; message: string }> {
  const found = await cluster.kustomization("edge-config-bootstrap");
  const { path = "" } = (found?.["spec"] ?? {}) as { path?: string };
  return { path, ...readyOf(found) };
}

it("a flux folder moves by pull request: Azure keeps the old one until the merge, and nothing is deleted at any time", async () => {
  await update();
  await cluster.untilReady("edge-config-bootstrap", await merge());
  await cluster.until("the set is applied", async () => (await cluster.data("base")) !== undefined);
  const uid = (await cluster.kustomization("base"))?.metadata["uid"];
  const isThere = async (): Promise<void> => {
    expect((await cluster.kustomization("base"))?.metadata["uid"]).toBe(uid);
    expect(await cluster.data("base")).toEqual({ a: "b" });
  };

  // Of others, and in both places, since a move leaves none behind.
  for (const folder of ["flux", "gitops"])
    await test.person.commit("By hand", configMap(`clusters/${name}/${folder}`, "by-hand", { by: "hand" }));
  await stack.writeFleet(fleet("gitops"));
  await update();
  const [head = ""] = await test.repository.commits();
  await cluster.fetchNow();
  await cluster.untilReady("edge-config-bootstrap", head);
  expect((await bootstrap()).path).toMatch(/\/flux$/);
  await isThere();

  await cluster.untilReady("edge-config-bootstrap", await merge());
  expect((await bootstrap()).path).toMatch(/\/flux$/);
  await update();
  await cluster.until("the bootstrap follows", async () => {
    const { path, status } = await bootstrap();
    return path.endsWith("/gitops") && status === "True";
  });
  await isThere();
  const files = async (): Promise<string[]> =>
    Object.keys(await test.repository.files()).filter((path) => path.startsWith(`clusters/${name}/`));
  const folder = `clusters/${name}`;
  const moved = [`${folder}/gitops/base.yaml`, `${folder}/gitops/by-hand.yaml`];
  expect(await files()).toEqual([`${folder}/flux/base.yaml`, `${folder}/flux/by-hand.yaml`, ...moved]);

  await stack.writeFleet(`${fleet("gitops")}removed: [{ folder: ${folder}/flux }]\n`);
  await update();
  await cluster.untilReady("edge-config-bootstrap", await merge());
  await isThere();
  expect(await files()).toEqual([`${folder}/flux/by-hand.yaml`, ...moved]);
});
