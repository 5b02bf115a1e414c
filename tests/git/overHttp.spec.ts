import { afterAll, beforeAll, expect, it } from "vitest";
import { makeBranches, writeFiles } from "../../git/index.ts";
import type { GitServer } from "../../lab/gitServer.ts";
import { startGitServer } from "../../lab/gitServer.ts";
import { beforeOf, writeRequest } from "../support/gitRequest.ts";
import { GitWorkshop } from "../support/gitWorkshop.ts";

const shop = new GitWorkshop();
let server: GitServer;
beforeAll(async () => (server = await startGitServer({ root: shop.folder })));
afterAll(async () => {
  await server.close();
  shop.remove();
});

it("over HTTP, files are created, changed and deleted without the objects they replace", async () => {
  const repository = await shop.repository({
    "README.md": "read me\n",
    "clusters/edge-1/flux/other.yaml": "a: 1\n".repeat(1000),
  });
  const url = `${server.url}/fleet.git`;
  const context = { env: shop.env, tempRoot: shop.tempRoot, cacheRoot: `${shop.folder}/cache` };
  // Long and alike, so that git would want to send the difference.
  const long = (last: string): string => `${"kind: Kustomization\n".repeat(500)}${last}\n`;
  const created = await writeFiles(
    writeRequest({ url, files: { "web.yaml": long("a"), "db.yaml": long("b") } }),
    context,
  );
  const changed = await writeFiles(
    writeRequest({ url, files: { "web.yaml": long("c") }, before: beforeOf(created) }),
    context,
  );
  expect(shop.log(repository).slice(0, 2)).toEqual([changed.commit, created.commit]);
  const { "clusters/edge-1/flux/web.yaml": web, ...others } = shop.contents(repository, "");
  expect(web).toBe(long("c"));
  expect(Object.keys(others)).toEqual(["README.md", "clusters/edge-1/flux/other.yaml"]);
});

it("over HTTP, a branch is made where the repository has folders", async () => {
  const repository = await shop.repository(
    { "apps/pos/a.yaml": "a: 1\n", "infra/x/y/z.yaml": "b: 1\n" },
    { name: "made" },
  );
  await makeBranches(`${server.url}/made.git`, [{ name: "test" }, { name: "prod" }], {
    env: shop.env,
    tempRoot: shop.tempRoot,
  });
  expect(shop.git(repository, "rev-parse", "prod")).toBe(shop.git(repository, "rev-parse", "main"));
  // The branch of a ring starts at that of its stage: at any other its clusters would get something new.
  shop.commit(repository, { "apps/pos/a.yaml": "a: 2\n" }, { branch: "main" });
  await makeBranches(`${server.url}/made.git`, [{ name: "prod-first", from: "prod" }], {
    env: shop.env,
    tempRoot: shop.tempRoot,
  });
  expect(shop.git(repository, "rev-parse", "prod-first")).toBe(shop.git(repository, "rev-parse", "prod"));
});
