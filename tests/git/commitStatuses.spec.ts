import { expect, it } from "vitest";
import { azureDevOpsHost } from "../../git/pullRequest/azureDevOps.ts";
import { githubHost } from "../../git/pullRequest/github.ts";
import { gitlabHost } from "../../git/pullRequest/gitlab.ts";
import type { Call, Host } from "../../git/pullRequest/host.ts";

const commit = "4f2c1ab0".repeat(5);

/** A host that answers these paths, with the answers that their documentation shows. */
const answering =
  (answers: Readonly<Record<string, unknown>>): Call =>
  ({ url }) => {
    const { pathname } = new URL(url);
    const json = answers[pathname];
    if (json === undefined) throw new Error(`nobody asks for ${pathname}`);
    return Promise.resolve({ status: json === 403 ? 403 : 200, json, headers: {} });
  };

const cases: readonly (readonly [string, Host, readonly unknown[]])[] = [
  [
    "GitHub: statuses and check runs",
    githubHost(
      "https://api.github.com",
      "edge/fleet",
      answering({
        [`/repos/edge/fleet/commits/${commit}/status`]: {
          statuses: [
            { context: "scan", state: "success" },
            { context: "old", state: "error" },
            { context: "slow", state: "pending" },
          ],
        },
        [`/repos/edge/fleet/commits/${commit}/check-runs`]: {
          check_runs: [
            { name: "e2e", status: "completed", conclusion: "success" },
            { name: "docs", status: "completed", conclusion: "skipped" },
            { name: "load", status: "completed", conclusion: "timed_out" },
            { name: "canary", status: "in_progress", conclusion: null },
          ],
        },
      }),
    ),
    [
      "scan passed",
      "old failed",
      "slow pending",
      "e2e passed",
      "docs passed",
      "load failed",
      "canary pending",
    ],
  ],
  [
    "GitHub with a token that shows no check runs",
    githubHost(
      "https://api.github.com",
      "edge/fleet",
      answering({
        [`/repos/edge/fleet/commits/${commit}/status`]: { statuses: [{ context: "scan", state: "success" }] },
        [`/repos/edge/fleet/commits/${commit}/check-runs`]: 403,
      }),
    ),
    ["scan passed"],
  ],
  [
    "GitLab: of each name the newest first",
    gitlabHost(
      "https://gitlab.com/api/v4",
      "edge/fleet",
      answering({
        [`/api/v4/projects/edge%2Ffleet/repository/commits/${commit}/statuses`]: [
          { id: 1, name: "scan", status: "failed" },
          { id: 4, name: "scan", status: "success" },
          { id: 2, name: "by-hand", status: "manual" },
          { id: 3, name: "off", status: "canceled" },
        ],
      }),
    ),
    ["scan passed", "off failed", "by-hand pending", "scan failed"],
  ],
  [
    "Azure DevOps: by name, and by genre and name",
    azureDevOpsHost(
      { api: "https://dev.azure.com/edge", project: "shop", repository: "fleet", version: "7.1" },
      answering({
        [`/edge/shop/_apis/git/repositories/fleet/commits/${commit}/statuses`]: {
          count: 2,
          value: [
            { state: "succeeded", context: { name: "scan", genre: "security" } },
            { state: "notSet", context: { name: "load", genre: null } },
          ],
        },
      }),
    ),
    ["security/scan passed", "scan passed", "load pending"],
  ],
];

it.each(cases)("%s", async (_host, { statuses }, expected) => {
  expect((await statuses(commit)).map(({ name, state }) => `${name} ${state}`)).toEqual(expected);
});
