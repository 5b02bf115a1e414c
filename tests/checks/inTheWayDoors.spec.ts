import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { renderClusterFolder } from "../../flux/folder.ts";
import { loadStackFleet } from "../../program/stackFleet.ts";
import type { Conflicts } from "../../program/stackSettings.ts";
import { arcflux } from "../cli/process.ts";
import { fleetText, mustLoad } from "../fleet/fixture.ts";
import { GitWorkshop, type Fixture } from "../support/gitWorkshop.ts";
import { byHand, configMap } from "./repository.ts";

const fleet = fleetText({ cluster: "sets: { pos: { path: ./apps/pos } }" });
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

/** What the program warns of in a preview. */
async function preview(repository: string, conflicts: Conflicts = {}): Promise<unknown[]> {
  log.mock.calls.length = 0;
  await pulumi.runtime.setMocks(
    { call: () => ({}), newResource: () => ({ id: "", state: {} }) },
    "arcflux",
    "dev",
    true,
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
    expect(warning).toMatch(/so the update of edge-0 will stop \(others go on/);
    expect(warning).toMatch(/unless this stack wrote it, which only its state knows/);
    expect(warning).toMatch(/arcflux:adopt overwrite .*arcflux:drift restore/);
    expect(await preview(repository, { adopt: "same", drift: "stop" })).toEqual([warning]);
  });

  it.each(decided)("is nothing to warn of with %s, which writes over it", async (_, conflicts) => {
    for (const there of [byHand("other"), edited]) {
      expect(await preview(await repositoryWith({ [path]: there }), conflicts)).toEqual([]);
    }
  });

  it.each([["no decision", {}] as [string, Conflicts], ...decided])(
    "is warned of with %s where it holds objects of others beside ours: no setting writes over those",
    async (_, conflicts) => {
      const repository = await repositoryWith({ [path]: `${edited}---\n${byHand("theirs")}` });
      const [warning, ...none] = await preview(repository, conflicts);
      expect(none).toEqual([]);
      expect(warning).toMatch(
        /warning: .*pos\.yaml holds objects that are not of this stack \(Kustomization flux-system\/theirs\)/,
      );
      expect(warning).toMatch(/whatever stack config says; move them to a file of their own$/);
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
        await expect(preview(repository, conflicts)).rejects.toThrow(`${path} is a ${kind}, and this would`);
        expect((await validate(repository)).code).toBe(2);
      }
    },
  );
});
