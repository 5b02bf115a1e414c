import { azureSource } from "./credentialsAzure.ts";
import { githubAppSource } from "./credentialsGithubApp.ts";
import { assertBare, defaultUsername, takesToken, tokenVariable, usernameVariable } from "./credentials.ts";
import type { Credential } from "./credentials.ts";
import type { Http } from "./http.ts";
import { readVariable } from "../words/readVariable.ts";

/** What a source of credentials needs from the world. */
export interface SourceContext {
  readonly env: NodeJS.ProcessEnv;
  readonly http: Http;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Called with every secret that becomes known on the way, such as a key. */
  readonly hide: (secret: string) => void;
}

/** Where the credential of a URL comes from. */
export interface CredentialSource {
  /** For messages, such as `the token in ARCFLUX_GIT_TOKEN`. */
  readonly name: string;
  /** Reads or makes the credential; `fresh` leaves out what was kept from an earlier time. */
  readonly get: (fresh: boolean) => Promise<Credential>;
}

/**
 * The source for a URL, first match wins: token variable, token file, GitHub App (GitHub hosts), Azure workload
 * identity (Azure DevOps). Undefined where none is set: then git's own credential helpers act. Rejects with GitError
 * "invalid" for a source that is set by halves.
 */
export function credentialSource(url: string, context: SourceContext): CredentialSource | undefined {
  if (!takesToken(url)) return undefined;
  const { env } = context;
  if (isSet(env, tokenVariable) || isSet(env, `${tokenVariable}_FILE`)) {
    const name = isSet(env, tokenVariable) ? tokenVariable : `${tokenVariable}_FILE`;
    return { name: `the token in ${name}`, get: () => readToken(env, name) };
  }
  return githubAppSource(url, context) ?? azureSource(url, context);
}

/** Whether a token will be sent to the URL, as far as can be told without asking anyone. */
export function sendsToken(url: string, env: NodeJS.ProcessEnv): boolean {
  if (!takesToken(url)) return false;
  return isSet(env, tokenVariable) || isSet(env, `${tokenVariable}_FILE`);
}

export function isSet(env: NodeJS.ProcessEnv, name: string): boolean {
  return (env[name]?.trim() ?? "") !== "";
}

async function readToken(env: NodeJS.ProcessEnv, name: string): Promise<Credential> {
  const token = assertBare(name, (await readVariable(env, tokenVariable)) ?? "");
  const username = assertBare(usernameVariable, env[usernameVariable]?.trim() || defaultUsername);
  return { username, token };
}
