import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { renderClusterFolder } from "../../flux/folder.ts";
import { formatInventory } from "../../git/commit/inventory.ts";
import { loadStackFleet } from "../../program/stackFleet.ts";
import type { Conflicts } from "../../program/stackSettings.ts";
import { arcflux } from "../cli/process.ts";
import { fleetText, mustLoad } from "../fleet/fixture.ts";
import { GitWorkshop, type Fixture } from "../support/gitWorkshop.ts";
import { byHand, configMap } from "./repository.ts";

/** No Azure behind it, which would be asked what others changed. */
const fleet = fleetText({ cluster: "sets: { pos: { path: ./apps/pos } }" }).replace(
  "agents: present",
  "platform: kubernetes",
);
const [cluster] = mustLoad(fleet).clusters;
const path = "clusters/edge-0/flux/pos.yaml";
const generated = renderClusterFolder(cluster!)["flux/pos.yaml"] ?? "";
const withoutNote = generated.replace(/^#.*\n/, "");

/** The same object as a person would write it: another spelling of a duration, other quotes, no comment. */
const sameByHand = withoutNote.replace(/interval: "?10m"?/, "interval: 10m0s");
/** Ours after a hand edit that took the first line away too. */
const edited = withoutNote.replace(/interval: "?10m"?/, "interval: 99m");

let workshop: GitWorkshop;
let folder: string;
let log: { mock: { calls: unknown[][] } };

beforeEach(() => {
  workshop = new GitWorkshop();
  folder = mkdtempSync(join(tmpdir(), "arcflux-in-the-way-"));
  vi.stubEnv("ARCFLUX_GIT_CACHE_DIR", workshop.cache);
  log = vi.spyOn(pulumi.log, "warn").mockResolvedValue(undefined);
  writeFileSync(join(folder, "fleet.yaml"), fleet);
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  workshop.remove();
  rmSync(folder, { recursive: true, force: true });
});

const repositoryWith = (files: Fixture): Promise<string> =>
  workshop.repository({ "apps/pos/a.yaml": configMap("pos"), ...files });

const validate = (repository: string) =>
  arcflux(["validate", "--repo", repository], folder, { env: { ARCFLUX_GIT_CACHE_DIR: workshop.cache } });

/** A cluster that the last update had. */
const known = { bootstrap: "edge-config-bootstrap" };

/** What the program warns of in a preview. */
async function preview(
  repository: string,
  conflicts: Conflicts = {},
  outputs: unknown = { clusters: { "edge-0": known } },
): Promise<unknown[]> {
  log.mock.calls.length = 0;
  await pulumi.runtime.setMocks(
    { call: () => ({ outputs }), newResource: () => ({ id: "", state: {} }) },
    "arcflux",
    "dev",
    true,
    "organization",
  );
  await loadStackFleet({
    fleetFile: join(folder, "fleet.yaml"),
    repositoryUrl: `file://${repository}`,
    agentsChart: { chart: "" },
    conflicts,
    protect: true,
    compliance: false,
  });
  return log.mock.calls.map(([line]) => line);
}

const decided: [string, Conflicts][] = [
  ["adopt overwrite", { adopt: "overwrite" }],
  ["drift restore", { drift: "restore" }],
];

describe("a hand-written file where an update would write", () => {
  it("is none where it means the same, as the update takes it over", async () => {
    expect(sameByHand).toContain("interval: 10m0s");
    const repository = await repositoryWith({ [path]: sameByHand });
    expect(await validate(repository)).toMatchObject({ code: 0, err: "" });
    expect(await preview(repository)).toEqual([]);
  });

  it("is an error of arcflux validate --repo, which knows no state, and a warning of a preview", async () => {
    const repository = await repositoryWith({ [path]: byHand("other") });
    const { code, err } = await validate(repository);
    expect(err).toMatch(
      /^fleet\.yaml:8:18: clusters\.edge-0\.sets\.pos: clusters\/edge-0\/flux\/pos\.yaml is a file that was not generated/,
    );
    expect(code).toBe(2);

    const [warning, ...none] = await preview(repository);
    expect(none).toEqual([]);
    expect(warning).toMatch(
      /fleet\.yaml:8:18: warning: clusters\.edge-0\.sets\.pos: clusters\/edge-0\/flux\/pos\.yaml is a file that was not generated/,
    );
    expect(warning).toMatch(/so an update stops at edge-0 \(others go on .*arcflux:adopt overwrite/);
    expect(await preview(repository, { adopt: "same", drift: "stop" })).toEqual([warning]);
  });

  it.each(decided)("stops nothing with %s, which writes over it", async (_, conflicts) => {
    const ours = { blob: "1".repeat(40), executable: false, serial: 1 };
    const inventory = { owner: "arcflux/dev/edge-0", left: [], files: new Map([[path, ours]]) };
    const files = conflicts.adopt
      ? {}
      : { "clusters/edge-0/flux/.arcflux-inventory": formatInventory(inventory) };
    for (const there of [byHand("other"), edited]) {
      const found = await preview(await repositoryWith({ [path]: there, ...files }), conflicts);
      // What the state does not know of is written back by a run that looks.
      const looks = expect.stringContaining("`pulumi up --refresh`") as unknown;
      expect(found).toEqual(conflicts.adopt ? [] : [looks]);
    }
  });

  it.each([["no decision", {}] as [string, Conflicts], ...decided])(
    "is warned of with %s where it holds objects of others beside ours: no setting writes over those",
    async (_, conflicts) => {
      const repository = await repositoryWith({ [path]: `${edited}---\n${byHand("theirs")}` });
      const [warning, ...none] = await preview(repository, conflicts);
      expect(none).toEqual([]);
      expect(warning).toMatch(
        /warning: .*pos\.yaml: it holds objects that are not of this stack \(Kustomization flux-system\/theirs\); move them to a file of their own, so an update stops at edge-0/,
      );
      expect(warning).toMatch(/whatever stack config says$/);
      expect((await validate(repository)).code).toBe(2);
    },
  );
});

describe("what is no file", () => {
  it.each([["no decision", {}] as [string, Conflicts], ...decided])(
    "is an error of a preview with %s, since nothing is written over it",
    async (_, conflicts) => {
      for (const [kind, files] of [
        ["folder", { [`${path}/a.yaml`]: byHand("inner") }],
        ["submodule", { [path]: { mode: "160000", id: "1".repeat(40) } }],
        ["symlink", { [path]: { mode: "120000", data: "elsewhere.yaml" } }],
      ] as [string, Fixture][]) {
        const repository = await repositoryWith(files);
        await expect(preview(repository, conflicts)).rejects.toThrow(`${path}: a ${kind} is there`);
        expect((await validate(repository)).code).toBe(2);
      }
    },
  );
});

describe("a folder that moves", () => {
  it("is an error of a preview where manifests of others would be lost, as of the update", async () => {
    const old = "stores/old/flux";
    const left = { blob: "1".repeat(40), executable: false, serial: 3 };
    const owner = "arcflux/dev/edge-0";
    const inventory = { owner, left: [], files: new Map([[`${old}/pos.yaml`, left]]) };
    const repository = await repositoryWith({
      [`${old}/.arcflux-inventory`]: formatInventory(inventory),
      [`${old}/theirs.yaml`]: byHand("theirs"),
    });
    const outputs = { clusters: { "edge-0": { ...known, inventory: { folder: old, owner, serial: 3 } } } };
    await expect(preview(repository, {}, outputs)).rejects.toThrow(
      /stores\/old\/flux\/theirs\.yaml: it is not in the new folder, so what it applied would be deleted/,
    );
    expect(await preview(repository)).not.toContainEqual(expect.stringContaining("theirs.yaml"));
  });
});
