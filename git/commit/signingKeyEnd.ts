import { readFile } from "node:fs/promises";
import { run } from "../access/run.ts";
import { shortFolder, withTemporaryFolder } from "../access/temporary.ts";
import type { Signing } from "../words/delivery.ts";
import { readVariable } from "../words/readVariable.ts";
import type { GitContext } from "../words/types.ts";
import { signingKeyVariable } from "../words/variables.ts";

/** A key that commits are signed with, and when it ends. */
export interface SigningKeyEnd {
  /** User id of the key, as it says itself. */
  readonly name: string;
  /** ISO. */
  readonly ends: string;
}

/**
 * When the OpenPGP key that commits are signed with ends. Undefined without a key, for one without an end, and for SSH
 * keys, which have none. Rejects where the key cannot be read.
 */
export async function signingKeyEnd(
  signing: Signing | undefined,
  { env }: Pick<GitContext, "env">,
): Promise<SigningKeyEnd | undefined> {
  const key =
    signing?.keyFile === undefined
      ? await readVariable(env, signingKeyVariable)
      : await readFile(signing.keyFile, "utf8");
  if (key?.trimStart().startsWith("-----BEGIN PGP PRIVATE KEY BLOCK-----") !== true) return undefined;
  return withTemporaryFolder(shortFolder, async (home) => {
    const { code, stdout } = await run({
      program: "gpg",
      args: ["--batch", "--with-colons", "--show-keys"],
      env: { ...env, GNUPGHOME: home },
      input: key,
      timeout: 30_000,
      redact: () => "",
    });
    if (code !== 0) throw new Error("gpg cannot read the signing key");
    return endOf(stdout.toString());
  });
}

/** The primary key ends all; of those that sign, gpg takes one that is still good. Columns as in gnupg's doc/DETAILS. */
function endOf(listing: string): SigningKeyEnd | undefined {
  const rows = listing.split("\n").map((line) => line.split(":"));
  const keys = rows.filter(([kind]) => kind === "sec" || kind === "ssb");
  const endsAt = (row: readonly string[]): number => Number(row[6] || Infinity);
  const signers = keys.filter((row) => row[11]?.includes("s"));
  const ends = Math.min(endsAt(keys[0] ?? []), Math.max(...signers.map(endsAt)));
  if (!Number.isFinite(ends)) return undefined;
  const name = rows.find(([kind]) => kind === "uid")?.[9] ?? "";
  return { name, ends: new Date(ends * 1000).toISOString() };
}
