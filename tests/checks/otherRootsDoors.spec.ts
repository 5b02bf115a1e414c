import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { loadStackFleet } from "../../program/stackFleet.ts";
import { arcflux } from "../cli/process.ts";
import { type Fixture, GitWorkshop } from "../support/gitWorkshop.ts";
import { configMap } from "./repository.ts";

/* What others apply stops all three doors with the same words, and so does its confirmation open them. */

let workshop: GitWorkshop;
let folder: string;

beforeEach(() => {
  workshop = new GitWorkshop();
  folder = mkdtempSync(join(tmpdir(), "arcflux-other-roots-"));
  vi.stubEnv("ARCFLUX_GIT_CACHE_DIR", workshop.cache);
  for (const level of ["warn", "info"] as const) vi.spyOn(pulumi.log, level).mockResolvedValue(undefined);
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  workshop.remove();
  rmSync(folder, { recursive: true, force: true });
});

const kustomization = (name: string, path: string, more = "") => `apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: { name: ${name}, namespace: flux-system }
spec: { interval: 10m, prune: true, path: ${path}, sourceRef: { kind: GitRepository, name: flux-system }${more} }
`;
const bootstrapped = (root = "", set = "") => ({
  "clusters/a/flux-system/gotk-sync.yaml": kustomization("flux-system", "./clusters/a", root),
  "clusters/a/shop.yaml": kustomization("shop", "./apps/shop", set),
  "apps/shop/cm.yaml": configMap("shop"),
});
const fleetWith = (sets: string, top = "") => `apiVersion: arcflux/v1
repository: { url: https://git.example.com/edge/fleet.git }
platform: kubernetes
${top}clusters:
  a: { sets: { ${sets} } }
`;

/** What each door says that it stops for; undefined where it goes on. */
async function doors(fleet: string, files: Fixture): Promise<(string | undefined)[]> {
  writeFileSync(join(folder, "fleet.yaml"), fleet);
  const repository = await workshop.repository(files);
  const env = { ARCFLUX_GIT_CACHE_DIR: workshop.cache };
  const { code, err } = await arcflux(["validate", "--repo", repository], folder, { env });
  const program = async (isPreview: boolean): Promise<string | undefined> => {
    const outputs = { clusters: { a: { bootstrap: "edge-config-bootstrap" } } };
    const monitor = { call: () => ({ outputs }), newResource: () => ({ id: "", state: {} }) };
    await pulumi.runtime.setMocks(monitor, "arcflux", "dev", isPreview, "organization");
    try {
      await loadStackFleet({
        ...{ fleetFile: join(folder, "fleet.yaml"), repositoryUrl: `file://${repository}` },
        ...{ agentsChart: { chart: "" }, conflicts: {}, protect: true, compliance: false },
      });
      return undefined;
    } catch (error) {
      return (error as Error).message;
    }
  };
  return [code === 0 ? undefined : err, await program(true), await program(false)];
}

it("a flux folder below the one that flux bootstrap applies stops them, and a suspended root lets it be", async () => {
  const fleet = fleetWith("shop: { path: ./apps/shop }");
  const twice = expect.stringMatching(
    /clusters\.a: Kustomization flux-system in clusters\/a\/flux-system\/gotk-sync\.yaml applies clusters\/a, and both clusters\/a\/shop\.yaml and the generated clusters\/a\/flux\/shop\.yaml in it/,
  ) as unknown;
  expect(await doors(fleet, bootstrapped())).toEqual([twice, twice, twice]);
  const nothing = [undefined, undefined, undefined];
  expect(await doors(fleet, bootstrapped(", suspend: true"))).toEqual(nothing);
});

it("a workload under another name stops them, until the one that has it is suspended", async () => {
  const fleet = fleetWith("till: { path: ./apps/shop }", 'layout: { cluster: "fleet/{cluster}" }\n');
  const shared = expect.stringContaining("by shop, and set till would too: two owners") as unknown;
  expect(await doors(fleet, bootstrapped())).toEqual([shared, shared, shared]);
  const nothing = [undefined, undefined, undefined];
  expect(await doors(fleet, bootstrapped("", ", suspend: true"))).toEqual(nothing);
});

it("what a generated list leaves out, and what nothing lists, stops them until it has moved", async () => {
  const fleet = fleetWith("shop: { path: ./apps/shop }", "layout: { flux: . }\n");
  const deleted = expect.stringMatching(/leave out .*gotk-sync\.yaml .*so Flux deletes that/) as unknown;
  expect(await doors(fleet, bootstrapped())).toEqual([deleted, deleted, deleted]);
  const beside = fleetWith("shop: { path: ./apps/shop }", 'layout: { cluster: "fleet/{cluster}" }\n');
  expect(await doors(beside, bootstrapped())).toEqual([undefined, undefined, undefined]);
  const asleep = { "fleet/a/flux/restore.yaml": kustomization("restore", "./apps/shop") };
  const woken = expect.stringContaining("would apply fleet/a/flux/restore.yaml (Kustomization") as unknown;
  expect(await doors(beside, { ...bootstrapped(), ...asleep })).toEqual([woken, woken, woken]);
});
