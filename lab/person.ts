import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

import { mustRun, type RunOptions } from "./run.ts";

/** Someone who works on the GitOps repository the ordinary way: clone, edit, commit, push. */
export class Person {
  readonly #folder: string;
  readonly #remote: string;
  readonly #env: NodeJS.ProcessEnv;

  /**
   * @param remote path or URL of the repository.
   * @param folder where the clone goes; made anew by each commit.
   */
  constructor(remote: string, folder: string) {
    this.#remote = remote;
    this.#folder = folder;
    const [name, email] = ["Ada Person", "ada@example.com"];
    this.#env = {
      ...process.env,
      GIT_AUTHOR_NAME: name,
      GIT_AUTHOR_EMAIL: email,
      GIT_COMMITTER_NAME: name,
      GIT_COMMITTER_EMAIL: email,
      GIT_CONFIG_GLOBAL: "/dev/null",
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_TERMINAL_PROMPT: "0",
      // Git's own housekeeping goes on in the background, in a folder that the next commit deletes.
      GIT_CONFIG_COUNT: "1",
      GIT_CONFIG_KEY_0: "maintenance.auto",
      GIT_CONFIG_VALUE_0: "false",
    };
  }

  /** Commits and pushes; `null` deletes a file. Gives the id of the commit. */
  async commit(message: string, files: Readonly<Record<string, string | null>>): Promise<string> {
    await rm(this.#folder, { recursive: true, force: true });
    await this.#git(dirname(this.#folder), "clone", "--quiet", this.#remote, this.#folder);
    for (const [path, content] of Object.entries(files)) {
      const file = join(this.#folder, path);
      if (content === null) await rm(file);
      else {
        await mkdir(dirname(file), { recursive: true });
        await writeFile(file, content);
      }
    }
    await this.#git(this.#folder, "add", "--all");
    await this.#git(this.#folder, "commit", "--quiet", "--message", message);
    await this.#git(this.#folder, "push", "--quiet", "origin", "HEAD");
    const commit = await this.#git(this.#folder, "rev-parse", "HEAD");
    await rm(this.#folder, { recursive: true, force: true });
    return commit;
  }

  #git(cwd: string, ...args: string[]): Promise<string> {
    const options: RunOptions = { cwd, env: this.#env };
    return mustRun("git", args, options);
  }
}
