import { GitError } from "./errors.ts";

/** A user name and token for HTTP(S). */
export interface Credential {
  readonly username: string;
  readonly token: string;
}

/** Names of the variables a credential is read from. */
export const tokenVariable = "ARCFLUX_GIT_TOKEN";
export const usernameVariable = "ARCFLUX_GIT_USERNAME";

/**
 * The helper text names the variables and holds no value, so that argv, config and trace output stay clean.
 * It answers `get` alone: nothing is ever stored or erased.
 */
const helper =
  `!f() { test "$1" = get || exit 0; ` +
  `printf 'username=%s\\npassword=%s\\n' "$${usernameVariable}" "$${tokenVariable}"; }; f`;

/**
 * Reads the token from the environment; undefined when none is set, and git's own helpers act.
 * White space around it (a final newline of a file) is dropped. Throws GitError "invalid" for control characters.
 */
export function readCredential(env: NodeJS.ProcessEnv): Credential | undefined {
  const token = env[tokenVariable]?.trim();
  if (token === undefined || token === "") return undefined;
  const username = env[usernameVariable]?.trim() || "x-access-token";
  for (const [name, value] of [
    [tokenVariable, token],
    [usernameVariable, username],
  ] as const) {
    // A newline would add lines to what git reads from its credential helper.

    if (/[\u0000-\u001f\u007f]/.test(value)) {
      throw new GitError(
        "invalid",
        `${name} holds a control character. Set it to the bare value, on one line.`,
      );
    }
  }
  return { username, token };
}

/** Whether the URL is one that takes a user name and token. */
export function takesToken(url: string): boolean {
  return /^https?:\/\//.test(url);
}

/** Git config that hands the credential to the host of the URL and to no other. */
export function credentialConfig(url: string): [key: string, value: string][] {
  const { protocol, host } = new URL(url);
  const key = `credential.${protocol}//${host}.helper`;
  // The empty value forgets every helper configured so far: only ours is asked.
  return [
    [key, ""],
    [key, helper],
  ];
}
