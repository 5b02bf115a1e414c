import { ApiException } from "@kubernetes/client-node";
import { beforeEach, describe, expect, it } from "vitest";
import { installFlux, type FluxManifests, readManifests, removeFlux } from "../../install/index.ts";
import { request } from "../../status/ask/request.ts";
import type { ApiObject } from "../../status/index.ts";
import { MemoryCluster } from "../apply/memoryCluster.ts";
import { fluxExport } from "../support/fluxManifests.ts";

const owner = "edge/prod/store-1-flux";
let cluster: MemoryCluster;
let time: number;
const world = () => ({
  api: cluster,
  now: () => time,
  sleep(milliseconds: number) {
    time += milliseconds;
    return Promise.resolve();
  },
});

const manifests = (what: Parameters<typeof fluxExport>[0] = {}): FluxManifests => {
  const read = readManifests(fluxExport(what), "0".repeat(64));
  if ("faults" in read) throw new Error(read.faults.join("; "));
  return read;
};
const install = (what?: Parameters<typeof fluxExport>[0], who = owner) =>
  installFlux(who, manifests(what), world());
const remove = () => removeFlux(owner, "edge-config-bootstrap", world());
const of = (kind: string, name: string, metadata: object = {}): ApiObject => ({
  apiVersion: kind === "Kustomization" ? "kustomize.toolkit.fluxcd.io/v1" : "source.toolkit.fluxcd.io/v1",
  kind,
  metadata: { name, namespace: "flux-system", ...metadata },
});
/** What is done to the cluster, without the inventory. */
const calls = () => cluster.calls.filter((call) => !call.includes("/arcflux-"));

beforeEach(() => {
  cluster = new MemoryCluster();
  time = 0;
  // As the API server serves a kind, and as kubelets bring up what is asked for.
  cluster.status = ({ kind }) =>
    kind === "CustomResourceDefinition"
      ? { status: { conditions: [{ type: "Established", status: "True" }] } }
      : kind === "Deployment"
        ? { status: { replicas: 1, updatedReplicas: 1, availableReplicas: 1 } }
        : {};
});

const all = [
  "Namespace/flux-system",
  "CustomResourceDefinition/gitrepositories.source.toolkit.fluxcd.io",
  "CustomResourceDefinition/buckets.source.toolkit.fluxcd.io",
  "CustomResourceDefinition/kustomizations.kustomize.toolkit.fluxcd.io",
  "ServiceAccount/flux-system/source-controller",
  "ServiceAccount/flux-system/kustomize-controller",
  "ClusterRoleBinding/cluster-reconciler-flux-system",
  "Deployment/flux-system/source-controller",
  "Deployment/flux-system/kustomize-controller",
];

describe("Flux on a cluster", () => {
  it("comes in order, is as it was the second time, and goes the other way round without a trace", async () => {
    await install();
    expect(calls()).toEqual(all.map((one) => `apply ${one}`));
    cluster.calls.length = 0;
    await install();
    expect(calls()).toEqual([]);
    expect(await remove()).toEqual([]);
    expect(calls()).toEqual([...all].reverse().map((one) => `delete ${one}`));
    expect([...cluster.objects]).toEqual([]);
  });

  it("waits until its kinds are served before a controller starts", async () => {
    const { status } = cluster;
    cluster.status = (object) => (object["kind"] === "CustomResourceDefinition" ? {} : status(object));
    await expect(install()).rejects.toThrow(
      "Flux 2.9.2 is installed, and does not run yet: CustomResourceDefinition buckets.source.toolkit.fluxcd.io: it is not served yet, ",
    );
    expect(calls()).toEqual(all.slice(0, 4).map((one) => `apply ${one}`));
  });

  it("is upgraded kinds first, and loses at the end what the new manifests have no more", async () => {
    await install();
    cluster.calls.length = 0;
    await install({ version: "2.10.0", plurals: ["gitrepositories", "kustomizations"] });
    expect(calls()).toEqual([
      ...all.filter((one) => !one.includes("buckets")).map((one) => `apply ${one}`),
      "delete CustomResourceDefinition/buckets.source.toolkit.fluxcd.io",
    ]);
  });

  it("keeps a kind of which there are objects, and is not touched", async () => {
    await install();
    cluster.put(of("Bucket", "charts"));
    cluster.calls.length = 0;
    await expect(
      install({ version: "2.10.0", plurals: ["gitrepositories", "kustomizations"] }),
    ).rejects.toThrow(
      "The manifests of Flux 2.10.0 have no more the kinds of Bucket flux-system/charts, which would be deleted with them. Nothing was changed. ",
    );
    expect(cluster.calls).toEqual([]);
  });

  it.each([1, 3, 5, 8])(
    "cut off after %i objects goes on where it was, and can be taken off whole",
    async (most) => {
      let left = most;
      cluster.refuse = () => ((left -= 1) < 0 ? new Error("killed") : undefined);
      await expect(install()).rejects.toMatchObject({
        isThere: true,
        message: expect.stringContaining("killed") as string,
      });
      cluster.refuse = () => undefined;
      await install();
      expect([...cluster.objects.keys()].filter((key) => !key.includes("arcflux-")).sort()).toEqual(
        [...all].sort(),
      );
      await remove();
      expect([...cluster.objects]).toEqual([]);
    },
  );

  it.each([
    [
      { labels: { "fluxcd.controlplane.io/name": "flux" } },
      "flux-operator",
      "Leave flux.install out, and upgrade Flux by its FluxInstance.",
    ],
    [
      { labels: { "kustomize.toolkit.fluxcd.io/name": "flux-system" } },
      "flux bootstrap (Kustomization flux-system)",
      "Leave flux.install out: Arcflux then uses the Flux that is there.",
    ],
    [
      { annotations: { "meta.helm.sh/release-name": "flux" } },
      "Helm (release flux, as Azure's Flux extension is)",
      "Leave flux.install out: Arcflux then uses the Flux that is there.",
    ],
    [
      { annotations: { "arcflux.io/applied-for": "edge/test/store-1-flux" } },
      "Arcflux for edge/test/store-1-flux",
      "Manage the cluster in one stack, or take it out of that one first.",
    ],
    [{}, "others", "Leave flux.install out: Arcflux then uses the Flux that is there."],
  ])("is refused where it is already: %j", async (metadata, by, next) => {
    const name = "kustomizations.kustomize.toolkit.fluxcd.io";
    cluster.put({
      ...{ apiVersion: "apiextensions.k8s.io/v1", kind: "CustomResourceDefinition" },
      metadata: { name, ...metadata },
    });
    await expect(install()).rejects.toThrow(
      `Flux is there already, installed by ${by} (CustomResourceDefinition ${name}). Nothing was changed. ${next}`,
    );
    expect(cluster.calls).toEqual([]);
  });

  it("goes although a kind is not listed for a moment, as after an upgrade", async () => {
    await install();
    const list = cluster.list.bind(cluster);
    let refusals = 2;
    const later = JSON.stringify({ message: "storage is (re)initializing" });
    const served = (...which: Parameters<typeof list>) =>
      (refusals -= 1) < 0 ? list(...which) : Promise.reject(new ApiException(429, "", later, {}));
    // As every client of a cluster sends its requests.
    cluster.list = (...which) => request(() => served(...which), { timeout: 10_000 });
    expect(await remove()).toEqual([]);
    expect([...cluster.objects]).toEqual([]);
  });

  it("stays while somebody has objects of its kinds", async () => {
    await install();
    cluster.put(of("Kustomization", "theirs"));
    cluster.calls.length = 0;
    await expect(remove()).rejects.toThrow(
      "Flux is still used: Kustomization flux-system/theirs would be deleted with its kinds. Nothing was changed. ",
    );
    expect(cluster.calls).toEqual([]);
  });

  it("waits for what it is deleting itself, and takes along the source of a window that the bootstrap left", async () => {
    await install();
    cluster.put(of("Kustomization", "set", { deletionTimestamp: "2026-11-29T10:00:00Z" }));
    const labels = {
      "kustomize.toolkit.fluxcd.io/name": "edge-config-bootstrap",
      "kustomize.toolkit.fluxcd.io/namespace": "flux-system",
    };
    cluster.put(of("GitRepository", "window-nightly", { labels }));
    const clock = world();
    const finalize = (milliseconds: number) => {
      if (time > 5_000) cluster.objects.delete("Kustomization/flux-system/set");
      return clock.sleep(milliseconds);
    };
    expect(await removeFlux(owner, "edge-config-bootstrap", { ...clock, sleep: finalize })).toEqual([]);
    expect([...cluster.objects]).toEqual([]);
  });

  it("leaves a namespace that was there, or that holds what others put into it", async () => {
    const key = {
      apiVersion: "v1",
      kind: "Secret",
      metadata: { name: "sops-age", namespace: "flux-system" },
    };
    await install();
    cluster.put(key);
    expect(await remove()).toEqual(["Namespace flux-system holds Secret flux-system/sops-age, and stays"]);
    expect([...cluster.objects.keys()]).toEqual(["Namespace/flux-system", "Secret/flux-system/sops-age"]);

    await install();
    expect(await remove()).toEqual(["Namespace flux-system was made by others, and stays"]);
    expect([...cluster.objects.keys()]).toEqual(["Namespace/flux-system", "Secret/flux-system/sops-age"]);
  });
});
