import { createHash } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { createBareRepository } from "../lab/createBareRepository.ts";
import { Person } from "../lab/person.ts";
import { mustRun } from "../lab/run.ts";
import { median, type Pair, report, seconds } from "./measure.ts";

const writers = 50;
/** A person pushes each time so many of them are done, in either order of things. */
const between = 10;

/**
 * Fifty processes that write to one branch, at once against one after the other, while a person pushes in between:
 * `rounds` of each in turn. Throws when a commit or a file is missing, or the history is not linear.
 */
export async function benchGitWriters(rounds: number): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), "arcflux-bench-"));
  try {
    const bench = new WritersBench(dir);
    await bench.prepare();
    const times = { ours: [] as number[], other: [] as number[] };
    for (let round = 0; round < rounds; round += 1) {
      const order = round % 2 === 0 ? (["ours", "other"] as const) : (["other", "ours"] as const);
      for (const which of order) {
        times[which].push(await (which === "ours" ? bench.atOnce() : bench.inTurn()));
        await bench.assertComplete();
      }
      if (process.stderr.isTTY) console.error(`  round ${round + 1} of ${rounds}`);
    }
    const ratio = median(times.ours.map((time, index) => time / (times.other[index] ?? NaN)));
    const result: Pair = { ...times, ratio };
    const title = `${writers} writers on one branch and a person, ${rounds} rounds, every commit and file there`;
    return report(title, ["at once", "one after the other"], result, 1.1);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

class WritersBench {
  readonly #dir: string;
  readonly #repository: string;
  readonly #env: NodeJS.ProcessEnv;
  readonly #person: Person;
  #round = 0;
  #subjects: string[] = [];

  constructor(dir: string) {
    this.#dir = dir;
    this.#repository = join(dir, "fleet.git");
    this.#env = { PATH: process.env["PATH"], HOME: dir, TMPDIR: dir };
    this.#person = new Person(this.#repository, join(dir, "person"));
  }

  async prepare(): Promise<void> {
    await createBareRepository(this.#repository);
    await this.#person.commit("First", { "README.md": "read me\n" });
    this.#subjects = ["First"];
  }

  /** Seconds until the last of the fifty is done; the person, who may lose the race a few times, goes on after that. */
  async atOnce(): Promise<number> {
    this.#round += 1;
    let ended = 0;
    // One note after the other, as it is one person.
    let person = Promise.resolve();
    const write = async (number: number): Promise<void> => {
      await this.#write(number);
      const note = ended / between;
      if (ended++ % between === 0) person = person.then(() => this.#note(note));
    };
    const time = await seconds(() =>
      Promise.all(Array.from({ length: writers }, (_, number) => write(number))),
    );
    await person;
    return time;
  }

  /** Seconds of the fifty alone: the person's pushes in between are not counted here. */
  async inTurn(): Promise<number> {
    this.#round += 1;
    let time = 0;
    for (let number = 0; number < writers; number += 1) {
      time += await seconds(() => this.#write(number));
      if (number % between === 0) await this.#note(number / between);
    }
    return time;
  }

  /** A linear history of exactly what was written, and each file as asked. */
  async assertComplete(): Promise<void> {
    const git = (...args: string[]): Promise<string> =>
      mustRun("git", ["--git-dir", this.#repository, ...args], { cwd: this.#dir, env: this.#env });
    const subjects = (await git("log", "--format=%s", "main")).trim().split("\n").sort();
    if (subjects.join("\n") !== this.#subjects.sort().join("\n"))
      throw new Error("A commit is missing or twice.");
    if ((await git("rev-list", "--merges", "main")).trim() !== "")
      throw new Error("The history is not linear.");
    const asked = new Map<string, string>([["README.md", "read me\n"]]);
    for (let number = 0; number < writers; number += 1) {
      asked.set(`clusters/edge-${number}/flux/web.yaml`, `round: ${this.#round}\n`);
      if (number % between === 0) asked.set(...this.#noteFile(number / between));
    }
    const wanted = [...asked].map(([path, content]) => `${blobOf(content)} ${path}`).sort();
    const listing = await git("ls-tree", "-r", "--format=%(objectname) %(path)", "main");
    const found = listing
      .split("\n")
      .filter((line) => !line.endsWith("/.arcflux-inventory"))
      .sort();
    if (found.join("\n") !== wanted.join("\n")) throw new Error("A file is not as asked.");
  }

  async #write(number: number): Promise<void> {
    const message = `Round ${this.#round}, writer ${number}`;
    this.#subjects.push(message);
    const request = {
      url: this.#repository,
      branch: "main",
      directory: `clusters/edge-${number}/flux`,
      files: { "web.yaml": `round: ${this.#round}\n` },
      owner: `arcflux/bench/edge-${number}`,
      adopt: "overwrite",
      message,
      author: { name: "Arcflux", email: "arcflux@example.com" },
    };
    const program = join(import.meta.dirname, "writeOnce.ts");
    await mustRun(process.execPath, [program, JSON.stringify(request)], { cwd: this.#dir, env: this.#env });
  }

  /** A person tries again until the push lands, and reads what git says before that, as people do. */
  async #note(number: number): Promise<void> {
    const [path, content] = this.#noteFile(number);
    const subject = content.trim();
    for (let attempt = 0; ; attempt += 1) {
      try {
        await this.#person.commit(subject, { [path]: content });
        break;
      } catch (error) {
        if (attempt === 50) throw error;
        await sleep(500 + 1000 * Math.random());
      }
    }
    this.#subjects.push(subject);
  }

  #noteFile(number: number): [path: string, content: string] {
    return [`notes/${number}.md`, `Round ${this.#round}, note ${number}\n`];
  }
}

function blobOf(content: string): string {
  return createHash("sha1").update(`blob ${content.length}\0${content}`).digest("hex");
}
