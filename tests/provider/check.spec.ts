import { expect, it } from "vitest";
import { GitFilesPlugin } from "../../provider/plugin.ts";

const plugin = new GitFilesPlugin("1.0.0", { env: {} }, () => Promise.resolve());
const inputs = {
  repository: "https://git.example.com/fleet.git",
  branch: "main",
  directory: "edge-1",
  files: { "a.yaml": "a: 1\n" },
  message: "Write",
  author: { name: "Arcflux", email: "arcflux@example.com" },
};
const faults = async (more: object): Promise<(string | undefined)[]> => {
  const { failures = [] } = await plugin.check("urn", {}, { ...inputs, ...more });
  return failures.map(({ reason }) => reason);
};

it("a preview finds what only one file, or only two inputs together, are wrong about", async () => {
  expect(await faults({})).toEqual([]);
  const pullRequest = { branch: "main" };
  expect(
    await faults({
      files: { "Mu\u0308.yaml": "a: 1\n", "m\u00fc.yaml": "a: 1\n", constructor: "a: 1\n" },
      delivery: { mode: "pullRequest", pullRequest },
    }),
  ).toEqual([
    "files has 'constructor': a file of that name needs a folder or an ending, such as 'constructor.txt'",
    expect.stringMatching(/^files has 'Mu\u0308\.yaml' and 'm\u00fc\.yaml', which differ only in case or/),
    "delivery.pullRequest.branch is 'main', which is the branch to merge into: name another.",
  ]);
  expect(await faults({ delivery: { pullRequest } })).toEqual([]);
});
