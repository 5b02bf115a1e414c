import { describe, expect, it } from "vitest";
import { changeLines, fileChanges, withoutKept } from "../../checks/fileChanges.ts";
import { repositoryReader } from "../../checks/repositoryReader.ts";
import type { Cluster } from "../../fleet/model.ts";
import { renderClusterFolder } from "../../flux/folder.ts";
import { fleetText, mustLoad } from "../fleet/fixture.ts";

const fleetWith = (sets: string) => {
  const others = Array.from(
    { length: 39 },
    (_, i) => `  store-${i}: { agents: present, sets: { ${sets} } }\n`,
  );
  return mustLoad(`${fleetText({ cluster: "sets: { pos: { interval: 20m } }" })}${others.join("")}`);
};
const filesOf = (fleet: ReturnType<typeof mustLoad>) =>
  new Map<Cluster, ReadonlyMap<string, string>>(
    fleet.clusters.map((cluster) => [
      cluster,
      new Map(
        Object.entries(renderClusterFolder(cluster, fleet)).map(([path, text]) => [
          `${cluster.folder}/${path}`,
          text,
        ]),
      ),
    ]),
  );

/** A tree in memory, as the update before left it. */
function treeOf(files: ReadonlyMap<string, string>) {
  return repositoryReader({
    list: (folders) =>
      Promise.resolve(
        new Map(
          folders.map((folder) => [
            folder,
            [...files.keys()]
              .filter((path) => path.startsWith(`${folder}/`))
              .map((path) => ({ name: path.slice(folder.length + 1), kind: "file" as const })),
          ]),
        ),
      ),
    read: (paths) =>
      Promise.resolve(
        new Map(
          paths.flatMap((path) =>
            files.has(path) ? [[path, new TextEncoder().encode(files.get(path))]] : [],
          ),
        ),
      ),
  });
}

describe("what a preview says of Git", () => {
  const before = new Map([...filesOf(fleetWith("pos: {}")).values()].flatMap((files) => [...files]));

  it("is nothing where nothing changes", async () => {
    expect(changeLines(await fileChanges(filesOf(fleetWith("pos: {}")), treeOf(before)))).toEqual([]);
  });

  it("is a line for each kind of change, with a count of clusters", async () => {
    const edited = new Map(before).set("clusters/edge-0/flux/pos.yaml", "kind: Other\n");
    const wanted = filesOf(fleetWith("monitoring: {}"));
    expect(changeLines(await fileChanges(wanted, treeOf(edited))).sort()).toEqual([
      "39 clusters: + flux/monitoring.yaml",
      "39 clusters: - flux/pos.yaml",
      "edge-0: ~ flux/pos.yaml",
    ]);
    const kept = new Map([["store-0", { "clusters/store-0/flux/pos.yaml": "" }]]);
    expect(changeLines(withoutKept(await fileChanges(wanted, treeOf(before)), kept))).toContain(
      "38 clusters: - flux/pos.yaml",
    );
  });
});
