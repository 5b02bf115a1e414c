import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  allCommitsArgv,
  defaultBranchArgv,
  fetchTipArgv,
  fetchRevisionArgv,
  fetchObjectsArgv,
  firstParentsArgv,
  mergedArgv,
  listRefsArgv,
  readObjectsArgv,
  remoteName,
  sizesArgv,
  tipRef,
} from "../access/argv.ts";
import type { Conversation } from "../access/conversation.ts";
import { GitError } from "../words/errors.ts";
import { bySize, bytesNeeded, comparable, parseObjects } from "./objects.ts";
import type { ReadLimit, StoredObject, TooLarge } from "./objects.ts";
import { classifyFailure } from "../access/outcome.ts";
import type { Command, Session } from "../access/session.ts";
import type { Outcome } from "../access/run.ts";
import { objectId, parseTree } from "./tree.ts";
import type { Entry } from "./tree.ts";
import type { Tier } from "./tier.ts";
import { needsAnotherTier, Unsupported } from "./tier.ts";
import type { ObjectId, Refs } from "../words/types.ts";

/** The newest commit of a branch. */
export interface Tip {
  readonly commit: ObjectId;
  readonly tree: ObjectId;
}

/** How servers say that they have not got a commit, or do not hand it out. */
const notServed = /not our ref|unadvertised object/;

function isCommit(revision: string): boolean {
  return /^[0-9a-f]{40,64}$/.test(revision);
}

/** A bare repository in a temporary folder that holds no more of the remote one than is needed. */
export class Scratch {
  readonly folder: string;
  readonly session: Session;
  private readonly tier: Tier;
  private reader: Conversation | undefined;
  private readonly trees = new Map<ObjectId, readonly Entry[]>();

  private constructor(folder: string, session: Session, tier: Tier) {
    this.folder = folder;
    this.session = session;
    this.tier = tier;
  }

  /** Lays the repository out by hand: `git init` would read the user's templates. */
  static async create(folder: string, session: Session, tier: Tier): Promise<Scratch> {
    const url = session.url.replace(/[\\"]/g, "\\$&");
    const config = [
      `[core]`,
      `\trepositoryformatversion = 1`,
      `\tbare = true`,
      `[extensions]`,
      `\tpartialClone = ${remoteName}`,
      ...(tier.format === "sha256" ? [`\tobjectFormat = sha256`] : []),
      `[remote "${remoteName}"]`,
      `\turl = "${url}"`,
      // Named apart, so that the user's pushInsteadOf does not send a push where nothing is read from.
      `\tpushurl = "${url}"`,
      `\tpromisor = true`,
    ];
    await mkdir(join(folder, "objects"));
    await mkdir(join(folder, "refs"));
    await writeFile(join(folder, "HEAD"), "ref: refs/heads/none\n");
    await writeFile(join(folder, "config"), `${config.join("\n")}\n`);
    await session.access.prepare(folder);
    return new Scratch(folder, session, tier);
  }

  git(args: readonly string[], command?: Command): Promise<Outcome> {
    return this.session.git([`--git-dir=${this.folder}`, ...args], command);
  }

  /** Fetches the tip; undefined when the branch does not exist. Every other failure is a GitError. */
  fetchTip(branch: string): Promise<Tip | undefined> {
    return this.fetchRevision(`refs/heads/${branch}`, `branch ${branch}`);
  }

  /** The same of a full ref or the id of a commit; `called` is what messages call it. */
  async fetchRevision(revision: string, called = revision): Promise<Tip | undefined> {
    const { code, stderr } = await this.git(fetchRevisionArgv(revision, this.tier.tip), { timeout: "fetch" });
    if (code !== 0) {
      const failure = classifyFailure(stderr);
      if (failure.kind === "missingBranch") {
        await this.assertGitServer();
        return undefined;
      }
      if (isCommit(revision) && notServed.test(stderr)) return undefined;
      const kind = failure.kind === "failed" ? "unreadable" : failure.kind;
      const doing = `${called.charAt(0).toUpperCase()}${called.slice(1)} of ${this.session.url} could not be read`;
      const error = this.session.failure(doing, { ...failure, kind });
      throw failure.kind === "failed" && needsAnotherTier(stderr) ? new Unsupported(error, stderr) : error;
    }
    // The root folder came along, except with the filter that leaves out all folders.
    const rootName = `${tipRef}^{tree}`;
    // A tag may be an object of its own.
    const commitName = `${tipRef}^{commit}`;
    const names = this.tier.tip === "tree:0" ? [commitName] : [commitName, rootName];
    const tip = await this.readObjects(names, `the tip of ${called}`);
    const commit = tip.get(commitName);
    const tree = /^tree ([0-9a-f]+)\n/.exec(commit?.content.toString("latin1") ?? "")?.[1];
    if (commit?.type !== "commit" || tree === undefined) {
      throw this.unreadable(`the tip of ${called}`, "");
    }
    const root = tip.get(rootName);
    if (root?.id === tree) this.keep(tree, root.type, root.content);
    return { commit: commit.id, tree };
  }

  /** Entries of trees, fetched where they are not here yet. Rejects with GitError "unreadable" rather than leave one out. */
  readonly loadTrees = async (ids: readonly ObjectId[]): Promise<ReadonlyMap<ObjectId, readonly Entry[]>> => {
    const unknown = ids.filter((id) => !this.trees.has(id));
    if (unknown.length > 0) {
      const said = this.tier.trees ? await this.fetchObjects(unknown, "folder") : "";
      const objects = await this.readObjects(unknown, "folders on the way to the files");
      for (const id of unknown) {
        const object = objects.get(id);
        if (object === undefined) throw this.unreadable(`folder object ${id}`, said);
        this.keep(id, object.type, object.content);
      }
    }
    return this.trees;
  };

  /** Takes in a tree that is about to be stored, so that the next commit can be built on it. */
  remember(id: ObjectId, entries: readonly Entry[]): void {
    this.trees.set(id, entries);
  }

  /** The folder with nothing in it: what an orphan starts from. No repository need hold it. */
  emptyTree(): ObjectId {
    const id = objectId("tree", Buffer.alloc(0), this.tier.format === "sha256" ? 64 : 40);
    this.remember(id, []);
    return id;
  }

  /**
   * Contents of blobs by id, fetched in one go; of those beyond the limit only the size. Rejects with GitError
   * "unreadable" rather than leave one out.
   */
  async readBlobs(
    ids: readonly ObjectId[],
    limit: ReadLimit = comparable,
  ): Promise<ReadonlyMap<ObjectId, Buffer | TooLarge>> {
    if (ids.length === 0) return new Map();
    // The last tier brought every file of the tip along.
    const said = this.tier.tip === undefined ? "" : await this.fetchObjects(ids, "file");
    const { stdout } = await this.git(sizesArgv(), { input: ids.map((id) => `${id}\n`).join("") });
    const { read, tooLarge } = bySize(stdout.toString("latin1"), ids, limit);
    const objects = await this.readObjects(read, "files to compare with");
    const found = new Map<ObjectId, Buffer | TooLarge>(tooLarge);
    for (const id of read) {
      const object = objects.get(id);
      if (object?.type !== "blob") throw this.unreadable(`file object ${id}`, said);
      found.set(id, object.content);
    }
    return found;
  }

  /**
   * The newest commits of the branch, the tip first, each with its message as git stores it; `depth` at most. With `all`
   * also those that were merged into it, each as deep.
   */
  async log(branch: string, depth: number, which: "branch" | "all" = "branch"): Promise<StoredObject[]> {
    const filter = this.tier.trees ? "tree:0" : this.tier.tip;
    const { code, stderr } = await this.git(fetchTipArgv(branch, filter, depth), { timeout: "fetch" });
    if (code !== 0) {
      const error = this.unreadable(`the history of branch ${branch}`, classifyFailure(stderr).said);
      throw needsAnotherTier(stderr) ? new Unsupported(error, stderr) : error;
    }
    const argv = which === "all" ? allCommitsArgv() : firstParentsArgv(depth);
    return this.#commits(argv, `the history of branch ${branch}`);
  }

  /** The commits that a merge brought in, as far as `log` fetched them; the newest 64 at most. */
  merged(merge: ObjectId): Promise<StoredObject[]> {
    return this.#commits(mergedArgv(merge, 64), `the history of merge ${merge}`);
  }

  /** A commit that is here already. */
  async readCommit(id: ObjectId): Promise<StoredObject> {
    const found = (await this.readObjects([id], `commit ${id}`)).get(id);
    if (found === undefined) throw this.unreadable(`commit ${id}`, "");
    return found;
  }

  async #commits(argv: readonly string[], what: string): Promise<StoredObject[]> {
    const { stdout } = await this.git(argv);
    const ids = stdout
      .toString()
      .split("\n")
      .filter((id) => id !== "");
    const objects = await this.readObjects(ids, what);
    return ids.flatMap((id) => objects.get(id) ?? []);
  }

  /** Another repository of the same kind, in a folder inside this one: what it fetches is not known here. */
  async beside(): Promise<Scratch> {
    const folder = await mkdtemp(join(this.folder, "beside-"));
    return Scratch.create(folder, this.session, this.tier);
  }

  /** Ends what still runs on the repository, so that its folder can go. */
  async close(): Promise<void> {
    await this.reader?.close();
    this.reader = undefined;
  }

  /** Names of the branches that exist. */
  async branches(): Promise<readonly string[]> {
    return (await this.refs()).branches;
  }

  /** Names of the branches and tags that exist, sorted. */
  async refs(): Promise<Refs> {
    const { code, stdout, stderr } = await this.git(listRefsArgv(), { timeout: "fetch" });
    if (code !== 0) {
      throw this.session.failure(
        `The branches of ${this.session.url} could not be listed`,
        classifyFailure(stderr),
      );
    }
    const text = stdout.toString();
    const names = (kind: string): string[] =>
      [...text.matchAll(new RegExp(`\\trefs/${kind}/(?!.*\\^\\{\\}$)(.*)$`, "gm"))]
        .map(([, name = ""]) => name)
        .sort();
    // The commit that a tag is for comes after the tag itself.
    const commits = [...text.matchAll(/^([0-9a-f]+)\trefs\/tags\/(.*?)(?:\^\{\})?$/gm)].map(
      ([, id = "", name = ""]) => [name, id] as const,
    );
    return { branches: names("heads"), tags: names("tags"), commits: Object.fromEntries(commits) };
  }

  /**
   * Over HTTP git takes any answer for the list of a plain file server: an empty one, and many a line of something
   * else. So "no such branch" counts only where packets of git's own protocol came.
   */
  private async assertGitServer(): Promise<void> {
    const { url, env } = this.session;
    if (!/^https?:/i.test(url)) return;
    const traced = { ...env, GIT_TRACE_PACKET: "1" };
    const { code, stderr } = await this.git(defaultBranchArgv(), { timeout: "fetch", env: traced });
    if (code === 0 && / packet: .*< /.test(stderr)) return;
    const said = "It may be a login page, a proxy, or a plain file server.";
    throw this.session.failure(
      `${url} answers, but not as a Git server does`,
      code === 0 ? { kind: "unreachable", said } : classifyFailure(stderr),
    );
  }

  private async fetchObjects(ids: readonly ObjectId[], what: string): Promise<string> {
    const input = ids.map((id) => `${id}\n`).join("");
    const { code, stderr } = await this.git(fetchObjectsArgv(), { input, timeout: "fetch" });
    if (code === 0) return "";
    // git leaves out a folder that is asked for where it has come across it in one that is asked for too.
    const leftOut = /bad revision '([0-9a-f]+)'/.exec(stderr)?.[1];
    if (leftOut !== undefined && ids.length > 1 && ids.includes(leftOut)) {
      const others = ids.filter((id) => id !== leftOut);
      return (await this.fetchObjects(others, what)) + (await this.fetchObjects([leftOut], what));
    }
    const failure = classifyFailure(stderr);
    if (failure.kind !== "failed") {
      throw this.session.failure(`${this.session.url}: a ${what} could not be read`, failure);
    }
    throw new Unsupported(this.unreadable(`${what} objects ${ids.join(", ")}`, failure.said), stderr);
  }

  private async readObjects(
    names: readonly string[],
    what: string,
  ): Promise<ReturnType<typeof parseObjects>> {
    if (names.length === 0) return new Map();
    this.reader ??= this.session.converse([`--git-dir=${this.folder}`, ...readObjectsArgv()]);
    const question = names.map((name) => `${name}\n`).join("");
    try {
      const answer = await this.reader.ask(question, (output) => bytesNeeded(output, names));
      return parseObjects(answer, names);
    } catch (error) {
      const failed = error instanceof GitError && error.kind === "failed";
      throw failed ? this.unreadable(what, error.message) : error;
    }
  }

  /** Takes a tree in only if it is what its id says: an empty or cut one would empty the folder on the branch. */
  private keep(id: ObjectId, type: string, content: Buffer): void {
    if (type !== "tree" || objectId("tree", content, id.length) !== id) {
      throw this.unreadable(`folder object ${id}`, `what was sent is not that object (${type})`);
    }
    this.trees.set(id, parseTree(content, id.length / 2));
  }

  private unreadable(what: string, said: string): GitError {
    return this.session.failure(`${this.session.url}: ${what} could not be read`, {
      kind: "unreadable",
      said,
    });
  }
}
