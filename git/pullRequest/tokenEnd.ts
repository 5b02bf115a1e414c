import type { GitContext } from "../words/types.ts";
import type { PlaceOptions } from "./place.ts";
import { tokenHost } from "./tokenHost.ts";

/** When a token ends, and the host that says so. */
export interface TokenEnd {
  /** ISO. */
  readonly ends: string;
  readonly by: string;
}

/**
 * When the token of the environment ends, as its host tells: GitHub in a header of every answer, GitLab where a token is
 * asked about itself. Undefined where nobody tells (Azure DevOps and Bitbucket do not), and where no token is kept, such as
 * over SSH or for a GitHub App. Rejects with GitError, "authentication" for one that the host refuses.
 */
export async function tokenEnd(
  url: string,
  options: PlaceOptions,
  context: GitContext,
): Promise<TokenEnd | undefined> {
  const host = await tokenHost(url, options, context);
  if (host === undefined) return undefined;
  const what = "The end";
  const ends =
    host.kind === "github"
      ? githubTime((await host.ask("/rate_limit", what)).headers["github-authentication-token-expiration"])
      : gitlabDay((await host.ask("/personal_access_tokens/self", what)).json);
  return ends === undefined ? undefined : { ends, by: host.name };
}

/** `2027-01-31 10:00:00 UTC`, or with an offset such as `+0200`. */
function githubTime(header: string | readonly string[] | undefined): string | undefined {
  const [, day, clock, zone] =
    /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d) (UTC|[+-]\d\d:?\d\d)$/.exec(String(header)) ?? [];
  if (day === undefined || zone === undefined) return undefined;
  const offset = zone === "UTC" ? "Z" : zone.replace(/^(...):?/, "$1:");
  return new Date(`${day}T${clock}${offset}`).toISOString();
}

/** A day, from whose beginning in UTC on the token is no longer taken. */
function gitlabDay(json: unknown): string | undefined {
  const { expires_at: day } = (json ?? {}) as { expires_at?: unknown };
  return typeof day === "string" && /^\d{4}-\d\d-\d\d$/.test(day) ? `${day}T00:00:00.000Z` : undefined;
}
