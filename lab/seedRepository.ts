import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { createBareRepository } from "./createBareRepository.ts";

const execute = promisify(execFile);

const readme = `# The fleet's GitOps repository

A repository of the Arcflux lab. Arcflux commits to clusters/; everything else is yours.
`;

/**
 * Makes the bare repository with one commit on `branch`, a README. Does nothing to one that has the branch already,
 * and finishes one that was left half made.
 */
export async function seedRepository(gitDir: string, branch: string): Promise<void> {
  const git = async (args: readonly string[], input?: string): Promise<string> => {
    const running = execute("git", ["--git-dir", gitDir, ...args], { env: gitEnvironment() });
    running.child.stdin?.end(input);
    return (await running).stdout.trim();
  };
  if (await git(["rev-parse", "--verify", "--quiet", `refs/heads/${branch}`]).catch(() => "")) return;
  await createBareRepository(gitDir, { branch });
  const blob = await git(["hash-object", "-w", "--stdin"], readme);
  const tree = await git(["mktree"], `100644 blob ${blob}\tREADME.md\n`);
  const commit = await git(["commit-tree", tree, "-m", "Start of the fleet repository"]);
  await git(["update-ref", `refs/heads/${branch}`, commit, ""]);
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
