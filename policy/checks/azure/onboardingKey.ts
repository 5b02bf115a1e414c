import { createPublicKey } from "node:crypto";

import { resourcePolicy } from "../../azurePolicy.ts";
import { asText, shown } from "../../plainValue.ts";
import { isConnectedCluster, isPrivateKey } from "../../resourceTypes.ts";

const leastBits = 4096;

/** Azure takes the key in one form alone, and a short one can be guessed by whoever has time. */
export const onboardingKey = resourcePolicy({
  name: "onboarding-key",
  description: "A cluster is onboarded with an RSA key of 4096 bits, given as PKCS#1.",
  why: "A cluster whose key Azure cannot read never connects, and a short key can be broken.",
  of: (type) => isConnectedCluster(type) || isPrivateKey(type),
  checks: [
    ({ props }) => {
      const algorithm: unknown = props["algorithm"];
      if (algorithm === undefined) return undefined;
      if (algorithm !== "RSA") return `algorithm is ${shown(algorithm)}; write 'RSA'.`;
      const bits = props["rsaBits"] ?? 2048;
      return typeof bits === "number" && bits >= leastBits
        ? undefined
        : `rsaBits is ${shown(bits)}; write ${leastBits}.`;
    },
    ({ props }) => {
      const key = asText(props["agentPublicKeyCertificate"]);
      if (key === undefined) return undefined;
      const bits = bitsOf(key);
      if (bits === undefined)
        return "agentPublicKeyCertificate is no RSA key as PKCS#1 in base64; take the public key's DER in that form.";
      return bits >= leastBits
        ? undefined
        : `agentPublicKeyCertificate has ${bits} bits; ${leastBits} are needed. Make a new key.`;
    },
  ],
});

/** Bits of an RSA key in PKCS#1; undefined for any other form. */
function bitsOf(text: string): number | undefined {
  try {
    const key = createPublicKey({ key: Buffer.from(text, "base64"), format: "der", type: "pkcs1" });
    return key.asymmetricKeyDetails?.modulusLength;
  } catch {
    return undefined;
  }
}
