import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { loadStackFleet } from "../../program/stackFleet.ts";
import { fleetText } from "../fleet/fixture.ts";
import { GitWorkshop } from "../support/gitWorkshop.ts";

/** A cluster that the last update had, of which Azure is not asked. */
const clusters = { "edge-0": { bootstrap: "edge-config-bootstrap" } };

let workshop: GitWorkshop;
let folder: string;
let repository: string;
let log: { mock: { calls: unknown[][] } };

beforeEach(async () => {
  workshop = new GitWorkshop();
  folder = mkdtempSync(join(tmpdir(), "arcflux-branch-"));
  repository = await workshop.repository({ "README.md": "The fleet\n" });
  workshop.git(repository, "branch", "stable", "main");
  vi.stubEnv("ARCFLUX_GIT_CACHE_DIR", workshop.cache);
  log = vi.spyOn(pulumi.log, "warn").mockResolvedValue(undefined);
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  workshop.remove();
  rmSync(folder, { recursive: true, force: true });
});

/** Loads a fleet whose `repository` has these fields beside its URL. */
async function load(fields: string, isPreview: boolean, url?: string, stages = ""): Promise<unknown[]> {
  const own = `file://${repository}`;
  const staged = stages === "" ? {} : { top: stages, cluster: "stage: live" };
  const text = fleetText(staged)
    .replace("agents: present", "platform: kubernetes")
    .replace(
      /^repository: .*$/m,
      `repository: { url: "${url === undefined ? own : "https://git.example.com/edge/fleet.git"}", ${fields} }`,
    );
  writeFileSync(join(folder, "fleet.yaml"), text);
  await pulumi.runtime.setMocks(
    { call: () => ({ outputs: { clusters } }), newResource: () => ({ id: "", state: {} }) },
    "arcflux",
    "dev",
    isPreview,
    "organization",
  );
  await loadStackFleet({
    fleetFile: join(folder, "fleet.yaml"),
    ...(url !== undefined && { repositoryUrl: url }),
    agentsChart: { chart: "" },
    conflicts: {},
    protect: true,
    compliance: false,
  });
  return log.mock.calls.map(([line]) => line);
}

describe.each([
  ["a preview", true],
  ["an update", false],
])("a branch that is not there, in %s", (_, isPreview) => {
  it("is an error at the branch, with the branches there are and both ways on", async () => {
    const refused = load("branch: mian", isPreview);
    await expect(refused).rejects.toThrow(/fleet\.yaml:2:\d+: repository\.branch: .* has no branch mian\./);
    await expect(refused).rejects.toThrow(/Branches there: main, stable\./);
    await expect(refused).rejects.toThrow(/repository\.createBranch: fromDefault .*orphan/);
    expect(log.mock.calls).toEqual([]);
    const column = `repository: { url: "file://${repository}", branch: `.length + 1;
    await expect(refused).rejects.toThrow(`fleet.yaml:2:${column}: `);
  });

  it("stands at the branch also where the URL comes from elsewhere, and at `repository` where none is named", async () => {
    const url = `file://${repository}`;
    await expect(load("branch: mian", isPreview, url)).rejects.toThrow(/:2:\d+: repository\.branch: /);
    workshop.git(repository, "branch", "--delete", "--force", "main");
    await expect(load("access: public", isPreview, url)).rejects.toThrow(
      /fleet\.yaml:2:\d+: repository\.branch: .* has no branch main\. Branches there: stable\./,
    );
  });

  it.each(["fromDefault", "orphan"])("is none with createBranch: %s", async (origin) => {
    expect(await load(`branch: other, createBranch: ${origin}`, isPreview)).toEqual([]);
  });

  it("of a stage is an error at the stage, or made by an update at the tip of the default branch", async () => {
    const staged = (fields: string) =>
      load(fields, isPreview, `file://${repository}`, "stages: { live: { branch: live } }");
    const refused =
      /fleet\.yaml:\d+:\d+: stages\.live\.branch: .* has no branch live, so edge-0 would follow nothing\./;
    await expect(staged("branch: main")).rejects.toThrow(refused);
    await expect(staged("branch: main, createBranch: orphan")).rejects.toThrow(refused);
    expect(await staged("branch: main, createBranch: fromDefault")).toEqual([]);
    const made = workshop.try(repository, "rev-parse", "live");
    expect(made).toBe(isPreview ? undefined : workshop.git(repository, "rev-parse", "main"));
  });

  it("is an error for pull requests whatever createBranch says: the branch to merge into is never made", async () => {
    const mode = "branch: mian, mode: pullRequest, pullRequest: { host: git }";
    for (const fields of [mode, `${mode}, createBranch: orphan`]) {
      const refused = load(fields, isPreview);
      await expect(refused).rejects.toThrow(/repository\.branch: .* has no branch mian\./);
      await expect(refused).rejects.not.toThrow(/fromDefault/);
    }
  });

  it("is not said of a repository that cannot be reached", async () => {
    const said = load("branch: mian", isPreview, "http://127.0.0.1:9/fleet.git");
    const unread = /repository\.url: could not be read, so the fleet was not checked/;
    await (isPreview
      ? expect(said).resolves.toEqual([expect.stringMatching(unread)])
      : expect(said).rejects.toThrow(unread));
  });
});
