/** Stack config of the provider (`pulumi config set --secret arcflux-git:token`) and the variable each stands in for. */
const variables: Readonly<Record<string, string>> = {
  token: "ARCFLUX_GIT_TOKEN",
  tokenHost: "ARCFLUX_GIT_TOKEN_HOST",
  username: "ARCFLUX_GIT_USERNAME",
  sshKey: "ARCFLUX_GIT_SSH_KEY",
  knownHosts: "ARCFLUX_GIT_KNOWN_HOSTS",
  signingKey: "ARCFLUX_GIT_SIGNING_KEY",
  githubAppId: "ARCFLUX_GITHUB_APP_ID",
  githubAppInstallationId: "ARCFLUX_GITHUB_APP_INSTALLATION_ID",
  githubAppPrivateKey: "ARCFLUX_GITHUB_APP_PRIVATE_KEY",
  githubApiUrl: "ARCFLUX_GITHUB_API_URL",
};

/**
 * The environment with what the engine hands over of the stack config (PULUMI_CONFIG, secrets in the clear) under the
 * names that git/ reads. A variable that is set, or its `_FILE` twin, wins: what is nearer to the run.
 */
export function configEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { PULUMI_CONFIG: text, ...rest } = env;
  const result: NodeJS.ProcessEnv = { ...rest };
  for (const [key, value] of Object.entries(parse(text))) {
    const name = variables[key.replace(/^arcflux-git:/, "")];
    if (name === undefined || typeof value !== "string") continue;
    if (!isSet(env, name) && !isSet(env, `${name}_FILE`)) result[name] = value;
  }
  return result;
}

function isSet(env: NodeJS.ProcessEnv, name: string): boolean {
  return (env[name]?.trim() ?? "") !== "";
}

function parse(text: string | undefined): Record<string, unknown> {
  try {
    return Object(JSON.parse(text ?? "{}")) as Record<string, unknown>;
  } catch {
    return {};
  }
}
