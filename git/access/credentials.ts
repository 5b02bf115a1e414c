import { GitError } from "../words/errors.ts";
import { tokenVariable, usernameVariable } from "../words/variables.ts";

export { tokenVariable, usernameVariable } from "../words/variables.ts";

/** A user name and token for HTTP(S). */
export interface Credential {
  readonly username: string;
  readonly token: string;
  /** Whether it is an OAuth access token, which some REST interfaces want as Bearer only. */
  readonly bearer?: boolean;
}

/** User name that hosts accept beside any token. */
export const defaultUsername = "x-access-token";

/**
 * The helper text names the variables and holds no value, so that argv, config and trace output stay clean.
 * It answers `get` alone: nothing is ever stored or erased.
 */
const helper =
  `!f() { test "$1" = get || exit 0; ` +
  `printf 'username=%s\\npassword=%s\\n' "$${usernameVariable}" "$${tokenVariable}"; }; f`;

/** Throws GitError "invalid" for control characters: a newline would add lines to what git reads from its helper. */
export function assertBare(name: string, value: string): string {
  if (/[\u0000-\u001f\u007f]/.test(value)) {
    throw new GitError(
      "invalid",
      `${name} holds a control character. Set it to the bare value, on one line.`,
    );
  }
  return value;
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
