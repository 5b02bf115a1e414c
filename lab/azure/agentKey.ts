import { createPublicKey } from "node:crypto";
import { isBase64 } from "./fieldRules.ts";

/**
 * Why Azure would not take this `agentPublicKeyCertificate`, or undefined when it would: it must be base64 of the
 * DER form of a PKCS#1 RSA public key of 4096 bits. Never shows the value.
 */
export function agentKeyFault(value: string): string | undefined {
  if (value.includes("-----BEGIN")) {
    return "The value is PEM. It must be the base64 of the DER form (PKCS#1), without the armour lines.";
  }
  if (!isBase64(value)) return "The value is not base64 on one line.";
  const der = Buffer.from(value, "base64");
  const bits = rsaBits(der, "pkcs1");
  if (bits === 4096) return undefined;
  if (bits !== undefined) return `The key has ${bits} bits; 4096 are required.`;
  if (rsaBits(der, "spki") !== undefined) {
    return "The key is in SPKI form. It must be PKCS#1: a DER sequence of modulus and exponent alone.";
  }
  return "The value is not an RSA public key in DER form (PKCS#1).";
}

function rsaBits(der: Buffer, type: "pkcs1" | "spki"): number | undefined {
  // The parser below takes trailing bytes; the length in the DER header tells whether there are some.
  if (der.length < 4 || der[1] !== 0x82 || der.readUInt16BE(2) !== der.length - 4) return undefined;
  try {
    const key = createPublicKey({ key: der, format: "der", type });
    if (key.asymmetricKeyType !== "rsa") return undefined;
    return key.asymmetricKeyDetails?.modulusLength;
  } catch {
    return undefined;
  }
}
