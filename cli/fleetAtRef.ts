import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { repositoryReader } from "../checks/repositoryReader.ts";
import type { RepositoryTree } from "../checks/repositoryTree.ts";
import type { Finding } from "../fleet/finding.ts";
import type { Loaded } from "../fleet/load.ts";
import { type GitContext, GitError, withTrees } from "../git/index.ts";
import { asList, asMap, asText } from "../values/maps.ts";
import { folderOf, fullPath } from "../values/path.ts";
import { readYaml } from "../values/readYaml.ts";
import { folder as plainFolder, pathFault } from "../values/repositoryPath.ts";
import { show } from "../values/show.ts";
import { UsageError } from "./fleetCommand.ts";
import { loadFleetFile } from "./loadFleetFile.ts";

/** A repository at one revision. */
export interface AtRef {
  readonly tree: RepositoryTree;
  /** The repository at a full ref or commit; undefined where it is not there. */
  readonly at: (revision: string) => Promise<RepositoryTree | undefined>;
  readonly refs: Parameters<Parameters<typeof withTrees>[3]>[0]["refs"];
}

/** Hands a branch, tag or commit of a repository to `use`, without a clone. */
export function withRef<T>(
  url: string,
  ref: string,
  git: GitContext,
  use: (at: AtRef) => Promise<T>,
): Promise<T> {
  return withTrees(url, [], git, async ({ at, refs }) => {
    const names = [`refs/heads/${ref}`, `refs/tags/${ref}`, ...(/^[0-9a-f]{40,64}$/.test(ref) ? [ref] : [])];
    for (const name of names) {
      const tree = await at(name);
      if (tree !== undefined) return use({ tree, at, refs });
    }
    const { branches } = await refs();
    throw new GitError(
      "missingBranch",
      `${url} has no branch or tag ${show(ref)}, and a commit is named by all of its digits. Branches there: ${branches.slice(0, 10).join(", ") || "none"}.`,
    );
  });
}

/** More than any fleet file includes. */
const mostFiles = 2_000;

/** Loads a fleet file of a tree, with the files that it includes: they lie in a temporary folder meanwhile. */
export async function loadFleetOf(tree: RepositoryTree, file: string, ref: string): Promise<Loaded> {
  const fault = pathFault(file);
  if (fault !== undefined) throw new UsageError(`--file ${show(file)} ${fault}.`);
  const path = plainFolder(file);
  const text = await repositoryReader(tree).read(path);
  if (text === undefined)
    throw new UsageError(`${ref} has no file ${show(path)}. Name the fleet file there, with --file.`);
  const place = await mkdtemp(join(tmpdir(), "arcflux-fleet-"));
  try {
    const paths = await includedPaths(tree, folderOf(path), text);
    const contents = await tree.read([path, ...paths]);
    for (const [name, content] of contents) {
      await mkdir(dirname(join(place, name)), { recursive: true });
      await writeFile(join(place, name), content);
    }
    const loaded = await loadFleetFile(join(place, path));
    const named = (finding: Finding): Finding => ({ ...finding, file: inRef(finding.file, place, ref) });
    return {
      ...loaded,
      findings: loaded.findings.map(named),
      finding: (...args) => named(loaded.finding(...args)),
    };
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}

/** `e2e:stores/fleet.yaml`, as git writes a file of a commit. */
function inRef(file: string, place: string, ref: string): string {
  return file.startsWith(`${place}/`) ? `${ref}:${file.slice(place.length + 1)}` : file;
}

/** YAML files that patterns of `include` may mean: whatever lies below their folders. */
async function includedPaths(tree: RepositoryTree, below: string, text: string): Promise<string[]> {
  const read = readYaml(text, { version: "1.2" });
  const [main] = "fault" in read ? [] : read.documents;
  const patterns = asList(asMap(main)["include"]).flatMap((pattern) => asText(pattern) ?? []);
  const files = new Set<string>();
  let open: string[] = [];
  for (const pattern of patterns) {
    const parts = pattern.split("/").filter((part) => part !== "." && part !== "");
    const star = parts.findIndex((part) => part.includes("*"));
    if (star < 0) files.add(fullPath(below, parts.join("/")));
    else open.push(plainFolder(fullPath(below, parts.slice(0, star).join("/"))));
  }
  while (open.length > 0) {
    const lists = await tree.list(open);
    open = [];
    for (const [folder, entries] of lists) {
      for (const { name, kind } of entries) {
        if (kind === "folder") open.push(fullPath(folder, name));
        else if (/\.ya?ml$/.test(name)) files.add(fullPath(folder, name));
      }
    }
    if (files.size + open.length > mostFiles)
      throw new UsageError(
        `include stands for more than ${mostFiles} files and folders of that ref. Write narrower patterns, or clone it.`,
      );
  }
  return [...files];
}
