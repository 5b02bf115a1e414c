import type { HostKind } from "../words/delivery.ts";
import type { AzureRepository } from "./azureDevOps.ts";
import { unescaped } from "../../values/repositoryUrl.ts";
import { githubApiOf } from "../access/githubApi.ts";

/** Where the pull requests of a repository are. */
export type Place =
  | { readonly kind: "github" | "gitlab"; readonly api: string; readonly path: string }
  | ({ readonly kind: "azureDevOps" } & AzureRepository);

/** What is told rather than guessed. */
export interface PlaceOptions {
  readonly host?: HostKind | "git" | undefined;
  readonly apiUrl?: string | undefined;
}

/**
 * The REST interface for a repository URL (https, or ssh of the same host), told from the host's name where no option
 * says it; undefined where there is none to be known.
 */
export function placeOf(url: string, { host, apiUrl }: PlaceOptions = {}): Place | undefined {
  const web = webForm(url);
  if (web === undefined || host === "git") return undefined;
  const given = apiUrl?.replace(/\/+$/, "");
  switch (host ?? kindOf(web, given)) {
    case "github": {
      const api = given ?? githubApiOf(web.href) ?? `${web.origin}/api/v3`;
      const path = pathOf(web);
      return /^[^/]+\/[^/]+$/.test(path) ? { kind: "github", api, path } : undefined;
    }
    case "gitlab": {
      const api = given ?? `${web.origin}/api/v4`;
      // An instance below a path of its host has that path before the project's.
      const root = (URL.parse(api)?.pathname ?? "").replace(/\/api\/v4$/, "").slice(1);
      const path = pathOf(web);
      const project = root !== "" && path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path;
      return project.includes("/") ? { kind: "gitlab", api, path: project } : undefined;
    }
    case "azureDevOps":
      return azurePlace(web, given);
    case undefined:
      return undefined;
  }
}

function kindOf(web: URL, apiUrl: string | undefined): HostKind | undefined {
  const { hostname } = web;
  if (githubApiOf(web.href, apiUrl) !== undefined) return "github";
  if (hostname === "gitlab.com" || /^gitlab[.-]/.test(hostname)) return "gitlab";
  if (hostname === "dev.azure.com" || hostname.endsWith(".visualstudio.com")) return "azureDevOps";
  return undefined;
}

/** Path without slashes around it and without `.git`. */
function pathOf({ pathname }: URL): string {
  return unescaped(pathname)
    .replace(/^\/+|\/+$/g, "")
    .replace(/\.git$/, "");
}

/** Both shapes of the service, with the project left out where it is named as the repository, and the server. */
function azurePlace(web: URL, apiUrl: string | undefined): Place | undefined {
  const path = unescaped(web.pathname).replace(/^\/+|\/+$/g, "");
  const [, before = "", repository] = /^(?:(.*)\/)?_git\/([^/]+)$/.exec(path) ?? [];
  if (repository === undefined) return undefined;
  const parts = before.split("/").filter((part) => part !== "");
  const isService = web.hostname === "dev.azure.com" || web.hostname.endsWith(".visualstudio.com");
  const collection = web.hostname.endsWith(".visualstudio.com")
    ? parts[0] === "DefaultCollection"
      ? 1
      : 0
    : isService
      ? 1
      : Math.max(parts.length - 1, 1);
  const project = parts[collection] ?? repository;
  const root = parts.slice(0, collection).map(encodeURIComponent).join("/");
  const api = apiUrl ?? `${web.origin}${root === "" ? "" : `/${root}`}`;
  return { kind: "azureDevOps", api, project, repository, version: isService ? "7.1" : "6.0" };
}

/** The https form of a repository URL; http only stays what it is. */
export function webForm(url: string): URL | undefined {
  if (/^https?:\/\//.test(url)) return URL.parse(url) ?? undefined;
  const scp = /^(?:[^@/]+@)?([A-Za-z0-9][\w.-]*):(?!\/\/)\/?(.+)$/.exec(url);
  const ssh = /^ssh:\/\/(?:[^@/]*@)?([^/:]+)(?::\d+)?\/(.+)$/.exec(url);
  const [, host, path] = ssh ?? scp ?? [];
  if (host === undefined || path === undefined) return undefined;
  const azure = /^v3\/([^/]+)\/([^/]+)\/([^/]+)$/.exec(path);
  if (azure !== null && (host === "ssh.dev.azure.com" || host === "vs-ssh.visualstudio.com")) {
    return URL.parse(`https://dev.azure.com/${azure[1]}/${azure[2]}/_git/${azure[3]}`) ?? undefined;
  }
  // Ports and alternative names of ssh say nothing about the web side, but for this one of GitHub.
  return URL.parse(`https://${host === "ssh.github.com" ? "github.com" : host}/${path}`) ?? undefined;
}
