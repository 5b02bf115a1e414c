import { spawnSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  checkBranch,
  checkFiles,
  checkIdentity,
  checkMessage,
  checkOwner,
  checkPath,
  checkUrl,
} from "../../git/index.ts";

const noToken = { token: false };

describe("a URL", () => {
  it.each([
    "https://git.example.com/edge/fleet.git",
    "https://git.example.com:8443/fleet",
    "http://127.0.0.1:3000/fleet.git",
    "http://git.example.com/fleet.git",
    "ssh://git@git.example.com:7999/edge/fleet.git",
    "ssh://[2001:db8::1]/fleet.git",
    "git@github.com:edge/fleet.git",
    "host.example:fleet.git",
    "file:///srv/git/fleet.git",
    "/srv/git/fleet.git",
    "https://dev.azure.com/org/My%20Project/_git/fleet",
  ])("may be %s", (url) => {
    expect(checkUrl(url, noToken)).toEqual([]);
  });

  it.each([
    [""],
    ["-oProxyCommand=x"],
    ["--upload-pack=touch /tmp/x"],
    ["ext::sh -c touch% /tmp/x"],
    ["ext::x"],
    ["fd::17"],
    ["https::https://host/x"],
    ["git://host/fleet.git"],
    ["ftp://host/fleet.git"],
    ["HTTPS://host/fleet.git"],
    ["javascript://host/x"],
    ["fleet.git"],
    ["../fleet.git"],
    ["https://"],
    ["https:///fleet.git"],
    ["https://host"],
    ["https://host/"],
    ["https://host/x.git?token=a"],
    ["https://host/x.git#a"],
    ["https://host/x%0ay.git"],
    ["https://host/a b"],
    ["https://host/a\nb"],
    ["https://host/a\0b"],
    ["\thttps://host/a"],
    ["ssh://-oProxyCommand=x/fleet.git"],
    ["ssh://git@-oProxyCommand=x/fleet.git"],
    ["ssh://-x@host/fleet.git"],
    ["ssh://host"],
    ["-x@host:fleet.git"],
    ["git@-host:fleet.git"],
    ["git@host:-fleet.git"],
    ["git@host:"],
    ["file://host/fleet.git"],
    ["file://fleet.git"],
    ["file:///"],
  ])("must not be %j", (url) => {
    expect(checkUrl(url, noToken)).toHaveLength(1);
  });

  it.each([
    "https://user:secret@host/x",
    "https://secret@host/x",
    "https://u:sec/ret@host/x",
    "ssh://git:secret@host/x",
  ])("with credentials is refused and not shown: %s", (url) => {
    const [reason = ""] = checkUrl(url, noToken);
    expect(reason).toMatch(/has credentials in it/);
    expect(reason).not.toMatch(/secret|sec\/ret/);
  });

  it.each([
    ["http://git.example.com/x", 1],
    ["http://10.0.0.1/x", 1],
    ["http://127.0.0.1.example.com/x", 1],
    ["http://localhost.example.com/x", 1],
    ["http://127.0.0.1/x", 0],
    ["http://127.8.9.1:80/x", 0],
    ["http://[::1]:80/x", 0],
    ["http://localhost/x", 0],
    ["https://git.example.com/x", 0],
  ])("with a token: %s has %i faults", (url, faults) => {
    expect(checkUrl(url, { token: true })).toHaveLength(faults);
  });
});

describe("a branch", () => {
  it.each(["main", "edge/test", "release-1.0", "Größe", "a@b"])("may be %s", (branch) => {
    expect(checkBranch(branch)).toEqual([]);
  });

  it.each([
    "",
    "-f",
    "--force",
    "a b",
    "a..b",
    "a~1",
    "a^",
    "a:b",
    "a?",
    "a*",
    "a[",
    "a\\b",
    "/a",
    "a/",
    "a//b",
    ".a",
  ])("must not be %j", (branch) => {
    expect(checkBranch(branch)).not.toEqual([]);
  });
  it.each([
    "a/.b",
    "a.lock",
    "a.lock/b",
    "a.",
    "a@{b",
    "@",
    "HEAD",
    "refs/heads/main",
    "a\nb",
    "a\u007f",
    "\ud800",
  ])("must not be %j either", (branch) => {
    expect(checkBranch(branch)).not.toEqual([]);
  });

  it("that the rule lets through is one that git takes", () => {
    const piece = fc.constantFrom(
      "a",
      ".",
      "/",
      "-",
      "@",
      "{",
      "..",
      ".lock",
      "~",
      " ",
      "ü",
      "\\",
      "*",
      "HEAD",
      ":",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 5 }), (pieces) => {
        const branch = pieces.join("");
        const { status } = spawnSync("git", ["check-ref-format", "--branch", branch]);
        if (checkBranch(branch).length === 0) expect({ branch, status }).toEqual({ branch, status: 0 });
      }),
      { numRuns: 100 },
    );
  });
});

describe("a path", () => {
  it.each([
    "web.yaml",
    "clusters/edge-1/flux/web.yaml",
    ".sops.yaml",
    ".gitignore",
    "a b/ü.yaml",
    "-x",
    "git",
    "a.git",
  ])("may be %s", (path) => {
    expect(checkPath(path)).toEqual([]);
  });

  it.each([
    "",
    "/a",
    "a/",
    "a//b",
    ".",
    "..",
    "../a",
    "a/../b",
    "./a",
    "a/.",
    "a\\b",
    "a\nb",
    "a\0",
    "\ud800",
  ])("must not be %j", (path) => {
    expect(checkPath(path)).not.toEqual([]);
  });
  it.each([
    ".git",
    ".GIT/config",
    "a/.Git/hooks/x",
    ".git.",
    ".git ",
    "git~1",
    "GIT~1/x",
    ".git::$INDEX_ALLOCATION",
    ".g\u200cit",
  ])("must not be %j, which is .git somewhere", (path) => {
    expect(checkPath(path)).toHaveLength(1);
  });
});

describe("the rest of a request", () => {
  it("names a file that would be a folder too", () => {
    expect(checkFiles({ a: "", "a/b": "", "a/b/c": "" })).toEqual([
      "has both 'a' and 'a/b': a file cannot be a folder too",
      "has both 'a' and 'a/b/c': a file cannot be a folder too",
      "has both 'a/b' and 'a/b/c': a file cannot be a folder too",
    ]);
    expect(checkFiles({ a: "\ud800" })).toHaveLength(1);
    for (const name of ["constructor", "toString", "valueOf", "hasOwnProperty", "__proto__"]) {
      const [reason] = checkFiles(Object.fromEntries([[name, "a: 1\n"]]));
      expect(reason).toBe(
        `has '${name}': a file of that name needs a folder or an ending, such as '${name}.txt'`,
      );
      expect(checkFiles({ [`${name}.yaml`]: "", [`a/${name}`]: "" })).toEqual([]);
    }
  });

  it("takes project, stack and cluster on one line as an owner", () => {
    expect(["edge/prod/edge-0", "edge/prod/a/b", "edge/prod/a: b"].flatMap(checkOwner)).toEqual([]);
    expect(
      ["", "edge", "edge/prod", "edge/prod/", "/prod/a", "edge//a", "edge/prod/a\nb"].flatMap(checkOwner),
    ).toHaveLength(7);
  });

  it.each([
    ["Arcflux", "arcflux@example.com", 0],
    ["Jörg O'Neill, Jr.", "j@x", 0],
    ["", "a@b", 1],
    [".,;", "a@b", 1],
    ["a\nb", "a@b", 1],
    ["a <b>", "a@b", 1],
    ["a", "", 1],
    ["a", "a b", 1],
    ["a", "<a@b>", 1],
    ["a", "a@b\0", 1],
  ])("author %j <%j> has %i faults", (name, email, faults) => {
    expect(checkIdentity({ name, email })).toHaveLength(faults);
  });

  it.each([
    ["Update", 0],
    ["Update\n\nBody\n", 0],
    ["", 1],
    ["\nBody", 1],
    ["a\0b", 1],
  ])("message %j has %i faults", (message, faults) => {
    expect(checkMessage(message)).toHaveLength(faults);
  });
});
