import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { writeFiles } from "../../git/index.ts";
import { writeRequest } from "../support/gitRequest.ts";
import { GitWorkshop } from "../support/gitWorkshop.ts";

const shop = new GitWorkshop();
afterAll(() => shop.remove());

it("a push goes to where it is read from, whatever pushInsteadOf the user's git config has", async () => {
  const url = await shop.repository({ "README.md": "read me\n" });
  const other = await shop.repository({ "README.md": "read me\n" }, { name: "other" });
  writeFileSync(join(shop.home, ".gitconfig"), `[url "${other}"]\n\tpushInsteadOf = ${url}\n`);
  const { kind, commit } = await writeFiles(writeRequest({ url }), {
    env: shop.env,
    tempRoot: shop.tempRoot,
  });
  expect([kind, shop.log(url)[0]]).toEqual(["committed", commit]);
  expect(shop.log(other)).toHaveLength(1);
});

it("no field of a message writes a trailer", async () => {
  const url = await shop.repository({ "README.md": "read me\n" }, { name: "trailers" });
  const request = writeRequest({
    url,
    message: "Update {stage}\n\n{cluster}: prod\n \n{stage}: x",
    delivery: { cluster: "Arcflux-Stack", stage: "arcflux-project" },
    provenance: { project: "edge", stack: "dev", version: "1" },
  });
  const { commit } = await writeFiles(request, { env: shop.env, tempRoot: shop.tempRoot });
  const trailer = (key: string) =>
    shop.git(url, "log", "-1", `--format=%(trailers:key=${key},valueonly)`, commit).split("\n");
  expect([trailer("Arcflux-Stack"), trailer("Arcflux-Project")]).toEqual([["dev"], ["edge"]]);
  const body = shop.git(url, "log", "-1", "--format=%B", commit);
  expect(body.match(/^[ \t]*arcflux-(stack|project)\s*:/gim)).toEqual(["Arcflux-Project:", "Arcflux-Stack:"]);
});
