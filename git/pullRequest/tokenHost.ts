import { takesToken } from "../access/credentials.ts";
import { openAccess } from "../access/credentialsAccess.ts";
import { sendsToken } from "../access/credentialsSource.ts";
import type { HttpAnswer } from "../access/http.ts";
import type { GitContext } from "../words/types.ts";
import { boundPlace } from "./boundPlace.ts";
import type { PlaceOptions } from "./place.ts";

/** A host that can be asked about the token of the environment. */
export interface TokenHost {
  readonly kind: "github" | "gitlab";
  /** As people call it. */
  readonly name: string;
  readonly token: string;
  /** Answers with 403 and 404 too: a token that may do little may not ask about itself either. */
  readonly ask: (path: string, what: string) => Promise<HttpAnswer>;
}

/**
 * The host that knows the token of the environment. Undefined where nobody tells (Azure DevOps and Bitbucket do not), and
 * where no token is kept, such as over SSH or for a GitHub App.
 */
export async function tokenHost(
  url: string,
  options: PlaceOptions,
  context: GitContext,
): Promise<TokenHost | undefined> {
  const place = boundPlace(url, options, context);
  if (place === undefined || place.kind === "azureDevOps") return undefined;
  if (!takesToken(url) || !sendsToken(url, context.env)) return undefined;
  const access = await openAccess(url, context);
  const token = access.credential()?.token;
  if (token === undefined) return undefined;
  const name = new URL(url).host;
  return {
    ...{ kind: place.kind, name, token },
    ask: (path, what) =>
      access.http({
        ...{ method: "GET", url: `${place.api}${path}`, what: `${what} of the token of ${name}` },
        headers: { accept: "application/json", authorization: `Bearer ${token}` },
        expected: ({ status }) => status === 403 || status === 404,
      }),
  };
}
