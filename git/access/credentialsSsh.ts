import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { takesToken } from "./credentials.ts";
import { GitError } from "../words/errors.ts";
import { readVariable } from "../words/readVariable.ts";
import { knownHostsVariable, sshKeyVariable } from "../words/variables.ts";

/**
 * Makes git use the SSH key and the known hosts of the environment, and nothing looser: an unknown or changed host key
 * ends the connection. Both are copied into `folder` with mode 0600, since ssh refuses keys that others may read and
 * mounted secrets often are that. Where neither is set, the user's own ssh settings act.
 */
export async function placeSshFiles(
  folder: string,
  url: string,
  users: NodeJS.ProcessEnv,
  env: NodeJS.ProcessEnv,
): Promise<void> {
  if (takesToken(url) || url.startsWith("file:") || url.startsWith("/")) return;
  const key = await readVariable(users, sshKeyVariable);
  const hosts = await readVariable(users, knownHostsVariable);
  if (key === undefined && hosts === undefined) return;
  const options = [
    "-oBatchMode=yes",
    "-oStrictHostKeyChecking=yes",
    "-oConnectTimeout=30",
    "-oUpdateHostKeys=no",
  ];
  if (key !== undefined) {
    if (!/^-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----/.test(key)) {
      throw new GitError(
        "invalid",
        `${sshKeyVariable} holds no private key: it must start with '-----BEGIN … PRIVATE KEY-----'. Give the whole file that ssh-keygen made.`,
      );
    }
    const path = join(folder, "ssh-key");
    // ssh wants the final newline that reading has dropped.
    await writeFile(path, `${key.replaceAll("\r\n", "\n")}\n`, { mode: 0o600 });
    options.push("-oIdentitiesOnly=yes", "-oIdentityAgent=none", `-oIdentityFile="${path}"`);
  }
  if (hosts !== undefined) {
    const path = join(folder, "known-hosts");
    await writeFile(path, `${hosts}\n`, { mode: 0o600 });
    options.push(`-oUserKnownHostsFile="${path}"`, "-oGlobalKnownHostsFile=/dev/null");
  }
  env["GIT_SSH_COMMAND"] = ["ssh", ...options.map(quote)].join(" ");
}

function quote(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
