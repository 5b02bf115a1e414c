import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { keptManifests, loadManifests, readManifests, sha256Of } from "../../install/index.ts";
import { arcflux } from "../cli/process.ts";
import { fluxExport } from "../support/fluxManifests.ts";

const read = (text: string) => readManifests(text, sha256Of(text));

describe("the manifests of Flux", () => {
  it("say which Flux they are, and whether it is locked down", () => {
    expect(read(fluxExport())).toMatchObject({ version: "2.9.2", minor: "2.9", isLockedDown: false });
    const args = ["--no-cross-namespace-refs=true"];
    expect(read(fluxExport({ version: "2.10.0", args }))).toMatchObject({
      minor: "2.10",
      isLockedDown: true,
    });
    // The image is what runs: labels stay behind where somebody changes it alone.
    expect(read(fluxExport().replaceAll(":v1.9.1", ":v1.10.0"))).toMatchObject({
      version: "2.10",
      minor: "2.10",
    });
  });

  it("are refused with all that is wrong at once", () => {
    const repository =
      "apiVersion: source.toolkit.fluxcd.io/v1\nkind: GitRepository\nmetadata: { name: a }\n";
    const secret = "apiVersion: v1\nkind: Secret\nmetadata: { name: key, namespace: flux-system }\n";
    const namespace = "apiVersion: v1\nkind: Namespace\nmetadata: { name: flux-system }\n";
    const more = [repository, secret, namespace, "nothing: at all\n"].join("---\n");
    expect(read(fluxExport({ more }))).toEqual({
      faults: [
        "has a document without a kind or a name; write what `flux install --export` prints",
        "has Namespace flux-system twice; take one of each out",
        "has objects of Flux itself (GitRepository a), which Arcflux makes; take gotk-sync out",
        "has Secrets (Secret flux-system/key), whose values would be kept in the clear; take them out",
      ],
    });
    expect(read("a: [")).toEqual({
      faults: ["is not valid YAML at line 1; write what `flux install --export` prints"],
    });
    expect(read("apiVersion: v1\nkind: Namespace\nmetadata: { name: flux-system }\n")).toEqual({
      faults: ["has no Deployment kustomize-controller; write what `flux install --export` prints"],
    });
  });
});

describe("manifests that a fleet file names", () => {
  let folder: string;
  let server: Server;
  let url: string;
  let fleetFile: string;
  let asked = 0;
  const text = fluxExport();

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "arcflux-manifests-"));
    fleetFile = join(folder, "fleet.yaml");
    await writeFile(join(folder, "flux.yaml"), text);
    server = createServer((_, response) => {
      asked += 1;
      response.end(text);
    });
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/install.yaml`;
  });
  afterAll(async () => {
    server.close();
    await rm(folder, { recursive: true, force: true });
  });

  const load = (manifests: string, sha256?: string) =>
    loadManifests({ manifests, ...(sha256 !== undefined && { sha256 }) }, fleetFile, {
      env: { ARCFLUX_CACHE_DIR: join(folder, "cache") },
    });

  it("are taken from a URL by their checksum alone, and fetched once", async () => {
    const sum = sha256Of(text);
    const message = `is a URL, which may hold something else tomorrow. Look at what it holds, then write beside it manifestsSha256: ${sum}`;
    expect(await load(url)).toEqual({ faults: [{ field: "manifests", message }] });
    expect(await load(url, "0".repeat(64))).toMatchObject({ faults: [{ field: "manifestsSha256" }] });
    asked = 0;
    const first = await load(url, sum);
    expect(first).toMatchObject({ sha256: sum, version: "2.9.2" });
    expect(await load(url, sum)).toEqual(first);
    expect(asked).toBe(1);
    expect(await keptManifests(sum, { ARCFLUX_CACHE_DIR: join(folder, "cache") })).toEqual(first);
  });

  it("are a file in the folder of the fleet file", async () => {
    expect(await load("flux.yaml")).toMatchObject({ minor: "2.9" });
    expect(await load("../flux.yaml")).toMatchObject({
      faults: [
        { message: "leads out of the folder of the fleet file; copy the file there, and write its path" },
      ],
    });
    expect(await load("gone.yaml")).toMatchObject({
      faults: [{ message: "does not exist; write there what `flux install --export` prints" }],
    });
  });

  it("are named where they are not Flux's, and where a URL cannot be asked", async () => {
    await writeFile(join(folder, "bad.yaml"), "kind: A\nspec: [\n");
    expect(await load("bad.yaml")).toEqual({
      faults: [
        {
          field: "manifests",
          message:
            "names bad.yaml, which is not valid YAML at line 3; write what `flux install --export` prints",
        },
      ],
    });
    // A port that no client asks: the error is a TypeError, and its cause alone says why.
    expect(await load("http://127.0.0.1:1/install.yaml", "0".repeat(64))).toEqual({
      faults: [{ field: "manifests", message: "cannot be fetched (bad port); try again, or write a file" }],
    });
  });

  it("have to be what the fleet file says of Flux, and are for clusters without Azure", async () => {
    const fleet = (flux: string, platform: string) => `apiVersion: arcflux/v1
repository: { url: https://git.example.com/edge/fleet.git }
arc: { resourceGroup: rg-edge, location: westeurope }
platform: ${platform}
agents: present
flux: ${flux}
clusters:
  a: { kubeconfig: { context: a } }
  b: { kubeconfig: { context: b } }
`;
    const validate = async (flux: string, platform = "kubernetes") => {
      await writeFile(fleetFile, fleet(flux, platform));
      const { code, err } = await arcflux(["validate"], folder, {
        env: { ARCFLUX_CACHE_DIR: join(folder, "cache") },
      });
      return [code, err];
    };
    expect(await validate("{ install: true, manifests: flux.yaml }")).toEqual([
      2,
      expect.stringMatching(
        /flux\.lockdown: is true, and the manifests start kustomize-controller without --no-cross-namespace-refs=true; .*\n.*flux\.version: is not that of the manifests, which are of Flux 2\.9\.2; write version: "2\.9", .* \(on a, b\)/,
      ),
    ]);
    expect(
      await validate('{ version: "2.9", lockdown: false, install: true, manifests: flux.yaml }'),
    ).toEqual([0, ""]);
    expect(await validate("{ install: true, manifests: flux.yaml }", "arc")).toEqual([
      2,
      expect.stringContaining("installs Flux without Azure, and platform arc gets it by Azure's extension"),
    ]);
    expect(await validate("{ install: true }")).toEqual([
      2,
      expect.stringContaining(
        "flux.install: needs flux.manifests: a file with what `flux install --export` prints",
      ),
    ]);
    expect(await validate("{ manifests: 'http://example.com/install.yaml' }")).toEqual([
      2,
      expect.stringContaining("flux.manifests: is not an https:// URL"),
    ]);
  });
});
