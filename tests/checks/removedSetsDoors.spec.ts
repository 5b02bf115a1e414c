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
import { configMap } from "./repository.ts";

/** No Azure behind it, which would be asked what others changed. */
const ofKubernetes = (cluster: string): string =>
  fleetText({ cluster }).replace("agents: present", "platform: kubernetes");
const before = ofKubernetes("sets: { pos: { path: ./apps/pos }, web: { path: ./apps/web } }");
const dropped = ofKubernetes("sets: { web: { path: ./apps/web } }");
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
    "apps/more/a.yaml": configMap("more"),
    "apps/pos/a.yaml": configMap("pos"),
    "apps/web/a.yaml": configMap("web"),
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
  it("is an error of arcflux validate --repo at the cluster in the fleet file, until `removed` names it", async () => {
    const validate = (text: string, ...args: string[]) => {
      save(text);
      const start = { env: { ARCFLUX_GIT_CACHE_DIR: workshop.cache } };
      return arcflux(["validate", "--repo", repository, ...args], folder, start);
    };
    const { code, err } = await validate(dropped);
    expect(err).toMatch(
      /^fleet\.yaml:6:3: clusters\.edge-0: set pos goes away with prune: true, .*`removed: \[edge-0\/pos\]`\n$/,
    );
    expect(code).toBe(2);
    const decided = await validate(`${dropped}removed: [edge-0/pos]\n`);
    expect(decided.err).toMatch(
      /^fleet\.yaml:6:3: warning: clusters\.edge-0: set pos goes away with prune: true, .*; `removed` says so\n$/,
    );
    expect(decided.code).toBe(0);
    // What is decided is no reason to stop, else a strict check could never let a set go.
    expect(await validate(`${dropped}removed: [edge-0/pos]\n`, "--strict")).toMatchObject({
      code: 0,
      err: "",
    });
    for (const text of [before, added]) {
      expect(await validate(text, "--strict")).toMatchObject({ code: 0, err: "" });
    }
    const stale = await validate(`${before}removed:\n  - old\n`);
    expect(stale.err).toMatch(
      /^fleet\.yaml:10:5: warning: removed\[0\]: old is gone everywhere: take the entry out, .*\n$/,
    );
    expect(stale.code).toBe(0);
  });

  describe("for the program", () => {
    let log: { mock: { calls: unknown[][] } };
    const nothing = {
      call: () => ({ outputs: { clusters: { "edge-0": { bootstrap: "edge-config-bootstrap" } } } }),
      newResource: () => ({ id: "", state: {} }),
    };
    const load = async (
      text: string,
      isPreview: boolean,
      url = `file://${repository}`,
      selection?: { readonly names: readonly string[] },
    ) => {
      log.mock.calls.length = 0;
      await pulumi.runtime.setMocks(nothing, "arcflux", "dev", isPreview, "organization");
      await loadStackFleet({
        fleetFile: save(text),
        repositoryUrl: url,
        ...(selection && { selection }),
        agentsChart: { chart: "" },
        conflicts: {},
        protect: true,
        compliance: false,
      });
      return log.mock.calls.map(([line]) => line);
    };
    beforeEach(() => {
      vi.stubEnv("ARCFLUX_GIT_CACHE_DIR", workshop.cache);
      log = vi.spyOn(pulumi.log, "warn").mockResolvedValue(undefined);
    });

    it.each([
      ["a preview", true],
      ["an update", false],
    ])(
      "is an error of %s, until `removed` names it; sets that stay and come are none",
      async (_, isPreview) => {
        await expect(load(dropped, isPreview)).rejects.toThrow(
          /^\S+fleet\.yaml:6:3: clusters\.edge-0: set pos goes away with prune: true/,
        );
        expect(await load(`${dropped}removed: [pos]\n`, isPreview)).toEqual([
          expect.stringMatching(
            /:6:3: warning: clusters\.edge-0: set pos goes away with prune: true, .*`removed` says so$/,
          ),
        ]);
        expect(await load(before, isPreview)).toEqual([]);
        expect(await load(added, isPreview)).toEqual([]);
        const stale = `${before}removed: [old]\n`;
        expect(await load(stale, isPreview)).toEqual([expect.stringContaining("old is gone everywhere")]);
        // A stack may manage a part of the fleet only, and knows nothing of the rest.
        expect(await load(stale, isPreview, undefined, { names: ["edge-0"] })).toEqual([]);
      },
    );

    it("stops an update where the repository is out of reach; a preview warns of that", async () => {
      const away = "http://127.0.0.1:9/fleet.git";
      expect(await load(dropped, true, away)).toEqual([
        expect.stringMatching(/warning: repository\.url: could not be read, .*; an update stops here/),
      ]);
      await expect(load(dropped, false, away)).rejects.toThrow(
        /fleet\.yaml:\d+:\d+: repository\.url: could not be read, .* Nothing was changed\./,
      );
    });

    it("is none on a branch that the update makes", async () => {
      const other = `repository: { branch: other, createBranch: orphan, url: https://git.example.com/edge/fleet.git }`;
      expect(await load(dropped.replace(/^repository: .*$/m, other), false)).toEqual([]);
    });
  });
});
