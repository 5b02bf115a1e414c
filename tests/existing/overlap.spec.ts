import { describe, expect, it } from "vitest";
import { clusterRefusals, findOnCluster } from "../../existing/index.ts";
import { type KubernetesApi, Refused } from "../../status/index.ts";
import { clusterOf, setOf } from "../checks/fleet.ts";

const url = "https://git.example.com/edge/fleet.git";
const cluster = clusterOf("a", [setOf("shop")], { folder: "fleet/a", fluxFolder: "fleet/a/flux" });
const inFlux = (name: string, spec: object, namespace = "flux-system") => ({
  metadata: { name, namespace },
  spec,
});
const kustomization = (name: string, path: string, more: object = {}, namespace = "flux-system") =>
  inFlux(name, { path, sourceRef: { kind: "GitRepository", name: "flux-system" }, ...more }, namespace);
/** The other form of the same repository. */
const source = (at = "ssh://git@git.example.com/edge/fleet", namespace = "flux-system") =>
  inFlux("flux-system", { url: at }, namespace);

async function refusals(
  kustomizations: readonly object[],
  sources: readonly object[] = [source()],
  mayLookIn?: string,
) {
  const api = {
    list: ({ plural }: { plural: string }, namespace?: string) =>
      mayLookIn === namespace
        ? Promise.resolve(plural === "kustomizations" ? kustomizations : sources)
        : Promise.reject(new Refused("no")),
    read: () => Promise.resolve(undefined),
  } as unknown as KubernetesApi;
  return clusterRefusals(new Map([["a", await findOnCluster(cluster, { url }, api)]]));
}

describe("what runs on a cluster before the first update", () => {
  it("may be the root of the old folder, with the sets that the bootstrap takes over", async () => {
    const root = kustomization("flux-system", "./clusters/a");
    expect(await refusals([root, kustomization("shop", "./apps/shop")])).toEqual([]);
  });

  it("may not apply the flux folder, or the folder of a set under another name", async () => {
    expect(await refusals([kustomization("flux-system", "./")])).toEqual([
      "a has Kustomization flux-system/flux-system, which applies ./ and would apply the files of fleet/a/flux too. Nothing " +
        "was changed. Run `arcflux adopt a`, which lets go of it first.",
    ]);
    const twice = kustomization("till", "apps/shop/", {}, "team");
    expect(await refusals([twice], [source(undefined, "team")])).toEqual([
      expect.stringContaining(
        "Kustomization team/till, which applies apps/shop/ as set shop would: two owners.",
      ),
    ]);
  });

  it("is looked at in Flux's own namespace where one may look nowhere else", async () => {
    const root = [kustomization("flux-system", "./fleet")];
    expect(await refusals(root, [source()], "flux-system")).toHaveLength(1);
    await expect(refusals(root, [source()], "default")).rejects.toThrow(Refused);
  });

  it("may do so while it is suspended, or takes another repository", async () => {
    expect(await refusals([kustomization("till", "./apps/shop", { suspend: true })])).toEqual([]);
    const elsewhere = [source("https://git.example.com/other.git")];
    expect(await refusals([kustomization("till", "./apps/shop")], elsewhere)).toEqual([]);
  });
});
