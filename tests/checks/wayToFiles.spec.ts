import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { checkFleet, type FleetChecks } from "../../checks/checkFleet.ts";
import { formatPath } from "../../fleet/finding.ts";
import type { Cluster } from "../../fleet/model.ts";
import { formatInventory, inventoryName, objectId } from "../../git/index.ts";
import { renderClusterFolder } from "../../flux/folder.ts";
import { GitWorkshop, type Fixture } from "../support/gitWorkshop.ts";
import { clusterOf, fleetOf, setOf } from "./fleet.ts";

let workshop: GitWorkshop;
beforeEach(() => (workshop = new GitWorkshop()));
afterEach(() => workshop.remove());

const web = setOf("web", {}, { sourceRef: { kind: "OCIRepository", name: "charts" } });
const check = async (repository: string, clusters: readonly Cluster[], checks: Partial<FleetChecks> = {}) => {
  const { findings } = await checkFleet(fleetOf(...clusters), {
    repository,
    context: { env: workshop.env, tempRoot: workshop.tempRoot },
    finding: (severity, path, message) => ({
      ...{ severity, file: "", line: 1, column: 1, message },
      path: formatPath(path),
    }),
    extent: "folders",
    ...checks,
  });
  return findings.map(({ severity, path, message }) => `${severity}: ${path}: ${message}`).sort();
};

describe("what stands on the way to generated files", () => {
  const link = { mode: "120000", data: "../elsewhere" };
  const submodule = { mode: "160000", id: "a".repeat(40) };

  it.each<[string, Fixture, string]>([
    [
      "a link",
      { "clusters/a": link },
      "clusters/a/flux/web.yaml: clusters/a is a symlink, where a folder is needed",
    ],
    [
      "a submodule",
      { "clusters/a/flux": submodule },
      "clusters/a/flux/web.yaml: clusters/a/flux is a submodule, where a folder is needed",
    ],
    [
      "a file",
      { clusters: "no folder\n" },
      "clusters/a/flux/web.yaml: clusters is a file, where a folder is needed",
    ],
    [
      "a twin",
      { "clusters/A/x": "x\n" },
      "clusters/a/flux/web.yaml: differs only in case from clusters/A, or",
    ],
    [
      "a twin of a file",
      { "clusters/a/flux/Web.yaml": "{}\n" },
      "clusters/a/flux/web.yaml: differs only in case from clusters/a/flux/Web.yaml, or",
    ],
  ])("is an error: %s", async (_, files, message) => {
    const repository = await workshop.repository({ "README.md": "The fleet\n", ...files });
    const found = await check(repository, [clusterOf("a", [web])]);
    expect(found.filter((line) => line.startsWith("error"))).toEqual([
      expect.stringContaining(`error: clusters.a.sets.web: ${message}`),
    ]);
  });

  it("is said once for all clusters", async () => {
    const repository = await workshop.repository({ clusters: link });
    const found = await check(
      repository,
      ["a", "b", "c"].map((name) => clusterOf(name, [web])),
    );
    expect(found).toEqual([
      expect.stringMatching(
        /^error: clusters\.a\.sets\.web: .*: clusters is a symlink.* \(the same for b, c\)$/,
      ),
    ]);
  });
});

describe("generated files that somebody changed", () => {
  const clusters = ["a", "b", "c", "d"].map((name) => clusterOf(name, [web]));
  const files = (name: string, edit = (text: string) => text): [string, string] => {
    const cluster = clusters.find((one) => one.name === name)!;
    return [`${cluster.folder}/flux/web.yaml`, edit(renderClusterFolder(cluster)["flux/web.yaml"]!)];
  };
  const all = (edit?: (text: string) => string): Fixture =>
    Object.fromEntries(["a", "b", "c", "d"].map((name) => files(name, edit)));
  /** What an update commits: files, and inventories that list them. */
  const written = (edit?: (text: string) => string): Fixture => ({
    ...all(edit),
    ...Object.fromEntries(
      clusters.map(({ name, fluxFolder }) => {
        const [path, text] = files(name, edit);
        const recorded = { blob: objectId("blob", Buffer.from(text), 40), executable: false, serial: 1 };
        const inventory = { owner: `edge/prod/${name}`, left: [], files: new Map([[path, recorded]]) };
        return [`${fluxFolder}/${inventoryName}`, formatInventory(inventory)];
      }),
    ),
  });

  it("are one warning a commit, with fields; what the fleet file says too is none, nor what Arcflux wrote", async () => {
    const repository = await workshop.repository({ "README.md": "The fleet\n" });
    workshop.commit(
      repository,
      written((text) => text.replace("10m", "30m")),
    );
    // A change of the fleet file that is not written yet.
    expect(await check(repository, clusters, { extent: "deletions" })).toEqual([]);
    workshop.commit(repository, written());
    const edit = (text: string): string => text.replace("10m", "1m");
    const commit = workshop.commit(
      repository,
      Object.fromEntries(["a", "b", "c"].map((name) => files(name, edit))),
    );
    const warning =
      `warning: clusters.a: 3 clusters, ${commit.slice(0, 7)} by Pat: interval. It changed generated files; write the change ` +
      "into the fleet file, or put them back: stack config arcflux:drift restore, and `pulumi up --refresh`";
    for (const extent of ["deletions", "folders"] as const)
      expect(await check(repository, clusters, { extent })).toEqual([warning]);
    const agreed = clusters.map((cluster) => ({
      ...cluster,
      sets: [{ ...web, spec: { ...web.spec, interval: "1m" } }],
    }));
    expect(await check(repository, [...agreed.slice(0, 3), clusters[3]!])).toEqual([]);
  });
});
