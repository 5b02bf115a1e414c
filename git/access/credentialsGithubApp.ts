import { createPrivateKey, sign } from "node:crypto";
import { defaultUsername } from "./credentials.ts";
import type { Credential } from "./credentials.ts";
import type { CredentialSource, SourceContext } from "./credentialsSource.ts";
import { GitError } from "../words/errors.ts";
import { githubApiOf } from "./githubApi.ts";
import { readVariable } from "../words/readVariable.ts";
import {
  appIdVariable,
  appInstallationVariable,
  appKeyVariable,
  githubApiVariable,
} from "../words/variables.ts";

/** Installation tokens last an hour; one is used no longer than until this long before its end. */
const reserve = 5 * 60_000;

const kept = new Map<string, { readonly credential: Credential; readonly until: number }>();

/** The installation token of a GitHub App, for URLs of GitHub and of the host of ARCFLUX_GITHUB_API_URL. */
export function githubAppSource(url: string, context: SourceContext): CredentialSource | undefined {
  const { env } = context;
  const id = env[appIdVariable]?.trim() ?? "";
  if (id === "") return undefined;
  const api = githubApiOf(url, env[githubApiVariable]?.trim());
  if (api === undefined) return undefined;
  const installation = env[appInstallationVariable]?.trim() ?? "";
  if (!/^\d+$/.test(installation)) {
    throw new GitError(
      "invalid",
      `${appIdVariable} is set, and ${appInstallationVariable} ${installation === "" ? "is not" : "is not a number"}. ` +
        `Set it to the number at the end of the URL of the installation's settings.`,
    );
  }
  const get = async (fresh: boolean): Promise<Credential> => {
    const cacheKey = `${api}\n${id}\n${installation}`;
    const known = kept.get(cacheKey);
    if (!fresh && known !== undefined && context.now() < known.until) return known.credential;
    const token = await requestToken(api, id, installation, context);
    kept.set(cacheKey, token);
    return token.credential;
  };
  return { name: `the GitHub App of ${appIdVariable}`, get };
}

async function requestToken(
  api: string,
  id: string,
  installation: string,
  context: SourceContext,
): Promise<{ credential: Credential; until: number }> {
  const pem = await readVariable(context.env, appKeyVariable);
  if (pem === undefined) {
    throw new GitError(
      "invalid",
      `${appIdVariable} is set, and neither ${appKeyVariable} nor ${appKeyVariable}_FILE is. Set one to the App's private key (PEM).`,
    );
  }
  // One-line forms are common where a secret store allows no newlines.
  const key = pem.includes("\n") ? pem : pem.replaceAll("\\n", "\n");
  context.hide(pem);
  context.hide(key);
  const jwt = appJwt(id, key, context.now());
  context.hide(jwt);
  const { json } = await context.http({
    method: "POST",
    url: `${api}/app/installations/${installation}/access_tokens`,
    headers: { ...githubHeaders, authorization: `Bearer ${jwt}` },
    body: {},
    what: "The token of the GitHub App",
  });
  const { token, expires_at: expires } = json as { token?: unknown; expires_at?: unknown };
  if (typeof token !== "string" || token === "") {
    throw new GitError("authentication", `${api} gave no token for the installation ${installation}.`);
  }
  const end = typeof expires === "string" ? Date.parse(expires) : NaN;
  const until = Number.isNaN(end) ? 0 : end - reserve;
  return { credential: { username: defaultUsername, token }, until };
}

export const githubHeaders = {
  accept: "application/vnd.github+json",
  "x-github-api-version": "2022-11-28",
} as const;

/** A token signed with the App's key (RS256): valid from a minute ago, for clocks that differ, to 9 minutes ahead. */
function appJwt(issuer: string, pem: string, now: number): string {
  const seconds = Math.floor(now / 1000);
  const encode = (part: unknown): string => Buffer.from(JSON.stringify(part)).toString("base64url");
  const head = encode({ alg: "RS256", typ: "JWT" });
  const body = `${head}.${encode({ iat: seconds - 60, exp: seconds + 540, iss: issuer })}`;
  try {
    const key = createPrivateKey(pem);
    if (key.asymmetricKeyType !== "rsa") throw new Error("not RSA");
    return `${body}.${sign("RSA-SHA256", Buffer.from(body), key).toString("base64url")}`;
  } catch {
    // The reason would be about the key's bytes.
    throw new GitError(
      "invalid",
      `${appKeyVariable} is no RSA private key in PEM form without a passphrase. Use the file that GitHub gave when the key was made.`,
    );
  }
}
