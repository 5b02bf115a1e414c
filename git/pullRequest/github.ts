import { githubHeaders } from "../access/credentialsGithubApp.ts";
import type { Call, CommitStatus, Host, PullRequest } from "./host.ts";
import type { HttpAnswer } from "../access/http.ts";

interface Pull {
  readonly number: number;
  readonly html_url: string;
  readonly state: string;
  readonly merged_at: string | null;
  readonly title: string;
  readonly body: string | null;
  readonly head: { readonly sha: string; readonly repo: { readonly full_name: string } | null };
}

/** GitHub, Enterprise Cloud and Enterprise Server. `api` is the base of the REST interface, `path` is `owner/name`. */
export function githubHost(api: string, path: string, call: Call): Host {
  const [owner = "", name = ""] = path.split("/");
  const repository = `${api}/repos/${encodeURIComponent(owner)}/${encodeURIComponent(name)}`;
  const base = `${repository}/pulls`;
  const headers = githubHeaders;
  return {
    find: async (side, target) => {
      const query = new URLSearchParams({
        state: "all",
        head: `${owner}:${side}`,
        base: target,
        sort: "created",
        direction: "desc",
        per_page: "50",
      });
      const { json } = await call({ method: "GET", url: `${base}?${query.toString()}`, headers });
      // A fork of the same owner may have a branch of that name too.
      const own = (json as Pull[]).filter(
        ({ head }) => head.repo?.full_name.toLowerCase() === `${owner}/${name}`.toLowerCase(),
      );
      const found = own.find(({ state }) => state === "open") ?? own[0];
      return found && read(found);
    },
    open: async (side, target, { title, description }) => {
      const body = { title, body: description, head: side, base: target };
      const { status, json } = await call({
        method: "POST",
        url: base,
        headers,
        body,
        expected: isOpenAlready,
      });
      return status === 422 ? undefined : read(json as Pull);
    },
    update: async (number, { title, description }) => {
      const body = { title, body: description };
      const { json } = await call({ method: "PATCH", url: `${base}/${number}`, headers, body });
      return read(json as Pull);
    },
    comments: async (number, page) => {
      const url = `${repository}/issues/${number}/comments?per_page=100&page=${page}`;
      const { json } = await call({ method: "GET", url, headers });
      return (json as readonly { id: number; body: string | null }[]).map(({ id, body }) => ({
        id: String(id),
        text: body ?? "",
      }));
    },
    say: async (number, body, inPlaceOf) => {
      const place = inPlaceOf === undefined ? `${number}/comments` : `comments/${inPlaceOf}`;
      const method = inPlaceOf === undefined ? "POST" : "PATCH";
      await call({ method, url: `${repository}/issues/${place}`, headers, body: { body } });
    },
    statuses: async (commit) => {
      const get = (what: string, expected?: (answer: HttpAnswer) => boolean) =>
        call({
          method: "GET",
          url: `${repository}/commits/${commit}/${what}?per_page=100`,
          headers,
          ...(expected && { expected }),
        });
      const { json } = await get("status");
      // Actions and apps report by check runs, which an older server or a narrow token does not show.
      const runs = await get("check-runs", ({ status }) => status === 403 || status === 404);
      const { statuses } = json as { statuses: readonly { context: string; state: string }[] };
      const { check_runs: checkRuns = [] } = runs.json as { check_runs?: readonly CheckRun[] };
      return [
        ...statuses.map(({ context, state }) => ({ name: context, state: stateOf(state) })),
        // The newest of a name comes first.
        ...checkRuns.map(({ name: check, conclusion }) => ({
          name: check,
          state: conclusion === null ? ("pending" as const) : stateOf(conclusion),
        })),
      ];
    },
  };
}

interface CheckRun {
  readonly name: string;
  readonly conclusion: string | null;
}

/** What was skipped counts as passed, as for a pull request of the host. */
function stateOf(word: string): CommitStatus["state"] {
  if (["success", "neutral", "skipped"].includes(word)) return "passed";
  return word === "pending" ? "pending" : "failed";
}

/** Every fault of a request is a 422; this one says that another process was first. */
function isOpenAlready({ status, json }: HttpAnswer): boolean {
  return status === 422 && JSON.stringify(json ?? "").includes("A pull request already exists");
}

function read(pull: Pull): PullRequest {
  const state = pull.merged_at ? "merged" : pull.state === "open" ? "open" : "closed";
  return {
    number: pull.number,
    url: pull.html_url,
    state,
    head: pull.head.sha,
    title: pull.title,
    description: pull.body ?? "",
  };
}
