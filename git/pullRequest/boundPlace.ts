import { checkTokenHost } from "../access/tokenHost.ts";
import { GitError } from "../words/errors.ts";
import type { GitContext } from "../words/types.ts";
import { type Place, placeOf, type PlaceOptions } from "./place.ts";

/** As placeOf, for whoever sends a token there: throws GitError "invalid" where the token is for other hosts alone. */
export function boundPlace(
  url: string,
  options: PlaceOptions,
  { env }: Pick<GitContext, "env">,
): Place | undefined {
  const place = placeOf(url, options);
  if (place === undefined) return undefined;
  const reasons = options.apiUrl === undefined ? [] : checkTokenHost(options.apiUrl, env);
  if (reasons.length > 0) throw new GitError("invalid", `pullRequest.apiUrl ${reasons.join("\n")}`);
  return place;
}
