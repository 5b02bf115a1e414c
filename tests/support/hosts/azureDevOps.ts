import { headOf, isOpen, missing } from "./rest.ts";
import type { KeptPull, Rest, RestAnswer, RestRepository } from "./rest.ts";

const fault = (status: number, message: string): RestAnswer => ({ status, body: { $id: "1", message } });
const statuses = { open: "active", merged: "completed", closed: "abandoned" } as const;

/** Azure DevOps' interface for one repository; `root` is `/ORGANIZATION`. Access tokens of Azure are Bearer ones. */
export const azureDevOps =
  (root: string, project: string, name: string, version = "6.0"): Rest =>
  (call, repository) => {
    if (!call.path.includes("/_apis/")) return undefined;
    const { method, headers, query, body } = call;
    const authorization = headers["authorization"] ?? "";
    const [, basic] = /^Basic (.+)$/.exec(authorization) ?? [];
    const password =
      basic === undefined
        ? undefined
        : Buffer.from(basic, "base64")
            .toString()
            .replace(/^[^:]*:/, "");
    const token = password ?? /^Bearer (ey.+)$/.exec(authorization)?.[1] ?? "";
    // What is no valid token gets the sign-in page, with this status.
    if (!repository.tokens.has(token))
      return { status: 203, body: "<html>Azure DevOps Services | Sign In</html>" };
    const place = `${root}/${encodeURIComponent(project)}/_apis/git/repositories/${encodeURIComponent(name)}/pullrequests`;
    if (!call.path.startsWith(place))
      return fault(404, "TF401019: The Git repository does not exist or you do not have permissions.");
    if (query.get("api-version") !== version)
      return fault(400, "No api-version was supplied for the request.");
    const [, number, threads, thread] =
      /^\/(\d+)(\/threads(?:\/(\d+)\/comments\/1)?)?$/.exec(call.path.slice(place.length)) ?? [];
    if (threads !== undefined) {
      const comments = repository.pulls.find((one) => String(one.number) === number)?.comments ?? [];
      const kept = comments.find(({ id }) => String(id) === thread);
      if (method === "GET") {
        const value = comments.map(({ id, text }) => ({ id, comments: [{ id: 1, content: text }] }));
        return { status: 200, body: { value } };
      }
      const [first] = (body["comments"] ?? []) as unknown as { content: string }[];
      if (method === "POST") comments.push({ id: 900 + comments.length, text: first?.content ?? "" });
      if (method === "PATCH" && kept !== undefined) kept.text = String(body["content"]);
      return { status: 200, body: {} };
    }
    if (method === "GET" && number === undefined) {
      const status = query.get("searchCriteria.status") ?? "active";
      const found = repository.pulls
        .filter((pull) => query.get("searchCriteria.sourceRefName") === `refs/heads/${pull.side}`)
        .filter((pull) => query.get("searchCriteria.targetRefName") === `refs/heads/${pull.base}`)
        .filter((pull) => status === "all" || statuses[pull.state] === status);
      // Lists hold the beginning of a description only.
      const value = found.map((pull) =>
        view({ ...pull, description: pull.description.slice(0, 400) }, repository),
      );
      return { status: 200, body: { value, count: value.length } };
    }
    if (method === "POST" && number === undefined) {
      const absent = missing(body, "title", "sourceRefName", "targetRefName");
      if (absent.length > 0) return fault(400, `A value is required: ${absent.join(", ")}`);
      if (String(body["description"] ?? "").length > 4000)
        return fault(400, "Invalid pull request description.");
      const [side, base] = [body["sourceRefName"], body["targetRefName"]].map((ref) =>
        String(ref).replace("refs/heads/", ""),
      );
      if (
        side === undefined ||
        base === undefined ||
        repository.tip(side) === undefined ||
        repository.tip(base) === undefined
      ) {
        return fault(
          400,
          "TF401398: The pull request cannot be activated because the source and/or the target branch no longer exists",
        );
      }
      if (repository.pulls.some((pull) => isOpen(pull) && pull.side === side && pull.base === base)) {
        return fault(
          409,
          "TF401179: An active pull request for the source and target branch already exists.",
        );
      }
      const pull: KeptPull = {
        number: repository.pulls.length + 1,
        side,
        base,
        title: String(body["title"]),
        description: String(body["description"] ?? ""),
        state: "open",
      };
      repository.pulls.push(pull);
      return { status: 201, body: view(pull, repository) };
    }
    const pull = repository.pulls.find((one) => String(one.number) === number);
    if (pull === undefined) return fault(404, "TF401180: The requested pull request was not found.");
    if (method === "GET") return { status: 200, body: view(pull, repository) };
    if (method === "PATCH") {
      pull.title = String(body["title"] ?? pull.title);
      pull.description = String(body["description"] ?? pull.description);
      return { status: 200, body: view(pull, repository) };
    }
    return fault(405, "Method not allowed");
  };

function view(pull: KeptPull, repository: RestRepository): unknown {
  return {
    pullRequestId: pull.number,
    status: statuses[pull.state],
    title: pull.title,
    description: pull.description === "" ? undefined : pull.description,
    sourceRefName: `refs/heads/${pull.side}`,
    targetRefName: `refs/heads/${pull.base}`,
    lastMergeSourceCommit: { commitId: headOf(pull, repository) },
    ...(pull.fork ? { forkSource: { name: `refs/heads/${pull.side}` } } : {}),
  };
}
