import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { keepManifests, readManifests, sha256Of } from "../../install/index.ts";
import { FluxInstallPlugin } from "../../provider/fluxInstallPlugin.ts";
import { ClusterError } from "../../status/index.ts";
import { MemoryCluster } from "../apply/memoryCluster.ts";
import { fluxExport } from "../support/fluxManifests.ts";

const urn =
  "urn:pulumi:prod::edge::arcflux:index:FluxControllers$arcflux-git:index:FluxInstall::store-1-flux";
const kubeconfig = "apiVersion: v1 # k3pt-to-itself";
const secret = {
  "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
  value: kubeconfig,
};
const text = fluxExport();
const inputs = {
  manifests: sha256Of(text),
  version: "2.9.2",
  bootstrap: "edge-config-bootstrap",
  kubeconfig: secret,
  context: "store-1",
};

let env: NodeJS.ProcessEnv;
let cluster: MemoryCluster;
let isOff: boolean;
let warnings: string[];
let opened: unknown[];
let plugin: FluxInstallPlugin;

beforeAll(async () => {
  env = { ARCFLUX_CACHE_DIR: await mkdtemp(join(tmpdir(), "arcflux-install-")) };
  const read = readManifests(text, sha256Of(text));
  if (!("faults" in read)) await keepManifests(read, env);
});
afterAll(() => rm(env["ARCFLUX_CACHE_DIR"]!, { recursive: true, force: true }));

beforeEach(() => {
  [isOff, warnings, opened] = [false, [], []];
  cluster = new MemoryCluster();
  cluster.status = ({ kind }) =>
    kind === "Deployment"
      ? { status: { replicas: 1, updatedReplicas: 1, availableReplicas: 1 } }
      : { status: { conditions: [{ type: "Established", status: "True" }] } };
  const warn = (_: string, message: string) => Promise.resolve(void warnings.push(message));
  plugin = new FluxInstallPlugin("1.0.0", warn, env, new AbortController().signal, (...which) => {
    opened.push(which);
    return isOff ? Promise.reject(new ClusterError("no answer")) : Promise.resolve(cluster);
  });
});

it("keeps credentials as the secret that they came as, and none of the manifests", async () => {
  const { id, outs } = await plugin.create(urn, inputs);
  expect([id, outs]).toEqual(["edge/prod/store-1-flux", { ...inputs, owner: "edge/prod/store-1-flux" }]);
  expect(opened).toEqual([[kubeconfig, "store-1"]]);
  expect(JSON.stringify([...cluster.objects])).not.toContain("k3pt-to-itself");
  expect(await plugin.diff(id, urn, outs, inputs)).toEqual({ changes: false });
  expect(await plugin.diff(id, urn, outs, { ...inputs, manifests: "0".repeat(64) })).toEqual({
    changes: true,
  });
  await plugin.delete(id, urn, outs);
  expect([...cluster.objects]).toEqual([]);
});

it("sees on refresh what is missing, and an update puts it back; a cluster that is off is as it was", async () => {
  const { id, outs } = await plugin.create(urn, inputs);
  cluster.objects.delete("Deployment/flux-system/source-controller");
  const seen = await plugin.read(id, urn, outs);
  expect(seen.props).toEqual({ ...outs, missing: ["Deployment flux-system/source-controller"] });
  expect(await plugin.diff(id, urn, seen.props as typeof outs, inputs)).toEqual({ changes: true });
  expect((await plugin.update(id, urn, seen.props as typeof outs, inputs)).outs).toEqual(outs);
  expect(cluster.objects.has("Deployment/flux-system/source-controller")).toBe(true);
  isOff = true;
  expect(await plugin.read(id, urn, outs)).toEqual({ id, props: outs });
  expect(warnings).toEqual([
    "missing on the cluster: Deployment flux-system/source-controller. The next update puts them back.",
    "not looked at: no answer. Taken as it was.",
  ]);
});

it("is known to the engine once anything of it is there, and not where others were first", async () => {
  let left = 3;
  cluster.refuse = () => ((left -= 1) < 0 ? new ClusterError("the API server is gone") : undefined);
  await expect(plugin.create(urn, inputs)).rejects.toMatchObject({
    id: "edge/prod/store-1-flux",
    properties: { owner: "edge/prod/store-1-flux" },
    reasons: [
      expect.stringContaining("Flux 2.9.2 is not installed whole: the API server is gone. Run again."),
    ],
  });
  cluster = new MemoryCluster();
  const name = "kustomizations.kustomize.toolkit.fluxcd.io";
  cluster.put({
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name },
  });
  const refused: unknown = await plugin.create(urn, inputs).catch((error: unknown) => error);
  expect(refused).toMatchObject({ message: expect.stringMatching(/^Flux is there already/) as string });
  expect(refused).not.toHaveProperty("id");
});

it("says how to let go of a Flux that is still used", async () => {
  const { id, outs } = await plugin.create(urn, inputs);
  cluster.put({
    ...{ apiVersion: "kustomize.toolkit.fluxcd.io/v1", kind: "Kustomization" },
    metadata: { name: "theirs", namespace: "flux-system" },
  });
  await expect(plugin.delete(id, urn, outs)).rejects.toThrow(
    `To leave Flux there and let go of it: pulumi state delete '${urn}'`,
  );
});
