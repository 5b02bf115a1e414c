import type { Call, CommitStatus, Host, PullRequest, PullRequestState } from "./host.ts";

interface MergeRequest {
  readonly iid: number;
  readonly web_url: string;
  readonly state: string;
  readonly sha: string | null;
  readonly title: string;
  readonly description: string | null;
  readonly source_project_id: number;
  readonly target_project_id: number;
}

/** GitLab. `api` ends in `/api/v4`; `path` is the project with all its groups. */
export function gitlabHost(api: string, path: string, call: Call): Host {
  const project = `${api}/projects/${encodeURIComponent(path)}`;
  const base = `${project}/merge_requests`;
  const headers = { accept: "application/json" };
  return {
    find: async (side, target) => {
      const query = new URLSearchParams({
        source_branch: side,
        target_branch: target,
        order_by: "created_at",
        sort: "desc",
        per_page: "50",
      });
      const { json } = await call({ method: "GET", url: `${base}?${query.toString()}`, headers });
      // A fork may have a branch of that name too.
      const own = (json as MergeRequest[]).filter(
        (request) => request.source_project_id === request.target_project_id,
      );
      const found = own.find(({ state }) => stateOf(state) === "open") ?? own[0];
      return found && read(found);
    },
    open: async (side, target, text) => {
      const body = { source_branch: side, target_branch: target, ...text, remove_source_branch: true };
      const { status, json } = await call({
        method: "POST",
        url: base,
        headers,
        body,
        expected: (answer) => answer.status === 409,
      });
      return status === 409 ? undefined : read(json as MergeRequest);
    },
    update: async (number, { title, description }) => {
      const { json } = await call({
        method: "PUT",
        url: `${base}/${number}`,
        headers,
        body: { title, description },
      });
      return read(json as MergeRequest);
    },
    comments: async (number, page) => {
      const query = `sort=asc&order_by=created_at&per_page=100&page=${page}`;
      const { json } = await call({ method: "GET", url: `${base}/${number}/notes?${query}`, headers });
      return (json as readonly { id: number; body: string; system: boolean }[])
        .filter(({ system }) => !system)
        .map(({ id, body }) => ({ id: String(id), text: body }));
    },
    say: async (number, body, inPlaceOf) => {
      const place = inPlaceOf === undefined ? "notes" : `notes/${inPlaceOf}`;
      const method = inPlaceOf === undefined ? "POST" : "PUT";
      await call({ method, url: `${base}/${number}/${place}`, headers, body: { body } });
    },
    statuses: async (commit) => {
      const url = `${project}/repository/commits/${commit}/statuses?per_page=100`;
      const { json } = await call({ method: "GET", url, headers });
      const found = json as readonly { id: number; name: string; status: string }[];
      return found
        .toSorted((a, b) => b.id - a.id)
        .map(({ name, status }) => ({ name, state: statusOf(status) }));
    },
  };
}

/** What was skipped or waits for a person has proven nothing. */
function statusOf(word: string): CommitStatus["state"] {
  if (word === "success") return "passed";
  return word === "failed" || word === "canceled" ? "failed" : "pending";
}

/** `locked` is a merge under way. */
function stateOf(state: string): PullRequestState {
  if (state === "merged") return "merged";
  return state === "opened" || state === "locked" ? "open" : "closed";
}

function read(request: MergeRequest): PullRequest {
  return {
    number: request.iid,
    url: request.web_url,
    state: stateOf(request.state),
    head: request.sha ?? undefined,
    title: request.title,
    description: request.description ?? "",
  };
}
