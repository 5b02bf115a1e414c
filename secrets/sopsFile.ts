import { createCipheriv, createHash } from "node:crypto";
import { ageFile } from "./ageFile.ts";
import { type Derive, deriver } from "./derive.ts";

/** A map of text, of maps, or both: what a Secret is made of. */
export type Plain = { readonly [key: string]: string | Plain };

/** What SOPS leaves readable: Flux has to see what an object is. */
const encryptedKeys = /^(data|stringData)$/;
/** Stands where SOPS writes the time, which would make two files of the same values differ. */
const lastModified = "2026-01-01T00:00:00Z";
/** The version of SOPS that writes files of this form. */
const formatVersion = "3.11.0";

/**
 * An object as SOPS encrypts it for these recipients: below `data` and `stringData` AES-256-GCM for each value, the rest as
 * it is, and a MAC over all of it. The same object, recipients and key give the same file; without the key nobody can
 * tell what a file holds, nor whether two hold the same.
 */
export function sopsObject(object: Plain, recipients: readonly string[], sealingKey: string): Plain {
  const derive = deriver(sealingKey, "sops", JSON.stringify([object, recipients]));
  const dataKey = derive(32, "data key");
  const mac = createHash("sha512");
  const body = encrypted(object, [], { derive, dataKey, read: (text) => mac.update(text) });
  const digest = mac.digest("hex").toUpperCase();
  return {
    ...body,
    sops: {
      age: recipients.map((recipient) => ({ recipient, enc: ageFile(dataKey, recipient, derive) })),
      lastmodified: lastModified,
      mac: cipherText(digest, lastModified, dataKey, derive(32, "iv of the mac")),
      encrypted_regex: encryptedKeys.source,
      version: formatVersion,
    } as unknown as Plain,
  };
}

interface Sealing {
  readonly derive: Derive;
  readonly dataKey: Uint8Array;
  /** Takes each value in the order of the file, for the MAC. */
  readonly read: (text: string) => void;
}

function encrypted(map: Plain, path: readonly string[], sealing: Sealing): Plain {
  return Object.fromEntries(
    Object.entries(map).map(([key, value]): [string, string | Plain] => {
      const at = [...path, key];
      if (typeof value !== "string") return [key, encrypted(value, at, sealing)];
      sealing.read(value);
      // SOPS leaves an empty text as it is.
      if (value === "" || !at.some((part) => encryptedKeys.test(part))) return [key, value];
      const iv = sealing.derive(32, "iv", ...at);
      return [key, cipherText(value, `${at.join(":")}:`, sealing.dataKey, iv)];
    }),
  );
}

function cipherText(text: string, additional: string, key: Uint8Array, iv: Uint8Array): string {
  const cipher = createCipheriv("aes-256-gcm", key, iv);
  cipher.setAAD(Buffer.from(additional));
  const data = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]).toString("base64");
  const tag = cipher.getAuthTag().toString("base64");
  return `ENC[AES256_GCM,data:${data},iv:${Buffer.from(iv).toString("base64")},tag:${tag},type:str]`;
}
