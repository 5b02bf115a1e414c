/**
 * Names of the variables that this layer reads. A `_FILE` twin holds a path instead of the value, read at each use:
 * a mounted secret that is renewed is taken up without a restart.
 */
export const tokenVariable = "ARCFLUX_GIT_TOKEN";
/** Hosts that the token may be sent to, with commas between them. */
export const tokenHostVariable = "ARCFLUX_GIT_TOKEN_HOST";
export const usernameVariable = "ARCFLUX_GIT_USERNAME";
export const sshKeyVariable = "ARCFLUX_GIT_SSH_KEY";
export const knownHostsVariable = "ARCFLUX_GIT_KNOWN_HOSTS";
export const signingKeyVariable = "ARCFLUX_GIT_SIGNING_KEY";
export const appIdVariable = "ARCFLUX_GITHUB_APP_ID";
export const appInstallationVariable = "ARCFLUX_GITHUB_APP_INSTALLATION_ID";
export const appKeyVariable = "ARCFLUX_GITHUB_APP_PRIVATE_KEY";
export const githubApiVariable = "ARCFLUX_GITHUB_API_URL";

/** Those whose value is a secret: hidden in every text, and kept from the processes that do not need them. */
export const secretVariables = [tokenVariable, sshKeyVariable, signingKeyVariable, appKeyVariable] as const;
