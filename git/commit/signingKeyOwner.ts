import { readFile, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { personOf } from "../access/person.ts";
import { run } from "../access/run.ts";
import { shortFolder, withTemporaryFolder } from "../access/temporary.ts";
import type { Signing } from "../words/delivery.ts";
import { readVariable } from "../words/readVariable.ts";
import type { GitContext } from "../words/types.ts";
import { signingKeyVariable } from "../words/variables.ts";

/** Whose key commits are signed with. */
export interface SigningKeyOwner {
  /** User id of an OpenPGP key, fingerprint and comment of an SSH key. */
  readonly name: string;
  /** Whether it is that of whoever sits here: it names their address, or lies among their own keys. */
  readonly isPerson: boolean;
}

/** Undefined where commits are not signed. Rejects where the key cannot be read. */
export async function signingKeyOwner(
  signing: Signing | undefined,
  context: Pick<GitContext, "env" | "signal">,
): Promise<SigningKeyOwner | undefined> {
  const { env } = context;
  const file = signing?.keyFile;
  const key = file === undefined ? await readVariable(env, signingKeyVariable) : await readFile(file, "utf8");
  if (key === undefined || key.trim() === "") return undefined;
  const name = await withTemporaryFolder(shortFolder, async (home) => {
    const path = join(home, "key");
    await writeFile(path, `${key.trim()}\n`, { mode: 0o600 });
    const isPgp = key.trimStart().startsWith("-----BEGIN PGP PRIVATE KEY BLOCK-----");
    const [program, args] = isPgp
      ? ["gpg", ["--batch", "--with-colons", "--show-keys", path]]
      : ["ssh-keygen", ["-l", "-f", path]];
    const { code, stdout } = await run({
      ...{ program, args, timeout: 30_000, redact: () => "" },
      env: { ...env, GNUPGHOME: home },
    });
    if (code !== 0) throw new Error(`${program} cannot read the signing key`);
    return isPgp ? userId(stdout.toString()) : stdout.toString().replace(/^\d+ |\s*\([^)]*\)\s*$/g, "");
  });
  const email = (await personOf(context))?.email;
  const own = [".ssh", ".gnupg"].some((folder) => file?.startsWith(join(homedir(), folder)) === true);
  return { name, isPerson: own || (email !== undefined && name.includes(email)) };
}

function userId(listing: string): string {
  const rows = listing.split("\n").map((line) => line.split(":"));
  return rows.find(([kind]) => kind === "uid")?.[9] ?? "an OpenPGP key without a name";
}
