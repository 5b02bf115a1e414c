import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import { decodeBech32, encodeBech32 } from "./bech32.ts";

/* Keys of age (X25519) in age's own spelling: `age1…` for the public one, `AGE-SECRET-KEY-1…` for the private one. */

const recipientPrefix = "age";
const identityPrefix = "age-secret-key-";
/** What stands before 32 bytes in the DER that Node reads keys from. */
const publicDer = Buffer.from("302a300506032b656e032100", "hex");
const privateDer = Buffer.from("302e020100300506032b656e04220420", "hex");

/** A key pair of a cluster. The identity is its private key, and goes nowhere but there. */
export interface AgeKeyPair {
  readonly recipient: string;
  readonly identity: string;
}

export function makeAgeKeyPair(): AgeKeyPair {
  const { privateKey } = generateKeyPairSync("x25519");
  return { recipient: recipientOf(privateKey), identity: identityOf(privateKey) };
}

/** The public key of an identity; undefined for what is none. */
export function recipientOfIdentity(identity: string): string | undefined {
  const bytes = decodeBech32(identityPrefix, identity.toLowerCase());
  return bytes?.length === 32 ? recipientOf(privateKeyOf(bytes)) : undefined;
}

/** The identities of a file of age, which may have comments. */
export function identitiesIn(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line.startsWith("AGE-SECRET-KEY-1"));
}

/** The 32 bytes of a public key; undefined for what is none. */
export function recipientBytes(recipient: string): Uint8Array | undefined {
  const bytes = decodeBech32(recipientPrefix, recipient);
  return bytes?.length === 32 ? bytes : undefined;
}

/** What is wrong with a public key, to end a message with; undefined where nothing is. */
export function recipientFault(recipient: string): string | undefined {
  if (/^age-secret-key-/i.test(recipient))
    return "is a private key of age; take it out of the file and of Git, make a new one, and write the public key, age1…";
  return recipientBytes(recipient) === undefined
    ? "is not a public key of age; write age1… and 58 more characters, as arcflux secrets bootstrap does"
    : undefined;
}

/** Keys from their bytes, as Node takes them. */
export function publicKeyOf(bytes: Uint8Array): KeyObject {
  return createPublicKey({ key: Buffer.concat([publicDer, bytes]), format: "der", type: "spki" });
}

export function privateKeyOf(bytes: Uint8Array): KeyObject {
  return createPrivateKey({ key: Buffer.concat([privateDer, bytes]), format: "der", type: "pkcs8" });
}

/** The 32 bytes of the public key that belongs to a private one. */
export function publicBytes(key: KeyObject): Buffer {
  return createPublicKey(key).export({ format: "der", type: "spki" }).subarray(-32);
}

function recipientOf(key: KeyObject): string {
  return encodeBech32(recipientPrefix, publicBytes(key));
}

function identityOf(key: KeyObject): string {
  const bytes = key.export({ format: "der", type: "pkcs8" }).subarray(-32);
  return encodeBech32(identityPrefix, bytes).toUpperCase();
}
