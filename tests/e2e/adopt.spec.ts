import { afterAll, beforeAll, expect, it } from "vitest";
import { stringify } from "yaml";

import { LabStack } from "../../lab/stack.ts";
import { arcflux, type Result } from "../cli/process.ts";
import {
  type ClusterLab,
  configMap,
  kustomizationRef,
  OnCluster,
  startClusterLab,
} from "../support/clusterLab.ts";
import { expectCode } from "../support/lab.ts";

/* A cluster as `flux bootstrap` leaves it, with real Flux: imported, and brought to a new bootstrap step by step. */

const name = "edge-newest";
const folder = `clusters/${name}`;
const namespace = "flux-system";

let test: ClusterLab;
let edge: OnCluster;
beforeAll(async () => {
  test = await startClusterLab([{ name, kustomizeController: "newest" }]);
  edge = new OnCluster(test, name);
});
afterAll(() => test.stop());

const cli = (...args: string[]): Promise<Result> => arcflux(args, test.lab.dir, { env: test.env });

function kustomization(set: string, path: string): object {
  return {
    apiVersion: "kustomize.toolkit.fluxcd.io/v1",
    kind: "Kustomization",
    metadata: { name: set, namespace },
    spec: {
      ...{ interval: "5m", retryInterval: "2s", timeout: "1m", prune: true, path },
      sourceRef: { kind: "GitRepository", name: "flux-system" },
    },
  };
}

/** What tells an object that was made anew from the one that was there. */
async function identities(): Promise<readonly (string | undefined)[]> {
  const map = { apiVersion: "v1", kind: "ConfigMap", namespace: "default" };
  const refs = [
    { ...map, name: "app" },
    { ...map, name: "web" },
    kustomizationRef("app"),
    kustomizationRef("web"),
  ];
  const found = await Promise.all(refs.map((ref) => edge.api.read(ref)));
  return found.map((object) => (object?.metadata as { uid?: string } | undefined)?.uid);
}

it("keeps every workload from import to the removal of the old files", async () => {
  const root = kustomization("flux-system", `./${folder}`);
  const source = {
    apiVersion: "source.toolkit.fluxcd.io/v1",
    kind: "GitRepository",
    metadata: { name: "flux-system", namespace },
    spec: { interval: "5m", url: test.env["ARCFLUX_REPOSITORY_URL"], ref: { branch: "main" } },
  };
  const sync = [source, root].map((each) => stringify(each)).join("---\n");
  const commit = await test.person.commit("flux bootstrap", {
    ...configMap("apps/app", "app", { version: "1" }),
    ...configMap("apps/web", "web", { version: "1" }),
    [`${folder}/flux-system/gotk-sync.yaml`]: sync,
    [`${folder}/app.yaml`]: stringify(kustomization("app", "./apps/app")),
    [`${folder}/web.yaml`]: stringify(kustomization("web", "./apps/web")),
  });
  for (const object of [source, root]) await edge.api.apply(object as never);
  for (const set of ["app", "web"]) await edge.untilReady(set, commit);
  const before = await identities();
  expect(before).not.toContain(undefined);

  const imported = await cli("import", "--context", name);
  expect(imported.err).toContain("2 of 2 mean the same as before");
  const stack = await LabStack.init(
    test.lab,
    "adopt",
    imported.out.replace(`${name}:\n`, `${name}:\n    kubeconfig: { context: ${name} }\n`),
  );
  const adopt = (...args: string[]) => cli("adopt", name, "--file", stack.fleetFile, ...args);

  const dry = await adopt("--dry-run");
  expect([dry.code, dry.err]).toEqual([0, ""]);
  expect(dry.out).toContain("flux-system applies ./clusters/edge-newest, with prune.");
  expect(dry.out).toMatch(
    /patch kustomization flux-system --type=merge -p '\{"spec":\{"suspend":true,"prune":false\}\}'/,
  );
  expect((await edge.kustomization("flux-system"))?.["spec"]).toMatchObject({ prune: true });

  expect((await adopt()).out).toContain("flux-system is suspended and deletes nothing any more.");
  // A run that was killed after it is a run again.
  expect((await adopt()).out).toContain("Next: run the update");
  expectCode(await stack.operate("up", ["--skip-preview"]), 0);
  const last = await edge.until("the bootstrap owns the sets", async () => {
    const { code, out } = await adopt();
    return code === 0 && out;
  });
  expect(last).toContain("It is done with --yes.");
  expect(await edge.kustomization("flux-system")).toBeDefined();
  const removed = await adopt("--yes");
  expect(removed.out).toMatch(/Kustomization flux-system is removed.*\nGitRepository flux-system is removed/);
  await edge.until(
    "the old root is gone",
    async () => (await edge.kustomization("flux-system")) === undefined,
  );
  expect((await adopt()).out).toContain("Next: nothing.");

  const after = await test.person.commit("The old files go, and the app changes", {
    [`${folder}/flux-system/gotk-sync.yaml`]: null,
    [`${folder}/app.yaml`]: null,
    [`${folder}/web.yaml`]: null,
    ...configMap("apps/app", "app", { version: "2" }),
  });
  await edge.fetchNow();
  await edge.untilReady("app", after);
  expect((await edge.data("app"))?.["version"]).toBe("2");
  expect(await identities()).toEqual(before);
});
