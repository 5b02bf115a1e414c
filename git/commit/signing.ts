import type { Signing } from "../words/delivery.ts";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { addConfig } from "../access/environment.ts";
import { GitError } from "../words/errors.ts";
import { readVariable } from "../words/readVariable.ts";
import { shortFolder, withTemporaryFolder } from "../access/temporary.ts";
import { run } from "../access/run.ts";
import type { Session } from "../access/session.ts";
import { signingKeyVariable } from "../words/variables.ts";

/** A commit could not be signed: the fault of one write, and not of others that share its push. */
export class SigningError extends GitError {}

/**
 * Hands `use` the environment in which `git commit-tree -S` signs; undefined where nothing asks for a signature. Key
 * material is in files of a folder only this user can read, below `folder`, and gone when this returns. Rejects with
 * GitError "invalid" where signing is asked for and no usable key is there.
 */
export async function withSigning<T>(
  session: Session,
  folder: string,
  signing: Signing | undefined,
  env: NodeJS.ProcessEnv,
  use: (env: NodeJS.ProcessEnv | undefined) => Promise<T>,
): Promise<T> {
  const key = await readKey(session, signing);
  if (key === undefined) return use(undefined);
  const format = formatOf(key, signing);
  return withHome(join(folder, "sign"), format, async (home) => {
    try {
      return await use(
        format === "ssh"
          ? await sshEnvironment(home, key, env)
          : await gpgEnvironment(session, home, key, env),
      );
    } finally {
      if (format === "openpgp") await endAgent(session, home, env);
    }
  });
}

/** Room for the longest socket that gpg makes in its home; systems take paths of 103 to 107 bytes for one. */
const longestHome = 103 - "/S.gpg-agent.browser".length;

/** Only this user can read it. gpg cannot work in a folder whose path is too long for its sockets, as a deep TMPDIR is. */
async function withHome<T>(
  below: string,
  format: "ssh" | "openpgp",
  use: (home: string) => Promise<T>,
): Promise<T> {
  if (format === "openpgp" && process.platform !== "win32" && Buffer.byteLength(below) > longestHome) {
    return withTemporaryFolder(shortFolder, use);
  }
  await mkdir(below, { recursive: true, mode: 0o700 });
  try {
    return await use(below);
  } finally {
    await rm(below, { recursive: true, force: true, maxRetries: 3 });
  }
}

async function readKey(session: Session, signing: Signing | undefined): Promise<string | undefined> {
  const { redaction, users } = session.access;
  const file = signing?.keyFile;
  const key =
    file === undefined
      ? await readVariable(users, signingKeyVariable)
      : await readFile(file, "utf8").catch((error: unknown) => {
          const code = (error as NodeJS.ErrnoException).code ?? "unknown error";
          throw new GitError(
            "invalid",
            `signing.keyFile cannot be read (${code}): ${JSON.stringify(file)}. Correct the path, or take it out and set ${signingKeyVariable}.`,
          );
        });
  if (key !== undefined && key.trim() !== "") {
    if (!/^ssh-|^ecdsa-|^sk-/.test(key)) redaction.add(key.trim());
    return `${key.trim().replaceAll("\r\n", "\n")}\n`;
  }
  if (signing === undefined) return undefined;
  throw new GitError(
    "invalid",
    `Signed commits are asked for, and there is no key: set ${signingKeyVariable} or ${signingKeyVariable}_FILE, or signing.keyFile. Nothing was pushed.`,
  );
}

function formatOf(key: string, signing: Signing | undefined): "ssh" | "openpgp" {
  const found = key.startsWith("-----BEGIN PGP PRIVATE KEY BLOCK-----")
    ? "openpgp"
    : /^-----BEGIN [A-Z ]*PRIVATE KEY-----|^(ssh|ecdsa|sk)-/.test(key)
      ? "ssh"
      : undefined;
  if (found === undefined || (signing?.format !== undefined && signing.format !== found)) {
    const wanted = signing?.format === undefined ? "an SSH or OpenPGP" : `an ${signing.format}`;
    throw new GitError(
      "invalid",
      `The signing key is not ${wanted} private key. Give the file of ssh-keygen, or the text of 'gpg --export-secret-keys --armor'. Nothing was pushed.`,
    );
  }
  return found;
}

async function sshEnvironment(home: string, key: string, env: NodeJS.ProcessEnv): Promise<NodeJS.ProcessEnv> {
  const path = join(home, key.startsWith("-----") ? "key" : "key.pub");
  await writeFile(path, key, { mode: 0o600 });
  const result = { ...env };
  addConfig(result, [
    ["gpg.format", "ssh"],
    ["gpg.ssh.program", "ssh-keygen"],
    ["user.signingKey", path],
  ]);
  return result;
}

async function gpgEnvironment(
  session: Session,
  home: string,
  key: string,
  env: NodeJS.ProcessEnv,
): Promise<NodeJS.ProcessEnv> {
  // Nothing may ask: a key with a passphrase fails at once.
  await writeFile(join(home, "gpg.conf"), "batch\nno-tty\npinentry-mode error\n", { mode: 0o600 });
  const result = { ...env, GNUPGHOME: home };
  const gpg = (args: readonly string[], input?: string): ReturnType<typeof run> =>
    run({ program: "gpg", args, env: result, input, timeout: 30_000, redact: session.redact });
  const imported = await gpg(["--import"], key);
  const listed = await gpg(["--list-secret-keys", "--with-colons"]);
  const fingerprint = /^fpr:+([0-9A-F]{40,64}):/m.exec(listed.stdout.toString())?.[1];
  if (imported.code !== 0 || fingerprint === undefined) {
    throw new GitError(
      "invalid",
      `gpg could not take in the signing key. Check it with 'gpg --import'. Nothing was pushed.`,
    );
  }
  addConfig(result, [
    ["gpg.format", "openpgp"],
    ["gpg.program", "gpg"],
    ["user.signingKey", fingerprint],
  ]);
  return result;
}

/** The agent of our folder would outlive it for a while. */
async function endAgent(session: Session, home: string, env: NodeJS.ProcessEnv): Promise<void> {
  await run({
    program: "gpgconf",
    args: ["--kill", "all"],
    env: { ...env, GNUPGHOME: home },
    timeout: 10_000,
    redact: session.redact,
  }).catch(() => undefined);
}
