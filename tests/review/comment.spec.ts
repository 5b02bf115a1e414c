import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { arcflux } from "../cli/process.ts";
import { GitWorkshop } from "../support/gitWorkshop.ts";
import { azureDevOps } from "../support/hosts/azureDevOps.ts";
import { GitHost } from "../support/hosts/gitHost.ts";
import { github } from "../support/hosts/github.ts";
import { gitlab } from "../support/hosts/gitlab.ts";

const fleet = `apiVersion: arcflux/v1
repository: { url: https://git.example.com/edge/fleet.git }
platform: kubernetes
clusters:
  store-1: { kubeconfig: { context: one }, sets: { pos: { interval: 60s } } }
  store-1-b: { kubeconfig: { context: two }, sets: { pos: {} } }
`;

/** As the engine writes them, of a preview that a policy stops. */
const event = (policy: object) =>
  JSON.stringify({ policyEvent: { policyName: "minimum-interval", color: "never", ...policy } });
const events = [
  event({
    resourceUrn: "urn:pulumi:prod::edge::a$arcflux-git:index:GitFiles::store-1-files",
    enforcementLevel: "mandatory",
    message:
      "<{%reset%}>GitFiles 'store-1', file 'flux/pos.yaml', Kustomization pos: spec.interval is '60s'<{%reset%}>",
  }),
  event({ resourceUrn: "", enforcementLevel: "advisory", message: "of the stack" }),
  JSON.stringify({ summaryEvent: { resourceChanges: { create: 2, same: 7 } } }),
].join("\n");

const validated = {
  severity: "warning",
  ...{ file: "fleet.yaml", line: 2, column: 3, path: "repository.url", message: "see @edge/team <b>,\nnow" },
};

let shop: GitWorkshop;
let dir: string;
beforeEach(async () => {
  shop = new GitWorkshop();
  dir = await mkdtemp(join(tmpdir(), "arcflux-review-"));
  await writeFile(join(dir, "fleet.yaml"), fleet);
  await writeFile(join(dir, "events.json"), events);
  await writeFile(join(dir, "findings.json"), JSON.stringify({ findings: [validated] }));
  await writeFile(join(dir, "diff.md"), "### store-1\n");
});
afterEach(async () => {
  shop.remove();
  await rm(dir, { recursive: true, force: true });
});

const args = ["--findings", "findings.json", "--preview", "events.json", "--part", "On clusters=diff.md"];
const ci = ["GITHUB_ACTIONS", "GITLAB_CI", "TF_BUILD"];
const outside = Object.fromEntries(ci.map((name) => [name, ""]));

const hosts = {
  github: {
    rest: github("edge/fleet"),
    env: (url: string) => ({
      ...{ GITHUB_ACTIONS: "true", GITHUB_SERVER_URL: url, GITHUB_API_URL: `${url}/api/v3` },
      ...{ GITHUB_REPOSITORY: "edge/fleet", GITHUB_REF: "refs/pull/12/merge" },
    }),
    says: [
      "::warning file=fleet.yaml,line=2,col=3::repository.url: see @edge/team <b>,%0Anow",
      "::error file=fleet.yaml,line=5,col=57::clusters.store-1.sets.pos: GitFiles 'store-1', file 'flux/pos.yaml', Kustomization pos: spec.interval is '60s' [policy minimum-interval]",
    ],
  },
  gitlab: {
    rest: gitlab("edge/fleet"),
    env: (url: string) => ({
      ...{
        GITLAB_CI: "true",
        CI_MERGE_REQUEST_PROJECT_URL: `${url}/edge/fleet`,
        CI_API_V4_URL: `${url}/api/v4`,
      },
      CI_MERGE_REQUEST_IID: "12",
    }),
    says: [],
  },
  azureDevOps: {
    rest: azureDevOps("/edge", "fleet", "fleet"),
    env: (url: string) => ({
      ...{ TF_BUILD: "True", BUILD_REPOSITORY_URI: `${url.replace("//", "//edge@")}/edge/fleet/_git/fleet` },
      SYSTEM_PULLREQUEST_PULLREQUESTID: "12",
    }),
    says: [
      "##vso[task.logissue type=warning;sourcepath=fleet.yaml;linenumber=2;columnnumber=3;]repository.url: see",
    ],
  },
};

describe.each(Object.entries(hosts))("the comment on %s", (_, { rest, env, says }) => {
  it("is one, whoever comments before it, and is changed; findings stand at their lines", async () => {
    const repository = await shop.repository({ "README.md": "The fleet\n" });
    const host = await GitHost.start({ shop, repository, rest, tokens: ["S3CRET"] });
    const others = Array.from({ length: 120 }, (_, id) => ({ id, text: `Looks good (${id})` }));
    const pull = { number: 12, side: "a", base: "main", title: "", description: "", state: "open" as const };
    host.pulls.push({ ...pull, comments: others });
    const run = (...more: string[]) =>
      arcflux(["comment", ...args, ...more], dir, {
        env: { ...outside, ...env(host.url), ARCFLUX_GIT_TOKEN: "S3CRET", ARCFLUX_GIT_TOKEN_HOST: "" },
      });
    try {
      const first = await run("--note", "Production is reached");
      expect([first.code, first.err]).toEqual([0, "The pull request has the comment.\n"]);
      for (const line of says) expect(first.out).toContain(line);
      const ours = () => others.slice(120).map(({ text }) => text);
      expect(ours()).toEqual([
        [
          "<!-- arcflux review -->",
          "## Arcflux: 1 error stops this change",
          "",
          "**Production is reached**",
          "",
          "- `fleet.yaml:1` warning: of the stack [policy minimum-interval]",
          "- `fleet.yaml:2` warning: repository.url: see @\u200bedge/team &lt;b&gt;, now",
          "- `fleet.yaml:5` **error**: clusters.store-1.sets.pos: GitFiles 'store-1', file 'flux/pos.yaml', Kustomization pos: spec.interval is '60s' [policy minimum-interval]",
          "",
          "Pulumi's resources: 2 to create.",
          "",
          "<details><summary>On clusters</summary>",
          "",
          "### store-1",
          "",
          "</details>",
          "",
        ].join("\n"),
      ]);
      expect((await run("--note", "Production is reached")).err).toContain("says so already");
      expect((await run()).err).toContain("says what is so now");
      expect(ours()).toEqual([expect.not.stringContaining("Production")]);
      expect(JSON.stringify([first, ours()])).not.toContain("S3CRET");
    } finally {
      await host.close();
    }
  });
});

it("a fork writes it to a file; GitLab's report has the lines; what is missing is said", async () => {
  const out = await arcflux(["comment", ...args, "--out", "c.md", "--code-quality", "q.json"], dir, {
    env: outside,
  });
  expect([out.code, out.out]).toEqual([0, ""]);
  expect(await readFile(join(dir, "c.md"), "utf8")).toContain("## Arcflux: 1 error stops this change");
  const report = JSON.parse(await readFile(join(dir, "q.json"), "utf8")) as {
    location: object;
    severity: string;
  }[];
  expect(report.map(({ location, severity }) => [location, severity]).at(-1)).toEqual([
    { path: "fleet.yaml", lines: { begin: 5 } },
    "major",
  ]);
  const nowhere = await arcflux(["comment"], dir, { env: outside });
  expect([nowhere.code, nowhere.err]).toEqual([2, expect.stringContaining("Write it to a file with --out.")]);
  const none = await arcflux(["comment", "--findings", "none.json", "--out", "c.md"], dir, { env: outside });
  expect([none.code, none.err]).toEqual([2, expect.stringContaining("none.json cannot be read (ENOENT)")]);
});
