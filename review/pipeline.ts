import { hideUserInfo } from "../git/index.ts";

/** Which pipeline this process runs in, and the pull request that it runs for. */
export interface Pipeline {
  readonly host: "github" | "gitlab" | "azureDevOps";
  /** Of the repository that the pull request is of, without credentials. */
  readonly url: string;
  readonly apiUrl?: string;
  /** GitLab's iid; absent where the pipeline runs for no pull request. */
  readonly number?: number;
}

/** Told from what GitHub Actions, GitLab CI and Azure Pipelines set; undefined elsewhere. */
export function pipelineOf(env: NodeJS.ProcessEnv): Pipeline | undefined {
  const at = (name: string): string => env[name] ?? "";
  if (at("GITHUB_ACTIONS") === "true") {
    const [, number] = /^refs\/pull\/(\d+)\//.exec(at("GITHUB_REF")) ?? [];
    return pipeline(
      "github",
      `${at("GITHUB_SERVER_URL")}/${at("GITHUB_REPOSITORY")}`,
      number,
      env["GITHUB_API_URL"],
    );
  }
  if (at("GITLAB_CI") === "true") {
    const url = at("CI_MERGE_REQUEST_PROJECT_URL") || at("CI_PROJECT_URL");
    return pipeline("gitlab", url, env["CI_MERGE_REQUEST_IID"], env["CI_API_V4_URL"]);
  }
  if (at("TF_BUILD").toLowerCase() === "true")
    return pipeline("azureDevOps", at("BUILD_REPOSITORY_URI"), env["SYSTEM_PULLREQUEST_PULLREQUESTID"]);
  return undefined;
}

function pipeline(host: Pipeline["host"], url: string, number?: string, apiUrl?: string): Pipeline {
  return {
    host,
    url: url.replace(/^(https?:\/\/)[^@/]*@/, "$1"),
    ...(apiUrl && { apiUrl: hideUserInfo(apiUrl) }),
    ...(number && { number: Number(number) }),
  };
}
