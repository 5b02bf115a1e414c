import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { renderClusterFolder } from "../../flux/folder.ts";
import { loadStackFleet } from "../../program/stackFleet.ts";
import { arcflux } from "../cli/process.ts";
import { fleetText, mustLoad } from "../fleet/fixture.ts";
import { GitWorkshop } from "../support/gitWorkshop.ts";

const before = fleetText({ cluster: "sets: { pos: { path: ./apps/pos }, web: { path: ./apps/web } }" });
const dropped = fleetText({ cluster: "sets: { web: { path: ./apps/web } }" });
const added = before.replace("web: {", "more: { path: ./apps/more }, web: {");

let workshop: GitWorkshop;
let folder: string;
let repository: string;

beforeEach(async () => {
  workshop = new GitWorkshop();
  folder = mkdtempSync(join(tmpdir(), "arcflux-removed-"));
  const [cluster] = mustLoad(before).clusters;
  const generated = Object.entries(renderClusterFolder(cluster!)).map(
    ([path, text]) => [`${cluster!.folder}/${path}`, text] as const,
  );
  repository = await workshop.repository({
    ...Object.fromEntries(generated),
    "apps/more/a.yaml": "kind: ConfigMap\n",
    "apps/pos/a.yaml": "kind: ConfigMap\n",
    "apps/web/a.yaml": "kind: ConfigMap\n",
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  workshop.remove();
  rmSync(folder, { recursive: true, force: true });
});

const save = (text: string): string => {
  const file = join(folder, "fleet.yaml");
  writeFileSync(file, text);
  return file;
};

describe("a set that goes away (A16)", () => {
  it("is a warning of arcflux validate --repo at the cluster in the fleet file, and an error with --strict", async () => {
    const validate = (text: string, ...args: string[]) => {
      save(text);
      const start = { env: { ARCFLUX_CACHE_DIR: workshop.cache } };
      return arcflux(["validate", "--repo", repository, ...args], folder, start);
    };
    const { code, err } = await validate(dropped);
    expect(err).toMatch(
      /^fleet\.yaml:6:3: warning: clusters\.edge-0: set pos goes away with prune: true, .*\n$/,
    );
    expect(code).toBe(0);
    const strict = await validate(dropped, "--strict");
    expect([strict.code, strict.err]).toEqual([2, err.replace("warning: ", "")]);
    for (const text of [before, added]) {
      expect(await validate(text, "--strict")).toMatchObject({ code: 0, err: "" });
    }
  });

  it("is a warning of a preview, which is quiet when sets stay and come", async () => {
    vi.stubEnv("ARCFLUX_CACHE_DIR", workshop.cache);
    const log = vi.spyOn(pulumi.log, "warn").mockResolvedValue(undefined);
    const nothing = { call: () => ({}), newResource: () => ({ id: "", state: {} }) };
    const preview = async (text: string, isPreview = true) => {
      log.mockClear();
      await pulumi.runtime.setMocks(nothing, "arcflux", "dev", isPreview);
      await loadStackFleet({
        fleetFile: save(text),
        repositoryUrl: `file://${repository}`,
        agentsChart: { chart: "" },
        conflicts: {},
        protect: true,
      });
      return log.mock.calls.map(([line]) => line);
    };
    expect(await preview(dropped)).toEqual([
      expect.stringContaining("warning: clusters.edge-0: set pos goes away with prune: true"),
    ]);
    expect(await preview(before)).toEqual([]);
    expect(await preview(added)).toEqual([]);
    expect(await preview(dropped, false)).toEqual([]);
  });
});
