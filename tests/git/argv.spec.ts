import { describe, expect, it } from "vitest";
import {
  commitTreeArgv,
  fetchTipArgv,
  fetchObjectsArgv,
  listRefsArgv,
  pushArgv,
} from "../../git/access/argv.ts";

const fetchOptions = [
  "--no-tags",
  "--no-write-fetch-head",
  "--no-recurse-submodules",
  "--no-auto-maintenance",
];
const noop = ["-c", "fetch.negotiationAlgorithm=noop"];

describe("git commands", () => {
  it.each([
    [
      fetchTipArgv("main", "tree:1"),
      [
        ...noop,
        "fetch",
        "--depth=1",
        "--filter=tree:1",
        ...fetchOptions,
        "--",
        "arcflux",
        "+refs/heads/main:refs/arcflux/tip",
      ],
    ],
    [
      fetchTipArgv("main", undefined),
      [...noop, "fetch", "--depth=1", ...fetchOptions, "--", "arcflux", "+refs/heads/main:refs/arcflux/tip"],
    ],
    [fetchObjectsArgv(), [...noop, "fetch", "--filter=tree:0", ...fetchOptions, "--stdin", "--", "arcflux"]],
    [listRefsArgv(), ["ls-remote", "--heads", "--tags", "--", "arcflux"]],
    [commitTreeArgv("aa", "bb"), ["commit-tree", "-p", "bb", "-F", "-", "aa"]],
  ])("%#", (argv, expected) => {
    expect(argv).toEqual(expected);
  });

  it.each(["bb", ""])("a push holds only where the branch is at the tip it was made on: %j", (tip) => {
    const argv = pushArgv("aa", "main", tip);
    expect(argv.slice(-3)).toEqual(["--", "arcflux", "aa:refs/heads/main"]);
    expect(argv.filter((argument) => /force|^-f$|^\+|lease|mirror|delete/.test(argument))).toEqual([
      `--force-with-lease=refs/heads/main:${tip}`,
    ]);
    expect(argv).toContain("--no-thin");
  });
});
