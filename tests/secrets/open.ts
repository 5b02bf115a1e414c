import { createDecipheriv, createHash, createPrivateKey, diffieHellman, hkdfSync } from "node:crypto";
import { parse } from "yaml";

import { decodeBech32 } from "../../values/bech32.ts";
import { publicBytes, publicKeyOf } from "../../values/ageKey.ts";

/** A file of SOPS for a recipient of age. */
interface Sealed {
  readonly data: Readonly<Record<string, string>>;
  readonly sops: {
    readonly age: readonly { readonly recipient: string; readonly enc: string }[];
    readonly mac: string;
    readonly lastmodified: string;
  };
}

/** Decrypts the `data` of a sealed Secret with an identity, as Flux does, and checks the MAC over all of the file. */
export function openSecret(text: string, identity: string): Record<string, string> {
  const file = parse(text) as Sealed;
  const secret = decodeBech32("age-secret-key-", identity.toLowerCase())!;
  const own = createPrivateKey({
    key: Buffer.concat([Buffer.from("302e020100300506032b656e04220420", "hex"), secret]),
    format: "der",
    type: "pkcs8",
  });
  const dataKey = firstThat(file.sops.age, ({ enc }) => openAge(enc, own));
  const values = Object.entries(file.data).map(([key, text]) => [key, open(text, `data:${key}:`, dataKey)]);
  const opened = Object.fromEntries(values) as Record<string, string>;
  const hash = createHash("sha512");
  for (const one of textsOf({ ...file, data: opened, sops: undefined })) hash.update(one);
  const mac = open(file.sops.mac, file.sops.lastmodified, dataKey);
  if (hash.digest("hex").toUpperCase() !== mac) throw new Error("The MAC does not fit.");
  return Object.fromEntries(
    Object.entries(opened).map(([key, value]) => [key, Buffer.from(value, "base64").toString()]),
  );
}

function firstThat<T, R>(all: readonly T[], read: (one: T) => R): R {
  for (const one of all) {
    try {
      return read(one);
    } catch {
      continue;
    }
  }
  throw new Error("The identity opens none of it.");
}

function open(text: string, additional: string, key: Buffer): string {
  if (text === "") return "";
  const [, data = "", iv = "", tag = ""] =
    /^ENC\[AES256_GCM,data:(.*),iv:(.*),tag:(.*),type:str\]$/.exec(text) ?? [];
  const cipher = createDecipheriv("aes-256-gcm", key, Buffer.from(iv, "base64"));
  cipher.setAAD(Buffer.from(additional)).setAuthTag(Buffer.from(tag, "base64"));
  return Buffer.concat([cipher.update(Buffer.from(data, "base64")), cipher.final()]).toString();
}

function openAge(armored: string, own: ReturnType<typeof createPrivateKey>): Buffer {
  const bytes = Buffer.from(armored.split("\n").slice(1, -2).join(""), "base64");
  const end = bytes.indexOf("\n", bytes.indexOf("\n--- ") + 1) + 1;
  const [, share = "", wrapped = ""] = /-> X25519 (.*)\n(.*)\n/.exec(bytes.subarray(0, end).toString()) ?? [];
  const ephemeral = Buffer.from(share, "base64");
  const shared = diffieHellman({ privateKey: own, publicKey: publicKeyOf(ephemeral) });
  const salt = Buffer.concat([ephemeral, publicBytes(own)]);
  const wrapKey = expand(shared, salt, "age-encryption.org/v1/X25519");
  const fileKey = unseal(wrapKey, Buffer.alloc(12), Buffer.from(wrapped, "base64"));
  const nonce = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
  const key = expand(fileKey, bytes.subarray(end, end + 16), "payload");
  return unseal(key, nonce, bytes.subarray(end + 16));
}

function expand(key: Uint8Array, salt: Uint8Array, info: string): Buffer {
  return Buffer.from(hkdfSync("sha256", key, salt, info, 32));
}

function unseal(key: Buffer, nonce: Buffer, sealed: Buffer): Buffer {
  const cipher = createDecipheriv("chacha20-poly1305", key, nonce, { authTagLength: 16 });
  cipher.setAuthTag(sealed.subarray(-16));
  return Buffer.concat([cipher.update(sealed.subarray(0, -16)), cipher.final()]);
}

function textsOf(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsOf) : [];
}
