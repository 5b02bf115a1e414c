import { mkdirSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { deliverFiles, readDelivered } from "../../git/index.ts";
import type { DeliveryRequest, DeliveryResult, GitContext, PullRequestInfo } from "../../git/index.ts";
import { beforeOf, writeRequest } from "../support/gitRequest.ts";
import { GitWorkshop } from "../support/gitWorkshop.ts";
import { azureDevOps } from "../support/hosts/azureDevOps.ts";
import { GitHost } from "../support/hosts/gitHost.ts";
import { github } from "../support/hosts/github.ts";
import { gitlab } from "../support/hosts/gitlab.ts";
import type { Rest } from "../support/hosts/rest.ts";

const provenance = { project: "edge", stack: "prod", version: "1.2.3" };
const side = "arcflux/edge/prod";

const hosts: readonly {
  host: "github" | "gitlab" | "azureDevOps";
  path: string;
  rest: Rest;
  opened: string;
}[] = [
  {
    host: "github",
    path: "edge/fleet",
    rest: github("edge/fleet"),
    opened: "POST /api/v3/repos/edge/fleet/pulls",
  },
  {
    host: "gitlab",
    path: "edge/teams/fleet",
    rest: gitlab("edge/teams/fleet"),
    opened: "POST /api/v4/projects/edge%2Fteams%2Ffleet/merge_requests",
  },
  {
    host: "azureDevOps",
    path: "edge/My%20Project/_git/fleet",
    rest: azureDevOps("/edge", "My Project", "fleet"),
    opened: "POST /edge/My%20Project/_apis/git/repositories/fleet/pullrequests",
  },
];

let shop: GitWorkshop;
let repository: string;
let server: GitHost;
let context: GitContext;
beforeEach(async () => {
  shop = new GitWorkshop();
  repository = await shop.repository({ "README.md": "read me\n" });
  // Whoever pushes to main is refused, as on a protected branch.
  shop.writeHook(
    repository,
    "update",
    `[ "$1" = refs/heads/main ] && echo "main is protected" >&2 && exit 1; exit 0`,
  );
  context = {
    env: { ...shop.env, ARCFLUX_GIT_TOKEN: "S3CRET" },
    tempRoot: shop.tempRoot,
    cacheRoot: join(shop.folder, "cache"),
    sleep: () => Promise.resolve(),
  };
});
afterEach(async () => {
  await server.close();
  shop.remove();
});

describe.each(hosts)("B04: a pull request on $host", ({ host, path, rest, opened }) => {
  let url: string;
  beforeEach(async () => {
    server = await GitHost.start({ shop, repository, rest, tokens: ["S3CRET"] });
    const served = join(shop.folder, decodeURIComponent(path));
    mkdirSync(dirname(served), { recursive: true });
    symlinkSync(repository, served);
    url = `${server.url}/${path}`;
  });

  const request = (changes: Partial<DeliveryRequest> = {}): DeliveryRequest => ({
    ...writeRequest({ url, provenance, delivery: { mode: "pullRequest", pullRequest: { host } } }),
    ...changes,
  });
  const write = (changes: Partial<DeliveryRequest> = {}): Promise<DeliveryResult> =>
    deliverFiles(request(changes), context);
  /** The request of a later update. */
  const after = (result: DeliveryResult, content: string): Partial<DeliveryRequest> => ({
    before: beforeOf(result),
    pullRequest: result.pullRequest,
    files: { "web.yaml": content },
  });
  const read = (pullRequest: PullRequestInfo | undefined): ReturnType<typeof readDelivered> => {
    const { delivery } = request();
    const place = { url, branch: "main", directory: "clusters/edge-1/flux", paths: ["web.yaml"] };
    return readDelivered({ ...place, delivery, pullRequest }, context);
  };
  const posts = (): string[] =>
    server.calls.filter(({ method }) => method === "POST").map(({ method, path }) => `${method} ${path}`);

  it("is opened from a side branch, and main is left alone", async () => {
    const before = shop.log(repository);
    const result = await write();

    expect(result.kind).toBe("committed");
    expect(result.pullRequest).toMatchObject({ branch: side, state: "open", number: 1, base: {} });
    expect(shop.log(repository)).toEqual(before);
    expect(shop.log(repository, side)).toEqual([result.commit, ...before]);
    expect(posts()).toEqual([opened]);
    expect(server.pulls).toMatchObject([
      { side, base: "main", title: "Generated files of stack edge/prod", state: "open" },
    ]);
    expect(server.calls.map(({ headers }) => headers["user-agent"])).toEqual(
      server.calls.map(() => "arcflux"),
    );
  });

  it("is one for all clusters and reruns of a stack; what is open stays as it is", async () => {
    const first = await write();
    const second = await write({ directory: "clusters/edge-2/flux" });
    const again = await write(after(first, "kind: Kustomization\n"));

    expect(again).toMatchObject({ kind: "unchanged", pullRequest: { number: 1, state: "open" } });
    expect(second.pullRequest?.number).toBe(1);
    expect(server.pulls).toHaveLength(1);
    expect(server.calls.filter(({ method }) => /PATCH|PUT/.test(method))).toEqual([]);
    expect(Object.keys(shop.contents(repository, "clusters", side))).toEqual([
      "clusters/edge-1/flux/web.yaml",
      "clusters/edge-2/flux/web.yaml",
    ]);
  });

  it("gets the title that is asked for now", async () => {
    const first = await write();
    const delivery = { mode: "pullRequest", pullRequest: { host, title: "Edge, week 12" } } as const;
    await write({ ...after(first, "kind: X\n"), delivery });
    expect(server.pulls.map(({ title }) => title)).toEqual(["Edge, week 12"]);
  });

  it("that is open counts as written on refresh; merged or closed, the branch counts", async () => {
    const { pullRequest, blobs } = await write();
    expect(await read(pullRequest)).toMatchObject({ blobs, pullRequest: { state: "open" } });
    server.end(1, "merge");
    const merged = await read(pullRequest);
    expect(merged).toMatchObject({ blobs, pullRequest: { state: "merged", number: 1 } });
    expect(merged?.commit).toBe(shop.git(repository, "rev-parse", "main"));
  });

  it("that was closed shows as not written, and the next update opens a new one with that change alone", async () => {
    shop.commit(repository, { "clusters/edge-1/flux/web.yaml": "kind: Old\n" });
    const old = shop.blob("kind: Old\n");
    const before = writeRequest({ url, owned: { "web.yaml": old } }).before;
    const first = await write({ before });
    expect(first.pullRequest?.base).toEqual({ "clusters/edge-1/flux/web.yaml": { blob: old } });
    await write({ directory: "clusters/edge-2/flux" });
    server.end(1, "close");
    expect(await read(first.pullRequest)).toMatchObject({
      blobs: { "web.yaml": old },
      pullRequest: { state: "closed" },
    });

    const next = await write(after(first, "kind: New\n"));

    expect(next.pullRequest).toMatchObject({ state: "open", number: 2 });
    expect(shop.contents(repository, "clusters", side)).toEqual({
      "clusters/edge-1/flux/web.yaml": "kind: New\n",
    });
    // Nothing was forced: the old tip is a parent, beside main.
    const [, tip] = [next.commit, shop.git(repository, "rev-parse", `${next.commit}^1`)];
    expect(tip).toBe(server.pulls[0]?.head);
    expect(shop.git(repository, "rev-parse", `${next.commit}^2`)).toBe(
      shop.git(repository, "rev-parse", "main"),
    );
  });

  it.each(host === "github" ? (["merge", "squash"] as const) : (["squash"] as const))(
    "after a %s, the next change starts from main",
    async (how) => {
      const first = await write();
      server.end(1, how);
      shop.commit(repository, { "README.md": "more to read\n" });
      expect(await write(after(first, "kind: Kustomization\n"))).toMatchObject({
        kind: "unchanged",
        pullRequest: { state: "merged" },
      });
      const next = await write(after(first, "kind: New\n"));
      expect(next.pullRequest).toMatchObject({ state: "open", number: 2 });
      expect(shop.git(repository, "diff", "--name-only", `main...${side}`)).toBe(
        "clusters/edge-1/flux/.arcflux-inventory\nclusters/edge-1/flux/web.yaml",
      );
      expect(shop.contents(repository, "", side)["README.md"]).toBe("more to read\n");
    },
  );

  it.runIf(host === "github")(
    "removes files too, and asks for nothing where nothing is left to remove",
    async () => {
      const first = await write();
      server.end(1, "merge");
      const gone = await write({ ...after(first, ""), files: {}, remove: true });
      expect(gone.pullRequest).toMatchObject({ state: "open", number: 2 });
      expect(shop.git(repository, "ls-tree", "-r", "--name-only", side)).toBe("README.md");
      server.end(2, "merge");
      expect(await write({ ...after(first, ""), files: {}, remove: true })).toMatchObject({
        kind: "unchanged",
      });
      expect(server.pulls).toHaveLength(2);
    },
  );

  it.runIf(host === "github")(
    "stops where someone else committed to the side branch, and where its last commit was amended",
    async () => {
      const first = await write();
      const theirs = shop.commit(
        repository,
        { "clusters/edge-1/flux/web.yaml": "kind: Theirs\n" },
        { branch: side },
      );
      const stopped = write(after(first, "kind: New\n"));
      await expect(stopped).rejects.toMatchObject({
        kind: "conflict",
        message: expect.stringMatching(
          /arcflux\/edge\/prod.*by Pat.*Nothing was written.*delete the branch/s,
        ) as string,
      });
      expect(shop.git(repository, "rev-parse", side)).toBe(theirs);
      // The message with its trailers, another tree below it.
      const message = shop.git(repository, "log", "-1", "--format=%B", first.commit);
      shop.git(repository, "update-ref", "-d", `refs/heads/${side}`);
      shop.commit(repository, { "web.yaml": "amended\n" }, { branch: side, message });
      await expect(write(after(first, "kind: New\n"))).rejects.toMatchObject({ kind: "conflict" });
    },
  );

  it.runIf(host === "github")(
    "is opened by the rerun after a run that ended between push and request, and keeps what was pushed",
    async () => {
      await write({ directory: "clusters/edge-2/flux" });
      server.pulls.length = 0;
      const result = await write();
      expect(result.pullRequest).toMatchObject({ state: "open", number: 1 });
      expect(Object.keys(shop.contents(repository, "clusters", side))).toHaveLength(2);
    },
  );

  it.runIf(host === "github")("of two writers at once is one", async () => {
    const both = await Promise.all([write(), write({ directory: "clusters/edge-2/flux" })]);
    expect(both.map(({ pullRequest }) => pullRequest?.number)).toEqual([1, 1]);
    expect(server.pulls).toHaveLength(1);
  });

  it("from a fork's branch of the same name is not taken for ours", async () => {
    const fork = {
      number: 1,
      side,
      base: "main",
      title: "x",
      description: "",
      state: "open",
      fork: true,
    } as const;
    server.pulls.push({ ...fork });
    expect((await write()).pullRequest?.number).toBe(2);
    expect(server.pulls[0]).toEqual(fork);
  });

  it("that the host refuses ends in an error with its words and no token, and the rerun goes on", async () => {
    server.tokens.delete("S3CRET");
    server.tokens.add("git-only");
    await expect(write()).rejects.toMatchObject({
      kind: "authentication",
      message: expect.not.stringContaining("S3CRET") as string,
    });
    server.tokens.add("S3CRET");
    expect((await write()).pullRequest?.state).toBe("open");
  });
});
