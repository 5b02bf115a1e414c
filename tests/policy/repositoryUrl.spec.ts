import { describe, expect, test } from "vitest";

import { commonFolder, repositoryPath, writtenPath } from "../../policy/repositoryPath.ts";
import { repositoryIdentity } from "../../policy/repositoryUrl.ts";

describe("the identity of a repository", () => {
  test.each([
    ["https://Git.Example.com/Edge/fleet.git/", "git.example.com/Edge/fleet"],
    ["http://127.0.0.1:8080/fleet.git", "127.0.0.1:8080/fleet"],
    ["http://git.example.com:80/fleet", "git.example.com/fleet"],
    ["https://me:swordfish@git.example.com/fleet?token=swordfish#x", "git.example.com/fleet"],
    ["git@git.example.com:edge/fleet.git", "git.example.com/edge/fleet"],
    ["ssh://git@git.example.com:2222/edge/fleet", "git.example.com/edge/fleet"],
    ["https://dev.azure.com/org/My%20Project/_git/fleet", "dev.azure.com/org/My Project/_git/fleet"],
    ["file:///srv/git/fleet.git", "/srv/git/fleet"],
    ["/srv/git/fleet.git", "/srv/git/fleet"],
    ["https://git.example.com/a%zz", "git.example.com/a%zz"],
  ])("of %s is %s", (url, identity) => {
    expect(repositoryIdentity(url)).toBe(identity);
  });
});

describe("a folder of a repository", () => {
  test.each([
    ["./a/b/", "a/b"],
    ["//a//b", "a/b"],
    ["a/./b/../c", "a/c"],
    [".", ""],
    ["/", ""],
    ["", ""],
    ["../a", "../a"],
  ])("written %o is %o", (path, plain) => {
    expect(repositoryPath(path)).toBe(plain);
  });

  test("common to several is the deepest that holds them all", () => {
    expect(commonFolder([])).toBeUndefined();
    expect(commonFolder(["flux"])).toBe("flux");
    expect(commonFolder(["flux/a", "flux/ab", "flux/a"])).toBe("flux");
    expect(commonFolder(["flux/a", "flux"])).toBe("flux");
    expect(commonFolder(["flux", "flux/a"])).toBe("flux");
    expect(commonFolder(["flux", "apps"])).toBe("");
    expect(commonFolder(["", "apps"])).toBe("");
  });

  test("is written as Azure shows it", () => {
    expect(writtenPath("a/b")).toBe("./a/b");
    expect(writtenPath("")).toBe("./");
  });
});
