import { takesToken } from "../access/credentials.ts";
import { openAccess } from "../access/credentialsAccess.ts";
import { sendsToken } from "../access/credentialsSource.ts";
import type { GitContext } from "../words/types.ts";
import { boundPlace } from "./boundPlace.ts";
import type { PlaceOptions } from "./place.ts";

/** Whose token it is that files are pushed with. */
export interface TokenOwner {
  /** Account name at the host, or what stands in for it. */
  readonly name: string;
  readonly isPerson: boolean;
}

/**
 * Whose the token of the environment is, as its host tells. Undefined without a token, and where nobody tells (Azure DevOps,
 * Bitbucket, a host without an interface). Rejects with GitError, "authentication" for one that the host refuses.
 */
export async function tokenOwner(
  url: string,
  options: PlaceOptions,
  context: GitContext,
): Promise<TokenOwner | undefined> {
  const place = boundPlace(url, options, context);
  if (place === undefined || place.kind === "azureDevOps") return undefined;
  if (!takesToken(url) || !sendsToken(url, context.env)) return undefined;
  const access = await openAccess(url, context);
  const token = access.credential()?.token;
  if (token === undefined) return undefined;
  // That of a GitHub App may not ask who it is.
  if (place.kind === "github" && token.startsWith("ghs_")) return { name: "a GitHub App", isPerson: false };
  const { json, status } = await access.http({
    ...{ method: "GET", url: `${place.api}/user`, what: `The owner of the token of ${new URL(url).host}` },
    headers: { accept: "application/json", authorization: `Bearer ${token}` },
    expected: ({ status: one }) => one === 403 || one === 404,
  });
  if (status === 403 || status === 404) return undefined;
  const { login, username, type, bot } = Object(json) as Partial<Record<string, unknown>>;
  const name = [login, username].find((one) => typeof one === "string");
  return name === undefined ? undefined : { name: name, isPerson: type !== "Bot" && bot !== true };
}
