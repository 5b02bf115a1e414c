import type { Call, CommitStatus, Host, PullRequest } from "./host.ts";

interface Pull {
  readonly pullRequestId: number;
  readonly status: string;
  readonly title: string;
  readonly description?: string;
  readonly lastMergeSourceCommit?: { readonly commitId: string };
  /** Only where the source branch is in a fork. */
  readonly forkSource?: unknown;
}

interface Thread {
  readonly id: number;
  readonly isDeleted?: boolean;
  readonly comments: readonly { readonly id: number; readonly content?: string }[];
}

/** Where a repository of Azure DevOps is. */
export interface AzureRepository {
  /** Of the organization or collection. */
  readonly api: string;
  readonly project: string;
  readonly repository: string;
  /** Version of the interface: Azure DevOps Server lags behind the service. */
  readonly version: string;
}

/** Lists show no more than this much of a description. */
const listed = 400;

/** Azure DevOps Services and Server. */
export function azureDevOpsHost(place: AzureRepository, call: Call): Host {
  const { api, project, repository, version } = place;
  const root = `${api}/${encodeURIComponent(project)}/_apis/git/repositories/${encodeURIComponent(repository)}`;
  const base = `${root}/pullrequests`;
  const headers = { accept: "application/json" };
  const at = (path: string, query: Readonly<Record<string, string>> = {}): string =>
    `${base}${path}?${String(new URLSearchParams({ ...query, "api-version": version }))}`;
  const read = (pull: Pull): PullRequest => ({
    number: pull.pullRequestId,
    url: `${api}/${encodeURIComponent(project)}/_git/${encodeURIComponent(repository)}/pullrequest/${pull.pullRequestId}`,
    state: pull.status === "completed" ? "merged" : pull.status === "active" ? "open" : "closed",
    head: pull.lastMergeSourceCommit?.commitId,
    title: pull.title,
    description: pull.description ?? "",
  });
  return {
    find: async (side, target) => {
      const query = {
        "searchCriteria.status": "all",
        "searchCriteria.sourceRefName": `refs/heads/${side}`,
        "searchCriteria.targetRefName": `refs/heads/${target}`,
        $top: "50",
      };
      const { json } = await call({ method: "GET", url: at("", query), headers });
      const own = (json as { value: Pull[] }).value
        .filter(({ forkSource }) => forkSource === undefined || forkSource === null)
        .sort((a, b) => b.pullRequestId - a.pullRequestId);
      const found = own.find(({ status }) => status === "active") ?? own[0];
      if (found === undefined || (found.description?.length ?? 0) < listed) return found && read(found);
      const whole = await call({ method: "GET", url: at(`/${found.pullRequestId}`), headers });
      return read(whole.json as Pull);
    },
    open: async (side, target, { title, description }) => {
      const body = {
        sourceRefName: `refs/heads/${side}`,
        targetRefName: `refs/heads/${target}`,
        title,
        description,
      };
      const { status, json } = await call({
        method: "POST",
        url: at(""),
        headers,
        body,
        expected: (answer) => answer.status === 409,
      });
      return status === 409 ? undefined : read(json as Pull);
    },
    update: async (number, { title, description }) => {
      const body = { title, description };
      const { json } = await call({ method: "PATCH", url: at(`/${number}`), headers, body });
      return read(json as Pull);
    },
    comments: async (number, page) => {
      // Threads come in one answer.
      if (page > 1) return [];
      const { json } = await call({ method: "GET", url: at(`/${number}/threads`), headers });
      return (json as { value: Thread[] }).value
        .filter(({ isDeleted }) => isDeleted !== true)
        .flatMap(({ id: thread, comments }) =>
          comments.map(({ id, content }) => ({ id: `${thread}/comments/${id}`, text: content ?? "" })),
        );
    },
    say: async (number, content, inPlaceOf) => {
      const url = at(`/${number}/threads${inPlaceOf === undefined ? "" : `/${inPlaceOf}`}`);
      const comment = { parentCommentId: 0, content, commentType: "text" };
      // Closed, so that a policy on open threads does not wait for anybody.
      await (inPlaceOf === undefined
        ? call({ method: "POST", url, headers, body: { comments: [comment], status: "closed" } })
        : call({ method: "PATCH", url, headers, body: { content } }));
    },
    statuses: async (commit) => {
      const query = new URLSearchParams({ latestOnly: "true", top: "1000", "api-version": version });
      const url = `${root}/commits/${commit}/statuses?${String(query)}`;
      const { json } = await call({ method: "GET", url, headers });
      const { value } = json as {
        value: readonly { state: string; context: { name: string; genre?: string | null } }[];
      };
      return value.flatMap(({ state, context: { name, genre } }) => {
        const names = !genre ? [name] : [`${genre}/${name}`, name];
        return names.map((each) => ({ name: each, state: statusOf(state) }));
      });
    },
  };
}

function statusOf(word: string): CommitStatus["state"] {
  if (word === "succeeded" || word === "notApplicable") return "passed";
  return word === "failed" || word === "error" ? "failed" : "pending";
}
