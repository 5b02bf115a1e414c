import { createPublicKey } from "node:crypto";

/** DER of a PKCS#1 RSAPublicKey of 4096 bits with exponent 65537: its first bytes and its length. */
const derPrefix = "3082020a0282020100";
const derLength = 526;

/**
 * Azure's `agentPublicKeyCertificate`: base64, on one line, of the DER of a PKCS#1 RSAPublicKey.
 *
 * @param publicKeyPem an RSA public key of 4096 bits as SPKI PEM (`-----BEGIN PUBLIC KEY-----`).
 * @throws when it is another key: with a wrong one the agents never connect, and Azure does not say why.
 */
export function agentPublicKey(publicKeyPem: string): string {
  const key = createPublicKey(publicKeyPem);
  const bits = key.asymmetricKeyDetails?.modulusLength;
  if (key.asymmetricKeyType !== "rsa" || bits !== 4096) {
    const what = `${key.asymmetricKeyType ?? "unknown"} of ${bits ?? "unknown"} bits`;
    throw new Error(`The key pair of the Arc agents is ${what}; Azure Arc needs RSA of 4096 bits.`);
  }
  const der = key.export({ type: "pkcs1", format: "der" });
  if (!der.toString("hex").startsWith(derPrefix) || der.length !== derLength) {
    throw new Error(
      "The public key of the Arc agents is not a PKCS#1 RSA key with exponent 65537, as Azure Arc needs.",
    );
  }
  return der.toString("base64");
}
