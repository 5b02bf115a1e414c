import { execFile } from "node:child_process";
import { rmSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { createBareRepository } from "./createBareRepository.ts";

const execute = promisify(execFile);

const readme = `# The fleet's GitOps repository

A repository of the Arcflux lab. Arcflux commits to clusters/; everything else is yours.
`;

/**
 * Makes the bare repository with one commit on `branch`, a README and `files`. Does nothing to one that has the branch already,
 * and finishes one that was left half made.
 */
export async function seedRepository(
  gitDir: string,
  branch: string,
  files: Readonly<Record<string, string>> = {},
): Promise<void> {
  const index = path.join(gitDir, "seed-index");
  const git = async (args: readonly string[], input?: string): Promise<string> => {
    const env = { ...gitEnvironment(), GIT_INDEX_FILE: index };
    const running = execute("git", ["--git-dir", gitDir, ...args], { env });
    running.child.stdin?.end(input);
    return (await running).stdout.trim();
  };
  if (await git(["rev-parse", "--verify", "--quiet", `refs/heads/${branch}`]).catch(() => "")) return;
  await createBareRepository(gitDir, { branch });
  rmSync(index, { force: true });
  let entries = "";
  for (const [file, content] of Object.entries({ "README.md": readme, ...files })) {
    entries += `100644 ${await git(["hash-object", "-w", "--stdin"], content)}\t${file}\n`;
  }
  await git(["update-index", "--add", "--index-info"], entries);
  const tree = await git(["write-tree"]);
  const commit = await git(["commit-tree", tree, "-m", "Start of the fleet repository"]);
  await git(["update-ref", `refs/heads/${branch}`, commit, ""]);
  rmSync(index, { force: true });
}

/** The identity is fixed, and no setting of the user's takes part. */
function gitEnvironment(): NodeJS.ProcessEnv {
  const person = { NAME: "Arcflux lab", EMAIL: "lab@localhost", DATE: "2026-01-01T00:00:00Z" };
  const roles = ["AUTHOR", "COMMITTER"].flatMap((role) =>
    Object.entries(person).map(([key, value]) => [`GIT_${role}_${key}`, value] as const),
  );
  return {
    PATH: process.env["PATH"],
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: "/dev/null",
    ...(Object.fromEntries(roles) as Record<string, string>),
  };
}
