import type { ServerResponse } from "node:http";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { deliverFiles, GitError, writeFiles } from "../../git/index.ts";
import type { GitContext } from "../../git/index.ts";
import { startGitServer, type GitServer } from "../../lab/gitServer.ts";
import { startFrontServer, type FrontServer } from "../support/frontServer.ts";
import { writeRequest } from "../support/gitRequest.ts";
import { GitWorkshop } from "../support/gitWorkshop.ts";

const shop = new GitWorkshop();
let server: GitServer;
let front: FrontServer;
let url: string;
let waits: number[] = [];
let context: GitContext;
let count = 0;
beforeAll(async () => {
  server = await startGitServer({ root: shop.folder });
  front = await startFrontServer(server.url);
});
afterAll(async () => {
  await front.close();
  await server.close();
  shop.remove();
});
beforeEach(async () => {
  const name = `fleet-${(count += 1)}`;
  await shop.repository({ "README.md": "read me\n" }, { name });
  url = `${front.url}/${name}.git`;
  waits = [];
  context = {
    env: shop.env,
    tempRoot: shop.tempRoot,
    cacheRoot: shop.cache,
    random: () => 1,
    sleep: (milliseconds) => Promise.resolve(void waits.push(milliseconds)),
  };
});

type Misbehave = (response: ServerResponse) => void;
const status =
  (code: number, headers: Readonly<Record<string, string>> = {}, text = ""): Misbehave =>
  (response) =>
    void response.writeHead(code, { "content-type": "text/plain", ...headers }).end(text);
const reset: Misbehave = (response) => void response.socket?.destroy();

/** The first of the requests for that path and method fare so. */
const first = (times: number, method: string, path: string, how: Misbehave): void => {
  let left = times;
  front.answer = (request, response) => {
    if (request.method !== method || !request.url?.includes(path) || (left -= 1) < 0) return false;
    how(response);
    return true;
  };
};

const limit = "You have exceeded a secondary rate limit.\n";

describe("a fault of the host that passes is waited for, and the write goes through", () => {
  it.each([
    [
      "429 with Retry-After",
      "GET",
      "info/refs",
      2,
      status(429, { "Retry-After": "7" }, limit),
      [7_000, 7_000],
    ],
    ["429 without", "GET", "info/refs", 2, status(429), [1_000, 2_000]],
    ["403 of a rate limit, in words", "GET", "info/refs", 1, status(403, {}, limit), [1_000]],
    [
      "403 of a rate limit, in headers",
      "GET",
      "info/refs",
      1,
      status(403, { "x-ratelimit-remaining": "0" }),
      [1_000],
    ],
    ["502 in the middle", "POST", "git-upload-pack", 1, status(502), [1_000]],
    ["a connection that is reset", "GET", "info/refs", 1, reset, [1_000]],
    ["503 to the push", "POST", "git-receive-pack", 1, status(503, { "retry-after": "3" }), [3_000]],
    ["429 to the push", "GET", "service=git-receive-pack", 1, status(429), [1_000]],
  ])("%s", async (_, method, path, times, how, expected) => {
    first(times, method, path, how);
    const result = await writeFiles(writeRequest({ url }), context);
    expect(result.kind).toBe("committed");
    expect(waits).toEqual(expected);
  });

  it("a push whose answer was lost is known for ours, and not made twice", async () => {
    let lost = false;
    front.answer = (request, response) => {
      if (lost || request.method !== "POST" || !request.url?.includes("git-receive-pack")) return false;
      lost = true;
      const end = response.end.bind(response);
      response.writeHead = () => response;
      response.write = () => true;
      response.end = (() => (response.socket?.destroy(), end())) as typeof response.end;
      return false;
    };
    const result = await writeFiles(writeRequest({ url }), context);
    expect(result).toMatchObject({ kind: "committed" });
    expect(shop.log(`${shop.folder}/fleet-${count}.git`)).toEqual([result.commit, expect.any(String)]);
  });
});

describe("a fault that does not pass", () => {
  it("is named as what it is, after a bound", async () => {
    first(Infinity, "GET", "info/refs", status(429, { "Retry-After": "2" }, limit));
    const error: unknown = await writeFiles(writeRequest({ url }), context).catch(
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(GitError);
    expect(error).toMatchObject({ kind: "busy" });
    const { message } = error as GitError;
    expect(message).toContain("returned error: 429");
    expect(message).toContain("Asked 6 times, with 10 s in between.");
    expect(message).toContain("The host is busy, or limits how often it is asked. Run again later");
    expect(message).not.toMatch(/Check the URL|token/);
  });

  it("is not waited for longer than a run waits", async () => {
    first(Infinity, "GET", "info/refs", status(403, { "Retry-After": "3600" }));
    const write = writeFiles(writeRequest({ url }), context);
    await expect(write).rejects.toMatchObject({ kind: "busy" });
    await expect(write).rejects.toThrow(
      /rate limit is reached\. It asks to wait 3600 s, which is longer than a run waits/,
    );
    expect(waits).toEqual([]);
  });
});

it("the host's interface for pull requests is asked again too", async () => {
  let [left, opened] = [2, 0];
  front.answer = (request, response) => {
    if (!request.url?.startsWith("/api/")) return false;
    if ((left -= 1) >= 0) status(left === 1 ? 503 : 429, { "Retry-After": "4" })(response);
    else if (request.method === "GET") status(200, {}, "[]")(response);
    else {
      opened += 1;
      const pull = {
        number: 1,
        html_url: "http://host/1",
        state: "open",
        title: "",
        body: "",
        head: { sha: "" },
      };
      status(201, {}, JSON.stringify(pull))(response);
    }
    return true;
  };
  const repository = await shop.repository({ "README.md": "read me\n" }, { name: `edge/fleet-${count}` });
  expect(repository).toContain("edge/");
  const pullRequest = { host: "github", apiUrl: `${front.url}/api/v3` } as const;
  const request = writeRequest({
    url: `${front.url}/edge/fleet-${count}.git`,
    delivery: { mode: "pullRequest", pullRequest },
    provenance: { project: "p", stack: "s", version: "1" },
  });
  const env = { ...shop.env, ARCFLUX_GIT_TOKEN: "token-for-tests" };
  const result = await deliverFiles(request, { ...context, env });
  expect(result.pullRequest).toMatchObject({ state: "open", number: 1 });
  expect([opened, waits]).toEqual([1, [4_000, 4_000]]);
});
