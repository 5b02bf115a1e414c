import { generateKeyPairSync } from "node:crypto";

import { describe, expect, it } from "vitest";

import { agentPublicKey } from "../../components/publicKey.ts";

function spki(type: "rsa" | "ec", bits = 4096): string {
  const pair =
    type === "rsa"
      ? generateKeyPairSync("rsa", { modulusLength: bits })
      : generateKeyPairSync("ec", { namedCurve: "prime256v1" });
  return pair.publicKey.export({ type: "spki", format: "pem" }) as string;
}

describe("the public key of the Arc agents", () => {
  it("is base64 on one line of the PKCS#1 DER, as a key that the Azure CLI makes", () => {
    const key = agentPublicKey(spki("rsa"));
    // The lengths and the prefix are those of keys that Azure accepted.
    expect(key).toHaveLength(704);
    expect(key).toMatch(/^MIICCgKCAgEA[A-Za-z0-9+/=]+$/);
  });

  it("is the SPKI key without its first 24 bytes", () => {
    const pem = spki("rsa");
    const der = Buffer.from(pem.replace(/-----[A-Z ]+-----|\s/g, ""), "base64");
    expect(agentPublicKey(pem)).toBe(der.subarray(24).toString("base64"));
  });

  it("refuses a key of 2048 bits, the default of the tls provider", () => {
    expect(() => agentPublicKey(spki("rsa", 2048))).toThrow(
      /rsa of 2048 bits; Azure Arc needs RSA of 4096 bits/,
    );
  });

  it("refuses a key that is not RSA", () => {
    expect(() => agentPublicKey(spki("ec"))).toThrow(/ec of .*Azure Arc needs RSA of 4096 bits/);
  });
});
