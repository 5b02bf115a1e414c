import type { GitContext } from "../words/types.ts";
import type { PlaceOptions } from "./place.ts";
import { tokenHost } from "./tokenHost.ts";

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
  const host = await tokenHost(url, options, context);
  if (host === undefined) return undefined;
  // That of a GitHub App may not ask who it is.
  if (host.kind === "github" && host.token.startsWith("ghs_"))
    return { name: "a GitHub App", isPerson: false };
  const { json, status } = await host.ask("/user", "The owner");
  if (status === 403 || status === 404) return undefined;
  const { login, username, type, bot } = Object(json) as Partial<Record<string, unknown>>;
  const name = [login, username].find((one) => typeof one === "string");
  return name === undefined ? undefined : { name: name, isPerson: type !== "Bot" && bot !== true };
}
