import { credentialConfig, takesToken, tokenVariable, usernameVariable } from "./credentials.ts";
import type { Credential } from "./credentials.ts";
import type { Identity } from "../words/types.ts";
import { secretVariables } from "../words/variables.ts";

/** Set by a git that runs us (hooks, aliases) or aimed at another repository: they would redirect our commands. */
const inherited = [
  "GIT_DIR",
  "GIT_WORK_TREE",
  "GIT_INDEX_FILE",
  "GIT_OBJECT_DIRECTORY",
  "GIT_ALTERNATE_OBJECT_DIRECTORIES",
  "GIT_COMMON_DIR",
  "GIT_NAMESPACE",
  "GIT_CEILING_DIRECTORIES",
  "GIT_DISCOVERY_ACROSS_FILESYSTEM",
  "GIT_IMPLICIT_WORK_TREE",
  "GIT_GRAFT_FILE",
  "GIT_SHALLOW_FILE",
  "GIT_REPLACE_REF_BASE",
  "GIT_NO_REPLACE_OBJECTS",
  "GIT_PREFIX",
  "GIT_INTERNAL_SUPER_PREFIX",
  "GIT_QUARANTINE_PATH",
  "GIT_PROTOCOL",
  "GIT_CONFIG",
  "GIT_CONFIG_PARAMETERS",
  "GIT_DEFAULT_HASH",
  "GIT_DEFAULT_REF_FORMAT",
  "GIT_ATTR_SOURCE",
  "GIT_REDIRECT_STDIN",
  "GIT_REDIRECT_STDOUT",
  "GIT_REDIRECT_STDERR",
  "GIT_AUTHOR_NAME",
  "GIT_AUTHOR_EMAIL",
  "GIT_AUTHOR_DATE",
  "GIT_COMMITTER_NAME",
  "GIT_COMMITTER_EMAIL",
  "GIT_COMMITTER_DATE",
];

/** Secrets that git and the hooks of a local repository have no use for. */
const secrets = [
  ...secretVariables,
  usernameVariable,
  "PULUMI_CONFIG",
  "PULUMI_CONFIG_PASSPHRASE",
  "PULUMI_ACCESS_TOKEN",
];

const settings: readonly (readonly [key: string, value: string])[] = [
  ["core.hooksPath", "/dev/null"],
  ["core.fsmonitor", "false"],
  ["i18n.commitEncoding", "UTF-8"],
  ["push.gpgSign", "false"],
  ["push.recurseSubmodules", "no"],
  ["push.followTags", "false"],
  ["push.negotiate", "false"],
  ["push.pushOption", ""],
  // Over HTTP git makes a thin pack whatever it is told, and fails for want of the objects that are changed: they were
  // never fetched. Without a window it looks for none of them.
  ["pack.window", "0"],
  // Of what others wrote, a blob may be of any size: git holds one in memory up to this size and streams larger ones.
  ["core.bigFileThreshold", "8m"],
  ["fetch.recurseSubmodules", "no"],
  ["fetch.prune", "false"],
  ["fetch.pruneTags", "false"],
  ["fetch.writeCommitGraph", "false"],
  ["gc.auto", "0"],
  ["maintenance.auto", "false"],
  ["protocol.ext.allow", "never"],
  // A silent connection is dropped; a server busy with its hooks sends at least a keep-alive each 5 seconds.
  ["http.lowSpeedLimit", "1"],
  ["http.lowSpeedTime", "60"],
];

const transports = ["file", "http", "https", "ssh"];

/**
 * The environment of one git process: the user's own (CA, proxy, SSH and HOME settings stay), without what would
 * redirect git, with prompts off and hooks off. The token is in it only where the URL takes one.
 */
export function gitEnvironment(
  env: NodeJS.ProcessEnv,
  url: string,
  credential: Credential | undefined,
): NodeJS.ProcessEnv {
  const result: NodeJS.ProcessEnv = { ...env };
  for (const name of [...inherited, ...secrets]) delete result[name];
  Object.assign(result, {
    LC_ALL: "C",
    LANGUAGE: "",
    GIT_TERMINAL_PROMPT: "0",
    GIT_ASKPASS: "",
    SSH_ASKPASS_REQUIRE: "never",
    GCM_INTERACTIVE: "never",
    GIT_NO_LAZY_FETCH: "1",
    GIT_TRACE_REDACT: "1",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_ALLOW_PROTOCOL: allowedTransports(env["GIT_ALLOW_PROTOCOL"]),
  });
  if (!env["GIT_SSH"] && !env["GIT_SSH_COMMAND"]) result["GIT_SSH_COMMAND"] = "ssh -oBatchMode=yes";
  const withToken = credential !== undefined && takesToken(url);
  if (withToken) {
    result[tokenVariable] = credential.token;
    result[usernameVariable] = credential.username;
  }
  addConfig(result, withToken ? [...settings, ...credentialConfig(url)] : settings);
  return result;
}

/** Adds who makes a commit; the committer is the author where none is named. */
export function withIdentity(
  env: NodeJS.ProcessEnv,
  author: Identity,
  committer: Identity = author,
): NodeJS.ProcessEnv {
  return {
    ...env,
    GIT_AUTHOR_NAME: author.name,
    GIT_AUTHOR_EMAIL: author.email,
    GIT_COMMITTER_NAME: committer.name,
    GIT_COMMITTER_EMAIL: committer.email,
  };
}

/** Ours, narrowed by the user's list where there is one. This variable outranks every protocol.* setting. */
function allowedTransports(users: string | undefined): string {
  if (users === undefined) return transports.join(":");
  const allowed = users.split(":");
  return transports.filter((name) => allowed.includes(name)).join(":");
}

/** Appends settings to those the user passes in the environment already. */
export function addConfig(env: NodeJS.ProcessEnv, entries: readonly (readonly [string, string])[]): void {
  const given = Number(env["GIT_CONFIG_COUNT"] ?? "0");
  const first = Number.isInteger(given) && given > 0 ? given : 0;
  entries.forEach(([key, value], index) => {
    env[`GIT_CONFIG_KEY_${first + index}`] = key;
    env[`GIT_CONFIG_VALUE_${first + index}`] = value;
  });
  env["GIT_CONFIG_COUNT"] = String(first + entries.length);
}
