import { describe, expect, it } from "vitest";
import { clusterFolders } from "../../import/clusterFolders.ts";
import { clusterNames } from "../../import/clusterNames.ts";

function foldersOf(...folders: string[]): Record<string, string> {
  const names = clusterNames(folders);
  return Object.fromEntries(
    clusterFolders(
      folders.map((folder, index) => ({ name: names[index]!, folder })),
      "fleet",
    ),
  );
}

describe("folders of imported clusters", () => {
  it.each([
    ["one cluster", ["clusters/prod/a"], {}],
    ["one depth", ["clusters/prod/a", "clusters/dev/a"], {}],
    [
      "different depths",
      ["clusters/hub", "clusters/prod/north/a", "clusters/prod/b/flux"],
      { a: "fleet/prod/north/a", b: "fleet/prod/b" },
    ],
    ["no folder in common", ["hub", "stores/a"], { a: "fleet/stores/a" }],
    ["one that would lie in another's", ["clusters/prod", "clusters/prod/a"], {}],
    ["a root of the whole repository", ["", "clusters/a"], {}],
  ])("of %s", (_, folders, expected) => {
    expect(foldersOf(...folders)).toEqual(expected);
  });
});
