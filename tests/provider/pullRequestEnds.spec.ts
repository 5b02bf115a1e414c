import { afterEach, beforeEach, expect, it } from "vitest";
import { GitHost } from "../support/hosts/gitHost.ts";
import { github } from "../support/hosts/github.ts";
import { GitWorkshop, inventoryName } from "../support/gitWorkshop.ts";
import { mkdirSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { GitFilesPlugin } from "../../provider/plugin.ts";

// What becomes of a resource whose pull request is merged or closed while its state is lost, or on its way elsewhere.

let shop: GitWorkshop;
let repository: string;
let server: GitHost;
let url: string;
beforeEach(async () => {
  shop = new GitWorkshop();
  repository = await shop.repository({ "README.md": "read me\n" });
  const path = "edge/fleet";
  server = await GitHost.start({ shop, repository, rest: github(path), tokens: ["S3CRET"] });
  mkdirSync(dirname(join(shop.folder, path)), { recursive: true });
  symlinkSync(repository, join(shop.folder, path));
  url = `${server.url}/${path}`;
});
afterEach(async () => {
  await server.close();
  shop.remove();
});

type Properties = Record<string, unknown>;
const urn = "urn:pulumi:dev::edge::arcflux-git:index:GitFiles::edge-1";
const side = "arcflux/edge/dev";
const on = (machine: string): GitFilesPlugin =>
  new GitFilesPlugin(
    "1.0.0",
    {
      env: { ...shop.env, ARCFLUX_GIT_TOKEN: "S3CRET" },
      tempRoot: shop.tempRoot,
      cacheRoot: join(shop.folder, machine),
    },
    () => Promise.resolve(),
  );
const inputs = (directory: string, files: Record<string, string>): Properties => ({
  repository: url,
  branch: "main",
  directory,
  files,
  message: "Write",
  author: { name: "Arcflux", email: "arcflux@example.com" },
  delivery: { mode: "pullRequest", pullRequest: { host: "github" } },
});
const create = async (wanted: Properties): Promise<Properties> => ({
  ...(await on("one").create(urn, wanted)).outs,
});
const update = async (state: Properties, wanted: Properties, machine = "one"): Promise<Properties> => ({
  ...(await on(machine).update("id", urn, state, wanted)).outs,
});
/** As the host does where it is set to delete the branch after the merge. */
const merge = (number: number): void => {
  server.end(number, "merge");
  shop.git(repository, "update-ref", "-d", `refs/heads/${side}`);
};
const files = (branch = "main"): string[] =>
  shop
    .git(repository, "ls-tree", "-r", "--name-only", branch)
    .split("\n")
    .filter((path) => path !== "README.md" && !path.endsWith(inventoryName));

it("a run that was killed, its pull request merged and the side branch deleted, is followed by one that goes on", async () => {
  const first = await create(inputs("a", { "web.yaml": "a: 1\n" }));
  merge(1);
  // Its state is lost.
  await update(first, inputs("a", { "web.yaml": "a: 2\n", "new.yaml": "b: 1\n" }));
  merge(2);
  const wanted = inputs("a", { "web.yaml": "a: 3\n", "new.yaml": "b: 2\n" });
  // Another machine knows as much: the inventory came with the merge.
  const state = await update(first, wanted, "two");
  expect(state).toMatchObject({ pullRequest: { state: "open", number: 3 } });
  expect(shop.contents(repository, "a", side)).toEqual({ "a/web.yaml": "a: 3\n", "a/new.yaml": "b: 2\n" });
});

it("a move whose pull request was closed is made again by the next, which knows the old folder", async () => {
  const first = await create(inputs("a", { "web.yaml": "a: 1\n" }));
  merge(1);
  const moved = await update(first, inputs("b", { "web.yaml": "a: 1\n" }));
  server.end(2, "close");
  const seen = await on("one").read("id", urn, moved);
  expect(seen).toMatchObject({ id: "id", props: { seen: { "web.yaml": "deleted" } } });
  const again = await update({ ...(seen.props as Properties) }, inputs("b", { "web.yaml": "a: 2\n" }));
  expect(again).toMatchObject({ pullRequest: { state: "open", number: 3 } });
  merge(3);
  expect(files()).toEqual(["a/web.yaml", "b/web.yaml"]);

  await update(again, { ...inputs("b", { "web.yaml": "a: 2\n" }), released: ["a"] });
  merge(4);
  expect(files()).toEqual(["b/web.yaml"]);
});
