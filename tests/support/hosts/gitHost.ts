import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { isAllowed } from "../../../lab/gitServer/authorize.ts";
import { serveWithBackend } from "../../../lab/gitServer/backend.ts";
import { parseTarget } from "../../../lab/gitServer/target.ts";
import type { GitWorkshop } from "../gitWorkshop.ts";
import type { KeptPull, Rest, RestCall } from "./rest.ts";

export interface GitHostOptions {
  readonly shop: GitWorkshop;
  /** Bare repository that the pull requests are of. */
  readonly repository: string;
  readonly rest: Rest;
  readonly tokens: readonly string[];
  readonly tls?: { readonly key: string; readonly cert: string } | undefined;
  /** Folder that repositories are served from. Defaults to the workshop's. */
  readonly root?: string;
  /** Before each request; true means it was answered. */
  readonly first?: (request: IncomingMessage, response: ServerResponse) => boolean;
}

/** Stands in for a Git host: git over HTTP and a REST interface on one port, with the same tokens. */
export class GitHost {
  readonly calls: RestCall[] = [];
  readonly pulls: KeptPull[] = [];
  readonly tokens: Set<string>;
  readonly statuses = new Map<string, readonly { name: string; word: string | null; run: boolean }[]>();
  url = "";
  port = 0;
  private readonly options: GitHostOptions;
  private readonly server: ReturnType<typeof createServer>;

  private constructor(options: GitHostOptions) {
    this.options = options;
    this.tokens = new Set(options.tokens);
    const answer = (request: IncomingMessage, response: ServerResponse): void =>
      void this.#answer(request, response);
    this.server = options.tls === undefined ? createServer(answer) : createTlsServer(options.tls, answer);
  }

  static async start(options: GitHostOptions): Promise<GitHost> {
    const host = new GitHost(options);
    await new Promise<void>((resolve) => host.server.listen(0, "127.0.0.1", resolve));
    host.port = (host.server.address() as AddressInfo).port;
    host.url = `${options.tls === undefined ? "http" : "https"}://127.0.0.1:${host.port}`;
    return host;
  }

  /** Ends a pull request as a person would; merging moves the base to the side's tip, or to a squash of it. */
  end(number: number, how: "merge" | "squash" | "close"): void {
    const { shop, repository } = this.options;
    const pull = this.pulls.find((one) => one.number === number);
    if (pull === undefined) throw new Error(`no pull request ${number}`);
    pull.head = shop.git(repository, "rev-parse", pull.side);
    pull.state = how === "close" ? "closed" : "merged";
    if (how === "merge") shop.git(repository, "update-ref", `refs/heads/${pull.base}`, pull.head);
    if (how === "squash") {
      const files = shop.contents(repository, "", pull.side);
      const inventories = shop.inventories(repository, "", pull.side);
      shop.commit(repository, { ...files, ...inventories }, { branch: pull.base });
    }
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (this.options.first?.(request, response)) return;
    const { shop, repository, rest } = this.options;
    const url = new URL(request.url ?? "", "http://host");
    const isGit = /\/(info\/refs|git-upload-pack|git-receive-pack)$/.test(url.pathname);
    if (isGit) return this.#serveGit(request, response);
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString();
    const call: RestCall = {
      method: request.method ?? "",
      path: url.pathname,
      query: url.searchParams,
      headers: request.headers as RestCall["headers"],
      body: (text.startsWith("{")
        ? JSON.parse(text)
        : Object.fromEntries(new URLSearchParams(text))) as RestCall["body"],
    };
    this.calls.push(call);
    const answer = rest(call, {
      pulls: this.pulls,
      tokens: this.tokens,
      statuses: this.statuses,
      tip: (branch) => shop.try(repository, "rev-parse", "--verify", "-q", `refs/heads/${branch}`),
      ahead: (side, base) => Number(shop.git(repository, "rev-list", "--count", `${base}..${side}`)),
    }) ?? { status: 404, body: "not here" };
    const isText = typeof answer.body === "string";
    response.writeHead(answer.status, {
      "content-type": isText ? "text/html" : "application/json",
      ...("headers" in answer ? answer.headers : {}),
    });
    response.end(isText ? answer.body : JSON.stringify(answer.body));
  }

  #serveGit(request: IncomingMessage, response: ServerResponse): void {
    const target = parseTarget(request.url ?? "");
    const allowed = [...this.tokens].some(
      (token) => target !== undefined && isAllowed(request, target, { token, anonymousRead: false }),
    );
    if (target === undefined || !allowed) {
      request.resume();
      response.writeHead(401, { "www-authenticate": "Basic" }).end("no\n");
      return;
    }
    serveWithBackend(
      this.options.root ?? this.options.shop.folder,
      target,
      request,
      response,
      () => undefined,
    );
  }
}
