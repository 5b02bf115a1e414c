import { mustRun } from "./run.ts";

/** Looks into a bare repository of the lab. Reading only. */
export class BareGit {
  readonly #gitDir: string;

  constructor(gitDir: string) {
    this.#gitDir = gitDir;
  }

  git(...args: string[]): Promise<string> {
    return mustRun("git", ["--git-dir", this.#gitDir, ...args], { cwd: "/", env: process.env });
  }

  /** Commit ids of a branch, newest first. */
  async commits(branch = "main"): Promise<string[]> {
    return (await this.git("rev-list", branch)).split("\n");
  }

  /** Every file of a commit but for Arcflux's inventories: path to blob. */
  async files(commit = "main"): Promise<Record<string, string>> {
    const listing = await this.git("ls-tree", "-r", "-z", commit);
    const entries = listing.split("\0").filter((entry) => entry !== "" && !isInventory(entry));
    return Object.fromEntries(
      entries.map((entry) => {
        const [meta = "", path = ""] = entry.split("\t");
        return [path, meta.split(" ")[2] ?? ""];
      }),
    );
  }

  /** Content of a file. */
  async show(path: string, commit = "main"): Promise<string> {
    return `${await this.git("show", `${commit}:${path}`)}\n`;
  }

  /** Paths but for inventories that a commit added, changed or deleted, each behind its letter, such as `A clusters/a/flux/b.yaml`. */
  async changes(commit: string): Promise<string[]> {
    const text = await this.git("diff-tree", "--no-commit-id", "--name-status", "-r", commit);
    const lines = text.split("\n").filter((line) => line !== "" && !isInventory(line));
    return lines.map((line) => line.replace("\t", " "));
  }
}

function isInventory(line: string): boolean {
  return line.endsWith(".arcflux-inventory");
}
