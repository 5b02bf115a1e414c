import { createHash, hkdfSync } from "node:crypto";

/**
 * A source of keys and nonces that are the same for the same secret and labels, and say nothing to those without it. Where
 * others draw at random, sealing derives: the same values then give the same bytes, in every run and on every machine.
 */
export type Derive = (length: number, ...labels: readonly string[]) => Buffer;

/** `secret` has at least 32 random bytes. Labels are told apart however they are cut. */
export function deriver(secret: string | Uint8Array, ...context: readonly string[]): Derive {
  return (length, ...labels) =>
    Buffer.from(hkdfSync("sha256", secret, "arcflux seal 1", hashed([...context, ...labels]), length));
}

/** The labels as `info`, which Node bounds at 1024 bytes. */
function hashed(labels: readonly string[]): Buffer {
  return createHash("sha256").update(JSON.stringify(labels)).digest();
}
