import { openAccess } from "../access/credentialsAccess.ts";
import { takesToken } from "../access/credentials.ts";
import { sendsToken } from "../access/credentialsSource.ts";
import type { GitContext } from "../words/types.ts";
import { boundPlace } from "./boundPlace.ts";
import type { PlaceOptions } from "./place.ts";

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
  const place = boundPlace(url, options, context);
  if (place === undefined || place.kind === "azureDevOps") return undefined;
  if (!takesToken(url) || !sendsToken(url, context.env)) return undefined;
  const access = await openAccess(url, context);
  const token = access.credential()?.token;
  if (token === undefined) return undefined;
  const by = new URL(url).host;
  const ask = (path: string, refusals: readonly number[]) =>
    access.http({
      ...{ method: "GET", url: `${place.api}${path}`, what: `The end of the token of ${by}` },
      headers: { accept: "application/json", authorization: `Bearer ${token}` },
      // A token that may do little may not ask about itself either.
      expected: ({ status }) => refusals.includes(status),
    });
  const ends =
    place.kind === "github"
      ? githubTime((await ask("/rate_limit", [403, 404])).headers["github-authentication-token-expiration"])
      : gitlabDay((await ask("/personal_access_tokens/self", [403, 404])).json);
  return ends === undefined ? undefined : { ends, by };
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
