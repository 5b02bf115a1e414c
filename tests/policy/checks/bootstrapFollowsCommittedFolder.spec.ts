import { describe, expect, test } from "vitest";

import { bootstrapFollowsCommittedFolder } from "../../../policy/checks/bootstrapFollowsCommittedFolder.ts";
import {
  checkStack,
  configurationType,
  gitFilesType,
  goodBootstrap,
  goodConfiguration,
  goodFiles,
  kustomization,
  unknown,
} from "../fixtures.ts";

type Props = Record<string, unknown>;

function check(configuration: Props, files: Props = {}, config = {}, dependsOn = ["files"]) {
  return checkStack(
    bootstrapFollowsCommittedFolder,
    [
      { type: gitFilesType, name: "files", inputs: { ...goodFiles(), ...files } },
      {
        type: configurationType,
        name: "edge-0",
        inputs: { ...goodConfiguration(), ...configuration },
        dependsOn,
      },
    ],
    config,
  );
}

const withPath = (path: unknown) => ({ kustomizations: { bootstrap: { ...goodBootstrap(), path } } });
const withUrl = (url: unknown) => ({ gitRepository: { url, repositoryRef: { branch: "main" } } });
const withRef = (repositoryRef: unknown) => ({
  gitRepository: { ...goodConfiguration().gitRepository, repositoryRef },
});

describe("bootstrap-follows-committed-folder", () => {
  test("passes what the program registers", async () => {
    expect(await check({})).toEqual({ violations: [] });
  });

  test.each([
    "clusters/edge-0/flux",
    "/clusters/edge-0/flux",
    "./clusters/edge-0/flux/",
    "clusters/edge-0//flux",
    "./clusters/x/../edge-0/flux",
  ])("takes path %s for the same folder", async (path) => {
    expect(await check(withPath(path))).toEqual({ violations: [] });
  });

  test.each([
    "./clusters/edge-0",
    "./apps/edge",
    "./clusters/edge-0/flux/sub",
    "./clusters/edge-01/flux",
    "../clusters/edge-0/flux",
    "",
    undefined,
  ])("refuses path %o (C05)", async (path) => {
    const { violations } = await check(withPath(path));
    expect(violations).toHaveLength(1);
    expect(violations[0]).toContain("FluxConfiguration 'edge-0': kustomizations.bootstrap.path is");
    expect(violations[0]).toContain("Set the path to './clusters/edge-0/flux'");
  });

  test("learns the folder from what is committed, not from its name", async () => {
    const files = { "gitops/a.yaml": kustomization(), "apps/values/x.yaml": "replicas: 2\n" };
    expect((await check({}, { files })).violations).toEqual([
      expect.stringContaining("Set the path to './clusters/edge-0/gitops'"),
    ]);
    expect(await check(withPath("clusters/edge-0/gitops"), { files })).toEqual({ violations: [] });
  });

  test("leaves out what another Kustomization applies, such as the sets of a window", async () => {
    const window = kustomization().replace("sets/set-01", "windows/nightly");
    const files = { "flux/window-nightly.yaml": window, "windows/nightly/pos.yaml": kustomization() };
    expect(await check({}, { files })).toEqual({ violations: [] });
    expect((await check(withPath("./clusters/edge-0"), { files })).violations).toHaveLength(1);
  });

  test("knows a layout without flux folder and a cluster at the root", async () => {
    const files = { "set-01.yaml": kustomization() };
    expect(await check(withPath("./clusters/edge-0"), { files })).toEqual({ violations: [] });
    expect(await check(withPath("./"), { files, directory: "" })).toEqual({ violations: [] });
    expect((await check(withPath("./x"), { files, directory: "" })).violations).toHaveLength(1);
  });

  test("knows a cluster without sets, whose folder the inventory keeps", async () => {
    const files = { files: {}, followed: "flux" };
    expect(await check({}, files)).toEqual({ violations: [] });
    expect((await check(withPath("./clusters/edge-0"), files)).violations).toHaveLength(1);
  });

  test("refuses a bootstrap whose cluster commits nothing", async () => {
    expect((await check({}, { files: {} })).violations).toEqual([
      expect.stringContaining("nothing is committed"),
    ]);
    expect((await check({}, { files: undefined })).violations).toHaveLength(1);
  });

  test.each([
    "https://git.example.com/edge/fleet",
    "https://GIT.example.com/edge/fleet.git/",
    "https://git.example.com:443/edge/fleet.git",
    "https://user:swordfish@git.example.com/edge/fleet.git",
    "ssh://git@git.example.com:2222/edge/fleet.git",
    "git@git.example.com:edge/fleet.git",
  ])("takes %s for the same repository", async (url) => {
    expect(await check(withUrl(url))).toEqual({ violations: [] });
  });

  test.each([
    "https://git.example.com/edge/other",
    "https://git.example.com/Edge/fleet",
    "https://git.example.com:8443/edge/fleet",
    undefined,
  ])("refuses repository %o", async (url) => {
    const { violations } = await check(withUrl(url));
    expect(violations).toEqual([expect.stringContaining("gitRepository.url is")]);
  });

  test("shows no credential of either URL", async () => {
    const { violations } = await check(withUrl("https://me:swordfish@git.example.com/a?sig=swordfish"), {
      repository: "https://swordfish@git.example.com/b",
    });
    expect(violations).toEqual([
      expect.stringContaining("'git.example.com/a', but the files are committed to 'git.example.com/b'"),
    ]);
    expect(violations.join()).not.toContain("swordfish");
  });

  test.each([{ branch: "prod" }, { tag: "main" }, {}, undefined])("refuses reference %o", async (ref) => {
    expect((await check(withRef(ref))).violations).toEqual([
      expect.stringContaining("committed to branch 'main'"),
    ]);
  });

  test("lets clusters follow a branch that files are promoted to, once it is named", async () => {
    expect(await check(withRef({ branch: "prod" }), {}, { followedBranches: ["test", "prod"] })).toEqual({
      violations: [],
    });
    expect(
      (await check(withRef({ branch: "dev" }), {}, { followedBranches: ["prod"] })).violations,
    ).toHaveLength(1);
  });

  test("lets a cluster of a stage follow the stage's branch, unless the setting says which", async () => {
    const staged = { delivery: { cluster: "edge-0", stage: "prod" } };
    expect(await check(withRef({ branch: "prod" }), staged)).toEqual({ violations: [] });
    const elsewhere = await check(withRef({ branch: "prod" }), staged, { followedBranches: ["test"] });
    expect(elsewhere.violations).toEqual([expect.stringContaining("branch is 'prod'")]);
    // A tag is no branch that anything is merged into.
    expect((await check(withRef({ tag: "v1" }), staged)).violations).toHaveLength(1);
  });

  test("refuses a configuration that depends on no files", async () => {
    const { violations } = await check({}, {}, {}, []);
    expect(violations).toEqual([expect.stringContaining("depends on 0 GitFiles")]);
    expect(violations[0]).toContain("Give it dependsOn");
  });

  test("finds the files of a cluster that is being retired, which waits for them no more", async () => {
    const ofCluster = { delivery: { cluster: "edge-0" } };
    expect(await check({}, ofCluster, {}, [])).toEqual({ violations: [] });
    expect((await check(withPath("./elsewhere"), ofCluster, {}, [])).violations).toHaveLength(1);
    expect((await check({}, { delivery: { cluster: "edge-1" } }, {}, [])).violations).toHaveLength(1);
  });

  test("reports every fault at once", async () => {
    expect((await check({ kustomizations: {}, gitRepository: undefined })).violations).toHaveLength(3);
  });

  test("checks branch and repository while the path or a file is unknown", async () => {
    const first = await check({ ...withPath(unknown), ...withRef({ branch: "prod" }) });
    expect(first.violations).toEqual([expect.stringContaining("branch is 'prod'")]);
    expect(first.skipped).toContain("FluxConfiguration 'edge-0'");
    const second = await check(withUrl("https://git.example.com/x"), { files: { "flux/a.yaml": unknown } });
    expect(second.violations).toEqual([expect.stringContaining("gitRepository.url is")]);
    expect(second.skipped).toContain("flux/a.yaml");
  });

  test("learns the folder from one known file when another is unknown", async () => {
    const files = { "flux/a.yaml": unknown, "flux/b.yaml": kustomization() };
    expect(await check({}, { files })).toEqual({ violations: [] });
    expect((await check(withPath("./clusters/edge-0"), { files })).violations).toHaveLength(1);
  });

  test("judges what was asked for, not how the providers answer", async () => {
    const { repository, branch, directory } = goodFiles();
    const blobs = { "flux/set-01.yaml": "1".repeat(40) };
    const outputs = { repository, branch, directory, commit: "0".repeat(40), blobs };
    const resources = (inputs?: Props, configured: Props = goodConfiguration()) => [
      { type: gitFilesType, name: "files", outputs, ...(inputs && { inputs }) },
      { type: configurationType, name: "edge-0", inputs: configured, dependsOn: ["files"] },
    ];
    expect(await checkStack(bootstrapFollowsCommittedFolder, resources(goodFiles()))).toEqual({
      violations: [],
    });
    // Without inputs, where only the state tells of them, the paths written are what is known.
    expect(await checkStack(bootstrapFollowsCommittedFolder, resources())).toEqual({ violations: [] });
    const wrong = { ...goodConfiguration(), ...withPath("./clusters/edge-0") };
    expect(
      (await checkStack(bootstrapFollowsCommittedFolder, resources(undefined, wrong))).violations,
    ).toHaveLength(1);
  });
});
