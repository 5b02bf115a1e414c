/** Where the program takes the sealing key from: a stack config secret. */
export const sealingKeyConfig = "sealingKey";

/** What makes a sealing key: it never leaves the stack's secrets, and has 256 random bits. */
export const makeSealingKey = `openssl rand -base64 32 | pulumi config set --secret arcflux:${sealingKeyConfig}`;

/** What is wrong with a sealing key, without a part of it; undefined where nothing is. */
export function sealingKeyFault(key: string | undefined): string | undefined {
  if (key === undefined || key === "")
    return `Stack config arcflux:${sealingKeyConfig} is missing: secrets are encrypted with it, so that the same values give the same files. Make it once: ${makeSealingKey}`;
  return key.length < 32 || new Set(key).size < 12
    ? `Stack config arcflux:${sealingKeyConfig} is too short to be random. Make another: ${makeSealingKey}`
    : undefined;
}
