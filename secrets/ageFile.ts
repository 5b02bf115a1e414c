import { createCipheriv, createHmac, diffieHellman, hkdfSync } from "node:crypto";
import { privateKeyOf, publicBytes, publicKeyOf, recipientBytes } from "../values/ageKey.ts";
import type { Derive } from "./derive.ts";

/**
 * Encrypts up to 64 KiB to a recipient, as the armored file that age writes (age-encryption.org/v1). `derive` gives the
 * file key, the ephemeral key and the nonce, so it has to be another one for each content.
 */
export function ageFile(content: Uint8Array, recipient: string, derive: Derive): string {
  const theirs = recipientBytes(recipient);
  if (theirs === undefined) throw new TypeError("A recipient is not a public key of age.");
  const fileKey = derive(16, "age file key", recipient);
  const ephemeral = privateKeyOf(derive(32, "age ephemeral key", recipient));
  const share = publicBytes(ephemeral);
  const shared = diffieHellman({ privateKey: ephemeral, publicKey: publicKeyOf(theirs) });
  const wrapKey = expand(shared, Buffer.concat([share, theirs]), "age-encryption.org/v1/X25519");

  const stanza = `-> X25519 ${unpadded(share)}\n${unpadded(seal(wrapKey, Buffer.alloc(12), fileKey))}\n`;
  const header = `age-encryption.org/v1\n${stanza}---`;
  const mac = createHmac("sha256", expand(fileKey, Buffer.alloc(0), "header"))
    .update(header)
    .digest();

  const nonce = derive(16, "age nonce", recipient);
  // One chunk, which is the last: the counter is 0, and the byte behind it 1.
  const only = Buffer.alloc(12);
  only[11] = 1;
  const payload = seal(expand(fileKey, nonce, "payload"), only, content);
  return armored(Buffer.concat([Buffer.from(`${header} ${unpadded(mac)}\n`), nonce, payload]));
}

function expand(key: Uint8Array, salt: Uint8Array, info: string): Buffer {
  return Buffer.from(hkdfSync("sha256", key, salt, info, 32));
}

function seal(key: Uint8Array, nonce: Uint8Array, content: Uint8Array): Buffer {
  const cipher = createCipheriv("chacha20-poly1305", key, nonce, { authTagLength: 16 });
  return Buffer.concat([cipher.update(content), cipher.final(), cipher.getAuthTag()]);
}

function unpadded(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64").replaceAll("=", "");
}

function armored(bytes: Buffer): string {
  const lines = bytes.toString("base64").match(/.{1,64}/g) ?? [];
  return ["-----BEGIN AGE ENCRYPTED FILE-----", ...lines, "-----END AGE ENCRYPTED FILE-----", ""].join("\n");
}
