import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { GitError, deliverFiles } from "../../git/index.ts";
import type { WriteRequest } from "../../git/index.ts";
import { GitFilesPlugin } from "../../provider/plugin.ts";
import { writeRequest } from "../support/gitRequest.ts";
import { GitWorkshop } from "../support/gitWorkshop.ts";

const shop = new GitWorkshop();
let url: string;
beforeAll(async () => (url = await shop.repository({ "README.md": "read me\n" })));
afterAll(() => shop.remove());

/** A program that each of these would run, if it were taken at its word. */
const mark = join(shop.folder, "mark");

/** What is written where: part of the request, and the value. Each breaks one rule. */
const table: readonly [part: string, values: readonly unknown[]][] = [
  [
    "url",
    [
      `ext::sh -c touch% ${mark}`,
      `ext::touch ${mark}`,
      "fd::3",
      "https::https://host/x",
      `--upload-pack=touch ${mark}`,
      `-oProxyCommand=touch ${mark}`,
      `-u./touch`,
      `ssh://-oProxyCommand=touch%20${mark}/x`,
      `ssh://%2doProxyCommand=touch/x`,
      "ssh://-x@host/x",
      "ssh://%2dx@host/x",
      "ssh://host;touch/x",
      "ssh://host/x%0atouch",
      "ssh://user:secret@host/x",
      "-oProxyCommand=x:path",
      "host:-x",
      "git://host/x",
      "ftp://host/x",
      "https://host/x\n[core]\n\tsshCommand = touch",
      "https://host/x\r\nHost: other",
      "https://host/x\0y",
      "https://host/\u001b[31mx",
      "https://host/%0d%0aHost:%20other",
      "https://user:secret@host/x",
      "https://secret@host/x",
      "https://host/x?private_token=secret",
      "https://host/x#secret",
      "https://host",
      "file://host/x",
      "file:///srv/x%00",
      "relative/path",
      "../up",
      "",
    ],
  ],
  [
    "branch",
    [
      "--force",
      "-f",
      "+main",
      ":main",
      "main:other",
      "refs/heads/main",
      "HEAD",
      "@",
      "main~1",
      "main^{tree}",
      "a..b",
      "a@{1}",
      "a b",
      "a\nb",
      "a\0b",
      "a\u007f",
      "a.lock",
      "a//b",
      "/a",
      ".a",
      "a\\b",
      "*",
      "",
    ],
  ],
  [
    "directory",
    [
      "../up",
      "a/../../b",
      "/etc",
      "a//b",
      "a/",
      ".",
      ".git",
      "a/.GIT/hooks",
      "a\\b",
      "a\nb",
      "a\0b",
      "\ud800",
    ],
  ],
  [
    "path",
    [
      "../up",
      "/etc/passwd",
      "a/../b",
      "./a",
      "a//b",
      "",
      ".git/config",
      ".git./config",
      ".GiT/hooks/x",
      "git~1/config",
      ".git::$INDEX_ALLOCATION/x",
      ".g\u200cit/config",
      "a\nb",
      "a\0b",
      "a\tb",
      "C:\\x",
      "\ud800",
      "n".repeat(256),
    ],
  ],
  ["name", ["", " ", "a\nb", "a\0b", "a <b@c>", "\u001b[2J", "<>", "..", "\ud800"]],
  ["email", ["", "a b", "<a@b>", "a@b\nX: y", "a@b\0", "\ud800"]],
  [
    "message",
    [
      "",
      "   ",
      "\nNo subject",
      "a\0b",
      "a\u001b[31mred",
      "a\bb",
      "{password}",
      "{cluster} {nosuch}",
      "Fine\n\nArcflux-Stack: prod",
      "Fine\n\narcflux-operation : delete",
      "\ud800",
    ],
  ],
  [
    "delivery",
    [
      "push",
      ["push"],
      { mode: "force" },
      { createBranch: "yes" },
      { signing: { keyFile: "relative/key" } },
      { signing: { keyFile: "-x" } },
      { signing: { format: "x509" } },
      { signing: { program: "touch" } },
      { caFile: "a\nb" },
      { caFile: "ca.pem" },
      { committer: { name: "a", email: "b\n" } },
      { pullRequest: { branch: "--force" } },
      { pullRequest: { branch: "a..b" } },
      { pullRequest: { host: "evil" } },
      { pullRequest: { apiUrl: "http://host/api" } },
      { pullRequest: { apiUrl: "https://user:secret@host/api" } },
      { pullRequest: { apiUrl: "file:///etc/passwd" } },
      { pullRequest: { title: "a\nb" } },
      { cluster: "edge\n\nArcflux-Stack: prod" },
      { stage: "" },
      { gpgProgram: "touch" },
    ],
  ],
];

const cases = table.flatMap(([part, values]) => values.map((value) => [part, value] as const));

const requestWith = (part: string, value: unknown): WriteRequest => {
  const base = writeRequest({ url });
  switch (part) {
    case "path":
      return { ...base, files: { [value as string]: "a: 1\n" } };
    case "name":
    case "email":
      return { ...base, author: { ...base.author, [part]: value } };
    default:
      return { ...base, [part]: value };
  }
};

describe("input that means harm", () => {
  // Nothing but the rules may stand between: without PATH git could not be started at all.
  const env = { HOME: shop.home, PATH: join(shop.folder, "nothing") };
  const context = { env, tempRoot: shop.tempRoot, cacheRoot: join(shop.folder, "cache") };

  const checked = async (request: WriteRequest): Promise<string[]> => {
    const { url: repository, branch, directory, files, message, author, delivery } = request;
    const inputs = { repository, branch, directory, files, message, author, ...(delivery && { delivery }) };
    const plugin = new GitFilesPlugin("1.0.0", context, () => Promise.reject(new Error("no warning")));
    const { failures } = await plugin.check("urn:pulumi:dev::edge::T::n", {}, inputs);
    return (failures ?? []).map(({ reason }) => reason);
  };

  it.each(cases)("is refused by rule in a write: %s %j", async (part, value) => {
    const error: unknown = await deliverFiles(requestWith(part, value), context).catch(
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(GitError);
    const { kind, message } = error as GitError;
    expect(kind).toBe("invalid");
    expect(message).not.toMatch(/secret|\u001b|\0/);
  });

  it.each(cases)("is refused by the provider's check: %s %j", async (part, value) => {
    const failures = await checked(requestWith(part, value));
    expect(failures).not.toEqual([]);
    for (const reason of failures) expect(reason).not.toMatch(/secret|\u001b|\0/);
  });

  it("is not what an ordinary request is taken for", async () => {
    expect(
      await checked(writeRequest({ url, delivery: { mode: "pullRequest", cluster: "edge-1" } })),
    ).toEqual([]);
  });

  it("ran nothing and left nothing", () => {
    expect(existsSync(mark)).toBe(false);
    expect(readdirSync(shop.tempRoot)).toEqual([]);
    expect(shop.log(url)).toHaveLength(1);
  });
});
