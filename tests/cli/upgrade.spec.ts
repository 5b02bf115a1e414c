import { describe, expect, it } from "vitest";
import { changesOf } from "../../flux/crd/upgrade.ts";
import { workFolder } from "./workFolder.ts";

const folder = workFolder();

describe("what a newer Flux changes", () => {
  it("is what its CRDs say of the fields that a spec has, version by version", () => {
    const health = { apiVersion: "v1", current: "true" };
    const spec = { interval: "10m", prune: true, sourceRef: { kind: "GitRepository", name: "a" } };
    // Required up to 2.8, and then no more: no newer version refuses what an older one takes.
    expect(
      changesOf("Kustomization", { ...spec, healthCheckExprs: [{ ...health, kind: "A" }] }, "2.7", "2.10"),
    ).toEqual([]);
    const both = { configMapRef: { name: "a" }, secretRef: { name: "b" } };
    expect(changesOf("Kustomization", { ...spec, kubeConfig: both }, "2.9", "2.10")).toEqual([]);
    expect(
      changesOf("OCIRepository", { interval: "10m", url: "oci://a/b", timeout: "1m" }, "2.7", "2.10"),
    ).toEqual([
      {
        minor: "2.10",
        path: "provider",
        what: 'the default was "generic", and there is none now; write the value that you mean',
        isRefused: false,
      },
    ]);
    expect(
      changesOf("Kustomization", { ...spec, postBuild: { substitute: { a: "b" } } }, "2.8", "2.10"),
    ).toMatchObject([{ minor: "2.9", path: "postBuild", isRefused: false }]);
    expect(changesOf("Kustomization", { ...spec, postBuild: {} }, "2.9", "2.10")).toEqual([]);
  });

  it("is said once for many sets and clusters, with what is supported", async () => {
    await folder.save(`apiVersion: arcflux/v1
repository: { url: https://git.example.com/edge/fleet.git }
platform: kubernetes
sets: { pos: { path: ./pos }, till: { path: ./till } }
groups: { all: { match: {}, variables: { site: a }, sets: { pos: {}, till: {} } } }
clusters:
  old-1: { kubeconfig: { context: a }, flux: { version: "2.7" } }
  old-2: { kubeconfig: { context: b }, flux: { version: "2.7" } }
  new-1: { kubeconfig: { context: c }, flux: { version: "2.9" } }
`);
    const { code, out, err } = await folder.run("upgrade --offline");
    expect(err).toBe("");
    expect(out).toBe(`Flux supports 2.8, 2.9, 2.10 of what is known here.
2.7, not supported any more, by the fleet file: old-1, old-2
2.9, by the fleet file: new-1

2.8 changes nothing that the fleet has.

2.9 changes:
  postBuild of Kustomization pos, Kustomization till: a \${NAME} that nothing defines stops the set, and became nothing before; \`arcflux validate --repo\` names them (on old-1, old-2)
  new: Kustomization postBuild.substituteStrategy, Kustomization buildMetadata, Kustomization ignore, OCIRepository verify.trustedRootSecretRef

2.10 changes nothing that the fleet has.
`);
    expect(code).toBe(4);
  });
});
