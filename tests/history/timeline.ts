import { spawnSync } from "node:child_process";
import { createBareRepository } from "../../lab/createBareRepository.ts";

/** One commit of a timeline. Branches are by name; a file of null is taken away. */
export interface Step {
  readonly branch: string;
  /** Seconds since 1970. */
  readonly time: number;
  readonly files?: Readonly<Record<string, string | null>>;
  /** Takes the tree of this branch as it is, byte for byte. */
  readonly treeOf?: string;
  /** Moves the branch to where that other one is. */
  readonly forwardTo?: string;
  /** Second parents: branches as they are. */
  readonly merges?: readonly string[];
  readonly author?: string;
  readonly message?: string;
}

/** Writes a bare repository commit by commit with plain git; returns the commits in order. */
export async function writeTimeline(path: string, steps: readonly Step[]): Promise<string[]> {
  await createBareRepository(path, { branch: "main" });
  const git = (args: readonly string[], input = "", env: NodeJS.ProcessEnv = {}): string => {
    const { status, stdout, stderr } = spawnSync("git", ["--git-dir", path, ...args], {
      input,
      env: { PATH: process.env["PATH"], HOME: path, ...env },
    });
    if (status !== 0) throw new Error(`git ${args.join(" ")}: ${stderr.toString()}`);
    return stdout.toString().trim();
  };
  const tips = new Map<string, string>();
  const trees = new Map<string, ReadonlyMap<string, string>>();
  return steps.map(
    ({ branch, time, files = {}, treeOf, forwardTo, merges = [], author = "Pat", message = "By hand" }) => {
      if (forwardTo !== undefined) {
        const commit = tips.get(forwardTo)!;
        git(["update-ref", `refs/heads/${branch}`, commit]);
        tips.set(branch, commit);
        trees.set(branch, trees.get(forwardTo)!);
        return commit;
      }
      const tree = new Map(trees.get(treeOf ?? branch) ?? trees.get("main"));
      for (const [name, text] of Object.entries(files)) {
        if (text === null) tree.delete(name);
        else tree.set(name, git(["hash-object", "-w", "--stdin"], text));
      }
      const env = { GIT_INDEX_FILE: `${path}/fixture-index` };
      git(["read-tree", "--empty"], "", env);
      git(
        ["update-index", "--index-info"],
        [...tree].map(([name, id]) => `100644 ${id}\t${name}\n`).join(""),
        env,
      );
      const parents = [tips.get(branch), ...merges.map((one) => tips.get(one))].filter(
        (one) => one !== undefined,
      );
      const date = `@${time} +0000`;
      const commit = git(
        ["commit-tree", git(["write-tree"], "", env), ...parents.flatMap((parent) => ["-p", parent])],
        message,
        {
          ...{ GIT_AUTHOR_NAME: author, GIT_AUTHOR_EMAIL: "a@example.com", GIT_AUTHOR_DATE: date },
          ...{ GIT_COMMITTER_NAME: "Host", GIT_COMMITTER_EMAIL: "h@example.com", GIT_COMMITTER_DATE: date },
        },
      );
      git(["update-ref", `refs/heads/${branch}`, commit]);
      tips.set(branch, commit);
      trees.set(branch, tree);
      return commit;
    },
  );
}
