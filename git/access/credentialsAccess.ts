import type { Credential } from "./credentials.ts";
import { takesToken, tokenVariable, usernameVariable } from "./credentials.ts";
import { credentialSource } from "./credentialsSource.ts";
import type { CredentialSource } from "./credentialsSource.ts";
import { placeSshFiles } from "./credentialsSsh.ts";
import { gitEnvironment } from "./environment.ts";
import { GitError } from "../words/errors.ts";
import { httpClient } from "./http.ts";
import type { Http } from "./http.ts";
import { classifyFailure } from "./outcome.ts";
import { Patience } from "./patience.ts";
import { readVariable } from "../words/readVariable.ts";
import { Redaction } from "../words/redact.ts";
import { checkUrl } from "../words/rules.ts";
import type { Outcome } from "./run.ts";
import { checkTokenHost } from "./tokenHost.ts";
import type { GitContext } from "../words/types.ts";
import { secretVariables } from "../words/variables.ts";

/** How one session gets at its repository. */
export interface Access {
  /** The caller's environment, where secrets are read from at each use. */
  readonly users: NodeJS.ProcessEnv;
  /** Environment of git; a renewed token appears in it. */
  readonly env: NodeJS.ProcessEnv;
  readonly redaction: Redaction;
  readonly http: Http;
  /** For all that is asked of the host, by git and by REST. */
  readonly patience: Patience;
  /** For messages: where the credential came from; undefined where git's own helpers act. */
  readonly source: string | undefined;
  /** The credential as it is now; undefined where git's own helpers act. */
  readonly credential: () => Credential | undefined;
  /** Gets a new credential, once; false where there is none that differs. */
  readonly renew: () => Promise<boolean>;
  /** As `renew`, where a network command failed for its credential and did nothing; true: run it again. */
  readonly renewAfter: (outcome: Outcome) => Promise<boolean>;
  /** Puts the SSH key and known hosts into a folder only this user can read; whoever made it removes it. */
  readonly prepare: (folder: string) => Promise<void>;
}

/** Reads the credential of a URL and checks the URL. Rejects with GitError, "invalid" for faults of either. */
export async function openAccess(url: string, context: GitContext): Promise<Access> {
  const redaction = new Redaction();
  await hideAll(redaction, context.env);
  const patience = new Patience(context);
  const http = httpClient({
    env: context.env,
    redact: redaction.redact,
    signal: context.signal,
    patience,
  });
  // Without a look at the token: that may take a call, which a wrong URL must not cause.
  throwReasons([...checkUrl(url, { token: false }), ...checkTokenHost(url, context.env)]);
  const source = credentialSource(url, {
    env: context.env,
    http,
    now: () => Date.now(),
    hide: (secret) => redaction.add(secret),
  });
  throwReasons(checkUrl(url, { token: source !== undefined }));
  let credential = await read(source, false, redaction);
  const env = gitEnvironment(context.env, url, credential);
  let renewed = false;

  const renew = async (): Promise<boolean> => {
    if (renewed || source === undefined) return false;
    renewed = true;
    const fresh = await read(source, true, redaction);
    if (fresh === undefined || fresh.token === credential?.token) return false;
    credential = fresh;
    env[tokenVariable] = fresh.token;
    env[usernameVariable] = fresh.username;
    return true;
  };
  /** git has told its helpers that what they gave is not valid; asked again they may have another. */
  const askHelpersAgain = (stderr: string): boolean => {
    if (renewed || source !== undefined || !takesToken(url)) return false;
    renewed = true;
    return /Authentication failed/.test(stderr);
  };
  return {
    users: context.env,
    env,
    redaction,
    http,
    patience,
    source: source?.name,
    credential: () => credential,
    renew,
    renewAfter: async ({ code, stdout, stderr }) => {
      // A push that got a report was judged by the server: the credential was good enough for that.
      if (code === 0 || /^!\t/m.test(stdout.toString("latin1"))) return false;
      if (classifyFailure(stderr).kind !== "authentication") return false;
      return askHelpersAgain(stderr) || renew();
    },
    prepare: (folder) => placeSshFiles(folder, url, context.env, env),
  };
}

async function read(
  source: CredentialSource | undefined,
  fresh: boolean,
  redaction: Redaction,
): Promise<Credential | undefined> {
  const credential = await source?.get(fresh);
  if (credential !== undefined) redaction.add(credential.token, credential.username);
  return credential;
}

/** Whatever is set, whether this URL uses it or not: a hook of a local repository may print its environment. */
async function hideAll(redaction: Redaction, env: NodeJS.ProcessEnv): Promise<void> {
  for (const name of secretVariables) {
    // A file that cannot be read is told by whoever needs it.
    const value = await readVariable(env, name).catch(() => undefined);
    if (value !== undefined) redaction.add(value, env[usernameVariable]?.trim() || "x-access-token");
  }
}

function throwReasons(reasons: readonly string[]): void {
  if (reasons.length > 0) throw new GitError("invalid", reasons.map((reason) => `url ${reason}`).join("\n"));
}
