import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { vi } from "vitest";
import { arcfluxProgram } from "../../cli/program.ts";
import { mustLoad } from "../fleet/fixture.ts";
import { GitWorkshop, type Fixture } from "../support/gitWorkshop.ts";
import { writeFleet } from "../support/writeFleet.ts";

/** What a command of arcflux left. */
export interface Ran {
  readonly code: number | undefined;
  readonly out: string;
  readonly err: string;
}

/** A GitOps repository with stages, and the fleet file in front of it. */
export class StageShop {
  readonly shop = new GitWorkshop();
  repository = "";
  url = "";
  #more = "";

  /** One commit on main; branches of stages start there. */
  static async open(files: Fixture, branches: readonly string[] = []): Promise<StageShop> {
    const made = new StageShop();
    made.repository = await made.shop.repository(files);
    made.url = `file://${made.repository}`;
    for (const branch of branches) made.shop.git(made.repository, "branch", branch, "main");
    vi.stubEnv("HOME", made.shop.home);
    vi.stubEnv("ARCFLUX_CACHE_DIR", made.shop.cache);
    vi.stubEnv("GIT_AUTHOR_NAME", "Kim");
    vi.stubEnv("GIT_AUTHOR_EMAIL", "kim@example.com");
    return made;
  }

  close(): void {
    vi.unstubAllEnvs();
    this.shop.remove();
  }

  /** The URL under which commands find the repository, and what else the fleet file says of it. */
  serve(url: string, more: string): void {
    this.url = url;
    this.#more = `, ${more}`;
  }

  /** Writes the fleet file: its stages, and one cluster in each unless said otherwise. */
  fleet(
    stages: Readonly<Record<string, string>>,
    more = "",
    clusters?: Readonly<Record<string, string>>,
  ): void {
    const own =
      clusters ?? Object.fromEntries(Object.keys(stages).map((stage) => [`${stage}-1`, `stage: ${stage}`]));
    const text = [
      "apiVersion: arcflux/v1",
      `repository: { url: "${this.url}"${this.#more} }`,
      "platform: kubernetes",
      ...(more === "" ? [] : [more]),
      "stages:",
      ...Object.entries(stages).map(([name, entry]) => `  ${name}: { ${entry} }`),
      "clusters:",
      ...Object.entries(own).map(
        ([name, entry]) => `  ${name}: { kubeconfig: { context: none-${name} }, ${entry} }`,
      ),
      "",
    ].join("\n");
    writeFileSync(this.fleetFile, text);
  }

  /** Writes the generated files of the fleet file to main, as an update does. */
  async update(): Promise<void> {
    const fleet = mustLoad(readFileSync(this.fleetFile, "utf8"));
    const env = { ...this.shop.env, ARCFLUX_GIT_TOKEN: process.env["ARCFLUX_GIT_TOKEN"] };
    await writeFleet(fleet, { env, tempRoot: this.shop.tempRoot });
  }

  /** Runs a command that takes the fleet file by --file. */
  run(...args: string[]): Promise<Ran> {
    return this.exec([...args, "--file", this.fleetFile]);
  }

  get fleetFile(): string {
    return join(this.shop.folder, "fleet.yaml");
  }

  /** Runs a command in this process. */
  async exec(args: readonly string[]): Promise<Ran> {
    const text = { out: "", err: "" };
    let code: number | undefined;
    const program = arcfluxProgram(
      {
        out: (more) => void (text.out += more),
        err: (more) => void (text.err += more),
        paint: (_colour, painted) => painted,
      },
      (ended) => (code = ended),
    );
    await program.parseAsync(args, { from: "user" });
    return { code, ...text };
  }

  commit(branch: string, files: Parameters<GitWorkshop["commit"]>[1], message = "By hand"): string {
    return this.shop.commit(this.repository, files, { branch, message });
  }

  git(...args: string[]): string {
    return this.shop.git(this.repository, ...args);
  }

  /** A merge by hand of two branches, with the tree of a third thing. */
  mergeCommit(into: string, from: string, tree: string): string {
    return this.git(
      ...["-c", "user.name=Pat", "-c", "user.email=p@example.com", "commit-tree", "-m", "Merge"],
      ...["-p", into, "-p", from, `${tree}^{tree}`],
    );
  }

  tree(ref: string): string {
    return this.git("rev-parse", `${ref}^{tree}`);
  }
}
