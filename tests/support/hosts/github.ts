import { headOf, isOpen, missing } from "./rest.ts";
import type { KeptPull, Rest, RestAnswer, RestRepository } from "./rest.ts";

const invalid = (...errors: unknown[]): RestAnswer => ({
  status: 422,
  body: { message: "Validation Failed", errors },
});

/** Enterprise Server's form of GitHub's interface, below `/api/v3`, for one repository `owner/name`. */
export const github =
  (full: string, prefix = "/api/v3"): Rest =>
  (call, repository) => {
    if (!call.path.startsWith(`${prefix}/`)) return undefined;
    const { method, headers, query, body } = call;
    if (!headers["user-agent"]) return { status: 403, body: "Request forbidden by administrative rules." };
    const [, token = ""] = /^(?:Bearer|token) (.+)$/.exec(headers["authorization"] ?? "") ?? [];
    if (!repository.tokens.has(token)) return { status: 401, body: { message: "Bad credentials" } };
    const version = headers["x-github-api-version"];
    if (version !== undefined && version !== "2022-11-28")
      return { status: 400, body: { message: "unsupported" } };
    const [, commit, what] =
      new RegExp(`^${prefix}/repos/${full}/commits/([0-9a-f]{40})/(status|check-runs)$`).exec(call.path) ??
      [];
    if (commit !== undefined) {
      const found = (repository.statuses?.get(commit) ?? []).filter(
        ({ run }) => run === (what === "check-runs"),
      );
      return what === "status"
        ? { status: 200, body: { statuses: found.map(({ name, word }) => ({ context: name, state: word })) } }
        : {
            status: 200,
            body: {
              check_runs: found.map(({ name, word }) => ({
                name,
                status: word === null ? "in_progress" : "completed",
                conclusion: word,
              })),
            },
          };
    }
    const issue = new RegExp(`^${prefix}/repos/${full}/issues/(?:(\\d+)/comments|comments/(\\d+))$`);
    const [onComments, ofPull, comment] = issue.exec(call.path) ?? [];
    if (onComments !== undefined) {
      const pull = repository.pulls.find((one) => String(one.number) === ofPull);
      const all = repository.pulls.flatMap(({ comments = [] }) => comments);
      const kept = all.find(({ id }) => String(id) === comment);
      if (method === "GET" && pull !== undefined) {
        const page = Number(query.get("page"));
        const some = (pull.comments ?? []).slice((page - 1) * 100, page * 100);
        return { status: 200, body: some.map(({ id, text }) => ({ id, body: text })) };
      }
      if (method === "POST" && pull !== undefined) {
        pull.comments?.push({ id: 900 + all.length, text: String(body["body"]) });
        return { status: 201, body: {} };
      }
      if (method === "PATCH" && kept !== undefined) {
        kept.text = String(body["body"]);
        return { status: 200, body: {} };
      }
      return { status: 404, body: { message: "Not Found" } };
    }
    const [, number] = new RegExp(`^${prefix}/repos/${full}/pulls(?:/(\\d+))?$`).exec(call.path) ?? [];
    if (!call.path.startsWith(`${prefix}/repos/${full}/pulls`))
      return { status: 404, body: { message: "Not Found" } };
    const [owner = ""] = full.split("/");
    const show = (pull: KeptPull): unknown => view(pull, full, repository);
    if (method === "GET" && number === undefined) {
      const state = query.get("state") ?? "open";
      const found = repository.pulls
        .filter((pull) => query.get("head") === null || query.get("head") === `${owner}:${pull.side}`)
        .filter((pull) => query.get("base") === null || query.get("base") === pull.base)
        .filter((pull) => state === "all" || (state === "open") === (pull.state === "open"));
      return { status: 200, body: found.reverse().map(show) };
    }
    if (method === "POST" && number === undefined) {
      const absent = missing(body, "title", "head", "base");
      if (absent.length > 0) return invalid(...absent.map((field) => ({ code: "missing_field", field })));
      const [side, base] = [String(body["head"]).replace(`${owner}:`, ""), String(body["base"])];
      if (repository.tip(side) === undefined) return invalid({ code: "invalid", field: "head" });
      if (repository.tip(base) === undefined) return invalid({ code: "invalid", field: "base" });
      if (repository.pulls.some((pull) => isOpen(pull) && pull.side === side && pull.base === base)) {
        return invalid({ code: "custom", message: `A pull request already exists for ${owner}:${side}.` });
      }
      if (repository.ahead(side, base) === 0) {
        return invalid({ code: "custom", message: `No commits between ${base} and ${side}` });
      }
      const pull: KeptPull = {
        number: repository.pulls.length + 1,
        side,
        base,
        title: String(body["title"]),
        description: String(body["body"] ?? ""),
        state: "open",
      };
      repository.pulls.push(pull);
      return { status: 201, body: show(pull) };
    }
    const pull = repository.pulls.find((one) => String(one.number) === number);
    if (method === "PATCH" && pull !== undefined) {
      pull.title = String(body["title"] ?? pull.title);
      pull.description = String(body["body"] ?? pull.description);
      return { status: 200, body: show(pull) };
    }
    return { status: 404, body: { message: "Not Found" } };
  };

function view(pull: KeptPull, full: string, repository: RestRepository): unknown {
  return {
    number: pull.number,
    html_url: `https://github.example.com/${full}/pull/${pull.number}`,
    state: pull.state === "open" ? "open" : "closed",
    merged_at: pull.state === "merged" ? "2026-01-02T03:04:05Z" : null,
    title: pull.title,
    body: pull.description === "" ? null : pull.description,
    head: { sha: headOf(pull, repository), repo: { full_name: pull.fork ? "edge/fork" : full } },
    base: { ref: pull.base },
  };
}
