import { expect, it } from "vitest";
import { GitError, readFiles } from "../../git/index.ts";
import { GitFilesPlugin } from "../../provider/plugin.ts";

const urn = "urn:pulumi:dev::edge::T::edge-1-files";
const ours = "https://git.example.com/edge/fleet.git";
const evil = "https://evil.example.net/edge/fleet.git";
const apiUrl = (url: string) => ({ mode: "pullRequest", pullRequest: { host: "gitlab", apiUrl: url } });

const inputs = (repository: string, delivery?: object) => ({
  repository,
  branch: "main",
  directory: "clusters/edge-1",
  files: { "a.yaml": "a: 1\n" },
  message: "Update",
  author: { name: "A", email: "a@example.com" },
  ...(delivery && { delivery }),
});

/** Checks one after the other in one run; what was refused, and what was warned of. */
const check = async (
  env: NodeJS.ProcessEnv,
  ...steps: readonly (readonly [olds: object, news: object])[]
) => {
  const warnings: string[] = [];
  const plugin = new GitFilesPlugin("1.0.0", { env }, (_, message) =>
    Promise.resolve(void warnings.push(message)),
  );
  const reasons: string[] = [];
  for (const [olds, news] of steps) {
    const { failures } = await plugin.check(urn, { ...olds }, { ...news });
    reasons.push(...(failures ?? []).map(({ reason }) => reason));
  }
  return { reasons, warnings };
};

const token = { ARCFLUX_GIT_TOKEN: "token-of-the-test" };
const bound = { ...token, ARCFLUX_GIT_TOKEN_HOST: "git.example.com, api.example.com" };

it("a token that nothing binds goes to the host of the URL, with one warning that names host and setting", async () => {
  const { reasons, warnings } = await check(token, [{}, inputs(ours)], [{}, inputs(ours)]);
  expect(reasons).toEqual([]);
  expect(warnings).toEqual([
    "the Git token goes to git.example.com, and would go to any other host that the fleet file names. " +
      "Set ARCFLUX_GIT_TOKEN_HOST (stack config arcflux-git:tokenHost) to git.example.com.",
  ]);
});

it.each([
  ["the repository", inputs(ours), inputs(evil)],
  ["the interface for pull requests", inputs(ours), inputs(ours, apiUrl("https://evil.example.net/api/v4"))],
])("it does not go to a host that the saved state does not know: %s", async (_, olds, news) => {
  const { reasons } = await check(token, [olds, news]);
  expect(reasons).toEqual([
    "repository: a URL is at evil.example.net, and was at git.example.com: the token would go to another host. " +
      "If that is meant, set ARCFLUX_GIT_TOKEN_HOST (stack config arcflux-git:tokenHost) to evil.example.net.",
  ]);
});

it("one that is bound goes to its hosts alone, and may follow a repository between them", async () => {
  const move = await check(bound, [inputs(ours), inputs(ours, apiUrl("https://api.example.com/api/v4"))]);
  expect(move).toEqual({ reasons: [], warnings: [] });
  const refused = [inputs(evil), inputs(ours, apiUrl("https://evil.example.net/api/v4"))];
  for (const news of refused) {
    const { reasons } = await check(bound, [{}, news]);
    expect(reasons).toEqual([
      expect.stringMatching(
        /evil\.example\.net, and ARCFLUX_GIT_TOKEN is for git\.example\.com, api\.example\.com alone/,
      ),
    ]);
  }
});

it("a look at the repository does not send it either, as one before a preview", async () => {
  const place = { url: evil, branch: "main", directory: "", paths: [] };
  const error: unknown = await readFiles(place, { env: { ...bound, PATH: "" } }).catch(
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(GitError);
  expect(error).toMatchObject({ kind: "invalid" });
});

it("without a token there is nothing to bind", async () => {
  expect(await check({}, [inputs(ours), inputs(evil)])).toEqual({ reasons: [], warnings: [] });
});
