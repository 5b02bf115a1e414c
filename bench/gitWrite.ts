import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { writeFiles } from "../git/index.ts";
import type { Before, WriteRequest, WriteResult } from "../git/index.ts";
import { mustRun } from "../lab/run.ts";
import { makeBigRepository } from "./bigRepository.ts";
import { median, type Pair, report, seconds } from "./measure.ts";

const rounds = 7;
const cloneRounds = 5;
const directory = "clusters/edge-00007/flux";
const owner = "arcflux/bench/edge-00007";

/**
 * One changed file in a repository of `clusters` x 20 files over the local transport: against the same in bare git
 * commands, and (where `clone` is set) against clone, edit, commit and push. With the bytes fetched and the memory.
 */
export async function benchGitWrite(
  clusters: number,
  toReach: number,
  options: { readonly clone: boolean },
): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), "arcflux-bench-"));
  try {
    const repository = join(dir, "fleet.git");
    await makeBigRepository(repository, clusters, 20);
    await mkdir(join(dir, "scratch"));
    const bench = new WriteBench(dir, repository);
    const lines = [await bench.againstPlumbing(`One changed file of ${clusters * 20}`, toReach)];
    if (options.clone) lines.push(await bench.againstClone());
    lines.push(await bench.bytes(), await bench.memory());
    return lines.join("\n");
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

class WriteBench {
  readonly #dir: string;
  readonly #repository: string;
  readonly #url: string;
  readonly #env: NodeJS.ProcessEnv;
  #count = 0;
  /** What the last write left, as the state of a stack holds it. */
  #before: WriteRequest["before"];

  constructor(dir: string, repository: string) {
    this.#dir = dir;
    this.#repository = repository;
    this.#url = `file://${repository}`;
    this.#env = {
      PATH: process.env["PATH"],
      HOME: dir,
      TMPDIR: join(dir, "scratch"),
      GIT_AUTHOR_NAME: "Bench",
      GIT_AUTHOR_EMAIL: "bench@example.com",
      GIT_COMMITTER_NAME: "Bench",
      GIT_COMMITTER_EMAIL: "bench@example.com",
    };
  }

  async againstPlumbing(title: string, toReach: number): Promise<string> {
    const ours: number[] = [];
    const other: number[] = [];
    for (let round = -1; round < rounds; round += 1) {
      const order = round % 2 === 0 ? (["ours", "other"] as const) : (["other", "ours"] as const);
      for (const which of order) {
        const time = which === "ours" ? await this.#write() : await this.#plumbing();
        // The first round warms the disk and is not counted.
        if (round >= 0) (which === "ours" ? ours : other).push(time);
      }
    }
    const ratio = median(ours.map((time, index) => time / (other[index] ?? NaN)));
    const result: Pair = { ours, other, ratio };
    return report(`${title}, ${rounds} rounds`, ["Arcflux", "git plumbing"], result, toReach);
  }

  /**
   * Both in turn on a machine whose caches hold the repository, which is what a clone gains most from: it writes
   * every file. What was written before is on the disk before the clock starts, so that neither pays for the other.
   */
  async againstClone(): Promise<string> {
    const clones: number[] = [];
    const factors: number[] = [];
    for (let round = -1; round < cloneRounds; round += 1) {
      const times = { ours: 0, clone: 0 };
      for (const which of round % 2 === 0 ? (["ours", "clone"] as const) : (["clone", "ours"] as const)) {
        await this.#settleDisk();
        times[which] = which === "ours" ? await this.#write() : await this.#clone();
      }
      // The first round warms the caches and is not counted.
      if (round < 0) continue;
      clones.push(times.clone);
      factors.push(times.clone / times.ours);
    }
    const factor = median(factors);
    const verdict = factor >= 20 ? "reached" : "NOT reached";
    const range = `${Math.min(...factors).toFixed(0)}-${Math.max(...factors).toFixed(0)}`;
    return (
      `  clone to push            ${median(clones).toFixed(2)} s (${Math.min(...clones).toFixed(2)}-${Math.max(...clones).toFixed(2)}), warm, ${cloneRounds} rounds in turn\n` +
      `  times ours               ${factor.toFixed(0)} (${range}; to reach: at least 20; ${verdict})`
    );
  }

  async #settleDisk(): Promise<void> {
    await mustRun("sync", [], { cwd: this.#dir, env: this.#env });
  }

  /** Seconds of clone, edit, commit and push. */
  async #clone(): Promise<number> {
    const clone = join(this.#dir, "clone");
    const time = await seconds(async () => {
      await this.#git("clone", "--quiet", this.#url, clone);
      await writeFile(join(clone, directory, "set-03.yaml"), `cloned: ${(this.#count += 1)}\n`);
      await this.#git("-C", clone, "commit", "--quiet", "--all", "--message", "Clone");
      await this.#git("-C", clone, "push", "--quiet", "origin", "HEAD:main");
    });
    await rm(clone, { recursive: true, force: true });
    return time;
  }

  /** Bytes of what a write fetches, taken from its scratch repository before it is removed, against a full clone. */
  async bytes(): Promise<string> {
    await this.#git("--git-dir", this.#repository, "repack", "-adq");
    const whole = await packBytes(this.#repository);
    let fetched = 0;
    const temp = join(this.#dir, "scratch");
    const sizes = async (): Promise<number> => {
      const [folder = ""] = await readdir(temp);
      return packBytes(join(temp, folder));
    };
    // Asked right before the push: by then all is fetched. A refused write leaves nothing behind.
    let looking: Promise<void> | undefined;
    const result = await writeFiles(this.#request(), {
      env: this.#env,
      tempRoot: temp,
      alive: () => {
        looking ??= sizes().then((size) => void (fetched = size));
        return true;
      },
    });
    this.#before = beforeOf(result);
    await looking;
    const share = (fetched / whole) * 100;
    const verdict = share <= 5 ? "reached" : "NOT reached";
    return `  fetched                  ${kilo(fetched)} of ${kilo(whole)}, ${share.toFixed(1)} % (to reach: at most 5 %; ${verdict})`;
  }

  /** Of a process that makes one write and nothing else. */
  async memory(): Promise<string> {
    const program = join(import.meta.dirname, "writeOnce.ts");
    const text = await mustRun(process.execPath, [program, JSON.stringify(this.#request())], {
      cwd: this.#dir,
      env: this.#env,
    });
    const { kilobytes } = JSON.parse(text) as { kilobytes: number };
    return `  most memory              ${Math.round(kilobytes / 1024)} MB, of which an empty Node program needs about 45`;
  }

  /** Seconds of one write, as a provider that is running makes it. */
  async #write(): Promise<number> {
    return seconds(async () => {
      const result = await writeFiles(this.#request(), {
        env: this.#env,
        tempRoot: join(this.#dir, "scratch"),
      });
      if (result.kind !== "committed") throw new Error(`The write was ${result.kind}.`);
      this.#before = beforeOf(result);
    });
  }

  async #plumbing(): Promise<number> {
    const scratch = join(this.#dir, "scratch", `plumbing-${(this.#count += 1)}`);
    const script = join(import.meta.dirname, "writePlumbing.sh");
    const args = [this.#url, scratch, `${directory}/set-03.yaml`, `plumbing: ${this.#count}\n`];
    const time = await seconds(() => mustRun(script, args, { cwd: this.#dir, env: this.#env }));
    await rm(scratch, { recursive: true, force: true });
    return time;
  }

  #request(): WriteRequest {
    const author = { name: "Bench", email: "bench@example.com" };
    const files = { "set-bench.yaml": `count: ${(this.#count += 1)}\n` };
    const place = { url: this.#url, branch: "main", directory };
    return { ...place, owner, files, before: this.#before, message: "Bench", author };
  }

  async #git(...args: string[]): Promise<void> {
    await mustRun("git", args, { cwd: this.#dir, env: this.#env });
  }
}

/** What the state of a stack would hold of a write. */
function beforeOf({ blobs, serials, serial, left }: WriteResult): WriteRequest["before"] {
  const files = Object.entries(blobs).map(([path, blob]) => [
    `${directory}/${path}`,
    [{ blob, serial: serials[path] }],
  ]);
  return { folder: directory, files: Object.fromEntries(files) as Before["files"], serial, owner, left };
}

async function packBytes(repository: string): Promise<number> {
  const folder = join(repository, "objects", "pack");
  const packs = (await readdir(folder)).filter((name) => name.endsWith(".pack"));
  const sizes = await Promise.all(packs.map(async (name) => (await stat(join(folder, name))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}

function kilo(bytes: number): string {
  return `${Math.round(bytes / 1024)} KiB`;
}
