import { createServer } from "node:http";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readFiles, writeFiles } from "../../git/index.ts";
import { writeRequest } from "../support/gitRequest.ts";
import { GitWorkshop } from "../support/gitWorkshop.ts";

const shop = new GitWorkshop();
let server: Server;
let url: string;
let body = "";
let pushes = 0;
beforeAll(async () => {
  server = createServer((request, response) => {
    if (request.method !== "GET") pushes += 1;
    response.writeHead(200, { "content-type": "text/plain" }).end(body);
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/fleet.git`;
});
afterAll(() => {
  server.close();
  shop.remove();
});

const context = { env: shop.env, tempRoot: shop.tempRoot };
const id = "c".repeat(40);

/** What a gateway may answer with status 200. git takes some of them for the list of a plain file server. */
describe.each([
  ["nothing", ""],
  ["a page", "<html>Sign in</html>\n"],
  ["one word", "OK\n"],
  ["one line that looks like a branch", `${id}\trefs/heads/other\n`],
  ["one line that looks like a tag", `${id}\trefs/tags/v1\n`],
  [
    "one line with a tab where an id ends",
    `${"Please sign in to go on to the web page.".padEnd(40)}\there\n`,
  ],
])("a server that answers everything with %s", (_, text) => {
  it("counts as unreachable for a read, and never as a branch that is gone", async () => {
    body = text;
    const read = readFiles({ url, branch: "main", directory: "clusters/a", paths: ["web.yaml"] }, context);
    await expect(read).rejects.toMatchObject({ name: "GitError", kind: "unreachable" });
  });

  it.each([undefined, "fromDefault", "orphan"] as const)(
    "ends a write, with createBranch %s",
    async (createBranch) => {
      body = text;
      pushes = 0;
      const delivery = createBranch && { createBranch };
      const write = writeFiles(writeRequest({ url, ...(delivery && { delivery }) }), context);
      await expect(write).rejects.toMatchObject({ name: "GitError", kind: "unreachable" });
      expect(pushes).toBe(0);
    },
  );
});

it("a branch that is missing on a real server is still told as that", async () => {
  const { startGitServer } = await import("../../lab/gitServer.ts");
  await shop.repository({ "README.md": "read me\n" });
  const real = await startGitServer({ root: shop.folder });
  try {
    const place = { url: `${real.url}/fleet.git`, branch: "none", directory: "clusters/a" };
    expect(await readFiles({ ...place, paths: ["web.yaml"] }, context)).toBeUndefined();
    await expect(writeFiles(writeRequest(place), context)).rejects.toMatchObject({ kind: "missingBranch" });
    const old = {
      ...context,
      env: { ...shop.env, GIT_CONFIG_COUNT: "1", GIT_CONFIG_KEY_0: "protocol.version" },
    };
    Object.assign(old.env, { GIT_CONFIG_VALUE_0: "0" });
    expect(await readFiles({ ...place, paths: ["web.yaml"] }, old)).toBeUndefined();
  } finally {
    await real.close();
  }
});
