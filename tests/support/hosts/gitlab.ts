import { headOf, isOpen, missing } from "./rest.ts";
import type { KeptPull, Rest, RestRepository } from "./rest.ts";

/** GitLab's interface for one project, named with all its groups. */
export const gitlab =
  (full: string): Rest =>
  (call, repository) => {
    if (!call.path.startsWith("/api/v4/")) return undefined;
    const { method, headers, query, body } = call;
    const token = headers["private-token"] ?? /^Bearer (.+)$/.exec(headers["authorization"] ?? "")?.[1] ?? "";
    if (!repository.tokens.has(token)) return { status: 401, body: { message: "401 Unauthorized" } };
    const [, project = "", number, notes, note] =
      /^\/api\/v4\/projects\/([^/]+)\/merge_requests(?:\/(\d+)(\/notes(?:\/(\d+))?)?)?$/.exec(call.path) ??
      [];
    // A path with plain slashes is another route there.
    if (project !== encodeURIComponent(full))
      return { status: 404, body: { message: "404 Project Not Found" } };
    const show = (pull: KeptPull): unknown => view(pull, full, repository);
    if (notes !== undefined) {
      const comments = repository.pulls.find((one) => String(one.number) === number)?.comments ?? [];
      const kept = comments.find(({ id }) => String(id) === note);
      if (method === "GET") {
        const page = Number(query.get("page"));
        const some = comments.slice((page - 1) * 100, page * 100);
        const pushed = { id: 1, body: "added 1 commit", system: true };
        return {
          status: 200,
          body: [pushed, ...some.map(({ id, text }) => ({ id, body: text, system: false }))],
        };
      }
      if (method === "POST") comments.push({ id: 900 + comments.length, text: String(body["body"]) });
      if (method === "PUT" && kept !== undefined) kept.text = String(body["body"]);
      return { status: 200, body: {} };
    }
    if (method === "GET" && number === undefined) {
      const found = repository.pulls
        .filter((pull) => query.get("source_branch") === pull.side)
        .filter((pull) => query.get("target_branch") === pull.base)
        .sort((a, b) => (query.get("sort") === "desc" ? b.number - a.number : a.number - b.number));
      return { status: 200, body: found.map(show) };
    }
    if (method === "POST" && number === undefined) {
      const absent = missing(body, "source_branch", "target_branch", "title");
      if (absent.length > 0)
        return { status: 400, body: { error: absent.map((name) => `${name} is missing`).join(", ") } };
      const [side, base] = [String(body["source_branch"]), String(body["target_branch"])];
      const open = repository.pulls.find((pull) => isOpen(pull) && pull.side === side && pull.base === base);
      if (open !== undefined) {
        const message = [`Another open merge request already exists for this source branch: !${open.number}`];
        return { status: 409, body: { message } };
      }
      if (repository.tip(side) === undefined) {
        return { status: 422, body: { message: { source_branch: ["does not exist"] } } };
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
      return { status: 201, body: show(pull) };
    }
    const pull = repository.pulls.find((one) => String(one.number) === number);
    if (method === "PUT" && pull !== undefined) {
      if (Object.keys(body).length === 0)
        return { status: 400, body: { error: "at least one parameter must be provided" } };
      pull.title = String(body["title"] ?? pull.title);
      pull.description = String(body["description"] ?? pull.description);
      return { status: 200, body: show(pull) };
    }
    return { status: 404, body: { error: "404 Not Found" } };
  };

function view(pull: KeptPull, full: string, repository: RestRepository): unknown {
  return {
    id: 7000 + pull.number,
    iid: pull.number,
    web_url: `https://gitlab.example.com/${full}/-/merge_requests/${pull.number}`,
    state: pull.state === "open" ? "opened" : pull.state,
    sha: headOf(pull, repository),
    title: pull.title,
    description: pull.description === "" ? null : pull.description,
    source_project_id: pull.fork ? 2 : 1,
    target_project_id: 1,
  };
}
