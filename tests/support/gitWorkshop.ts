import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createBareRepository } from "../../lab/createBareRepository.ts";

/** The inventory of a folder, which git/ writes with everything else. */
export const inventoryName = ".arcflux-inventory";

/** Path to content, mode or id of what a fixture commit holds. */
export type Fixture = Readonly<
  Record<string, string | Buffer | { mode: string; data?: string; id?: string }>
>;

/** A temporary folder with bare repositories, a place for scratch repositories, and an empty HOME. */
export class GitWorkshop {
  readonly folder = mkdtempSync(join(tmpdir(), "arcflux-spec-"));
  readonly tempRoot = this.#make("tmp");
  readonly home = this.#make("home");
  readonly cache = this.#make("cache");

  /** The environment a user without any git config has; the cache of this machine's user is not touched. */
  readonly env: NodeJS.ProcessEnv = {
    PATH: process.env["PATH"],
    HOME: this.home,
    ARCFLUX_CACHE_DIR: this.cache,
  };

  /** Makes `<folder>/<name>.git` with one commit on the branch; `{}` leaves it empty. Returns its path. */
  async repository(files: Fixture, { name = "fleet", branch = "main" } = {}): Promise<string> {
    const path = join(this.folder, `${name}.git`);
    await createBareRepository(path, { branch });
    if (Object.keys(files).length > 0) this.commit(path, files, { branch });
    return path;
  }

  /** Commits files as another person would, on top of the branch; null deletes. Returns the commit, throws when overtaken. */
  commit(
    repository: string,
    files: Readonly<Record<string, Fixture[string] | null>>,
    { branch = "main", message = "By hand", parent = true } = {},
  ): string {
    const ref = `refs/heads/${branch}`;
    const before = this.try(repository, "rev-parse", "--verify", "-q", ref);
    const stream: (string | Buffer)[] = [
      `commit refs/fixture/tip\ncommitter Pat <pat@example.com> 1700000000 +0000\ndata ${Buffer.byteLength(message)}\n${message}\n`,
      parent && before !== undefined ? `from ${before}\n` : "",
    ];
    for (const [path, file] of Object.entries(files)) {
      // C-style quoting as fast-import reads it; names here may hold any byte, one a character.
      const quoted = `"${[...Buffer.from(path, "latin1")].map((byte) => `\\${byte.toString(8).padStart(3, "0")}`).join("")}"`;
      if (file === null) stream.push(`D ${quoted}\n`);
      else if (typeof file === "object" && "mode" in file && file.id !== undefined)
        stream.push(`M ${file.mode} ${file.id} ${quoted}\n`);
      else {
        const mode = typeof file === "object" && "mode" in file ? file.mode : "100644";
        const data = Buffer.from(typeof file === "object" && "mode" in file ? (file.data ?? "") : file);
        stream.push(`M ${mode} inline ${quoted}\ndata ${data.length}\n`, data, "\n");
      }
    }
    const input = Buffer.concat(stream.map((part) => Buffer.from(part)));
    this.#git(repository, ["fast-import", "--quiet", "--force"], input);
    const commit = this.git(repository, "rev-parse", "refs/fixture/tip");
    this.git(repository, "update-ref", "-d", "refs/fixture/tip");
    // Fails when the branch moved meanwhile, as a push would.
    this.git(repository, "update-ref", ref, commit, before ?? "0".repeat(commit.length));
    return commit;
  }

  /** Makes a hook of the repository from shell text. */
  writeHook(repository: string, name: string, text: string): void {
    mkdirSync(join(repository, "hooks"), { recursive: true });
    writeFileSync(join(repository, "hooks", name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  }

  /** Unpacks every object into a file of its own. */
  loosen(repository: string): void {
    const packs = join(repository, "objects/pack");
    for (const pack of readdirSync(packs).filter((name) => name.endsWith(".pack"))) {
      const bytes = readFileSync(join(packs, pack));
      rmSync(packs, { recursive: true });
      this.#git(repository, ["unpack-objects", "-q"], bytes);
    }
  }

  /** Waits for a file of the workshop to have content, and returns it trimmed. */
  async waitFor(name: string): Promise<string> {
    for (let tries = 0; tries < 1000; tries++) {
      const text = existsSync(join(this.folder, name))
        ? readFileSync(join(this.folder, name), "utf8").trim()
        : "";
      if (text !== "") return text;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    throw new Error(`${name} did not appear`);
  }

  /** Whether the process whose id a file of the workshop holds still runs. */
  isRunning(name: string): boolean {
    const pid = readFileSync(join(this.folder, name), "utf8").trim();
    return existsSync(`/proc/${pid}`) && !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  }

  /** Runs git on a repository and returns its output, trimmed. */
  git(repository: string, ...args: string[]): string {
    return this.#git(repository, args).toString().trim();
  }

  /** As `git`, with something on stdin. */
  gitWithInput(repository: string, input: Buffer, ...args: string[]): string {
    return this.#git(repository, args, input).toString().trim();
  }

  /** As `git`; undefined when it fails. */
  try(repository: string, ...args: string[]): string | undefined {
    const { status, stdout } = spawnSync("git", ["--git-dir", repository, ...args], { env: this.env });
    return status === 0 ? stdout.toString().trim() : undefined;
  }

  /** Every entry of the branch as `<mode> <type> <id>\t<path>`, in latin1 so that any name can be told. */
  entries(repository: string, branch = "main"): string[] {
    const listing = this.#git(repository, ["ls-tree", "-r", "-z", branch]).toString("latin1");
    return listing.split("\0").filter((entry) => entry !== "");
  }

  /** The bytes of a tree as they are stored, in latin1. */
  rawTree(repository: string, tree: string): string {
    return this.#git(repository, ["cat-file", "tree", tree]).toString("latin1");
  }

  /** As contents, of the inventories alone. */
  inventories(repository: string, folder = "", branch = "main"): Record<string, string> {
    const all = Object.entries(this.#contents(repository, folder, branch));
    return Object.fromEntries(all.filter(([path]) => isInventory(path)));
  }

  /** Path to content of every file of the branch below a folder, but for the inventories of Arcflux. */
  contents(repository: string, folder: string, branch = "main"): Record<string, string> {
    const all = Object.entries(this.#contents(repository, folder, branch));
    return Object.fromEntries(all.filter(([path]) => !isInventory(path)));
  }

  #contents(repository: string, folder: string, branch: string): Record<string, string> {
    const paths = this.git(
      repository,
      "ls-tree",
      "-r",
      "--name-only",
      branch,
      ...(folder === "" ? [] : ["--", folder]),
    ).split("\n");
    return Object.fromEntries(
      paths
        .filter((path) => path !== "")
        .map((path) => [path, this.#git(repository, ["show", `${branch}:${path}`]).toString()]),
    );
  }

  /** Id of the blob with that content. */
  blob(content: string): string {
    const { stdout } = spawnSync("git", ["hash-object", "--stdin"], { env: this.env, input: content });
    return stdout.toString().trim();
  }

  /** Commits on the branch, newest first. */
  log(repository: string, branch = "main"): string[] {
    return this.git(repository, "rev-list", branch).split("\n");
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 3 });
  }

  #make(name: string): string {
    const path = join(this.folder, name);
    mkdirSync(path);
    return path;
  }

  #git(repository: string, args: string[], input?: Buffer): Buffer {
    const done = spawnSync("git", ["--git-dir", repository, ...args], {
      env: this.env,
      maxBuffer: 1 << 28,
      ...(input === undefined ? {} : { input }),
    });
    if (done.status !== 0) throw new Error(`git ${args.join(" ")}: ${done.stderr.toString()}`);
    return done.stdout;
  }
}

function isInventory(path: string): boolean {
  return path === inventoryName || path.endsWith(`/${inventoryName}`);
}
