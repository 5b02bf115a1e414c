/**
 * Shapes that a secret cannot be mistaken in, each anchored by a prefix, a length or both, so that codes, UUIDs,
 * digests and host names pass. A row is the kind as a message names it, and how it looks.
 */
const shapes: readonly (readonly [kind: string, pattern: RegExp])[] = [
  [
    "a private key",
    /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----|PuTTY-User-Key-File-\d|AGE-SECRET-KEY-1[A-Z0-9]{20,}/,
  ],
  ["a GitHub token", /\bgh[pousr]_[A-Za-z0-9]{36,}|\bgithub_pat_[A-Za-z0-9_]{22,}/],
  ["a GitLab token", /\bgl(?:pat|dt|rt|cbt|ptt|ft|soat|imt|agent|oas)-[A-Za-z0-9_.-]{20,}/],
  ["an Azure DevOps token", /\b[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}\b/],
  ["an Azure connection string", /\b(?:AccountKey|SharedAccessKey|AccessKey)=[A-Za-z0-9+/]{20,}={0,2}/i],
  ["an Azure shared access signature", /(?:^|[?&;"'\s])sig=[A-Za-z0-9%+/_-]{32,}/],
  ["an Azure account key", /^[A-Za-z0-9+/]{86}==$/],
  [
    "a Microsoft Entra client secret",
    /(?:^|[^A-Za-z0-9_~.-])[A-Za-z0-9_~.]{3}\dQ~[A-Za-z0-9_~.-]{31,34}(?![A-Za-z0-9_~.-])/,
  ],
  ["a Slack token", /\bxox[abeoprs]-[A-Za-z0-9-]{10,}|\bxapp-\d-[A-Za-z0-9-]{10,}/],
  ["a Slack webhook", /\bhooks\.slack\.com\/(?:services|workflows|triggers)\/[A-Za-z0-9/_-]{10,}/],
  ["an AWS access key", /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/],
  ["a Google API key", /\bAIza[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])/],
  ["a JSON Web Token", /(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}/],
  ["an npm token", /\bnpm_[A-Za-z0-9]{36}\b|:_authToken=[^\s$]{8,}/],
  ["a Docker Hub token", /\bdckr_pat_[A-Za-z0-9_-]{20,}/],
  ["a Vault token", /\bhv[sbr]\.[A-Za-z0-9_-]{24,}/],
  ["a Pulumi token", /\bpul-[0-9a-f]{40}\b/],
  ["credentials in JSON", /"(?:auth|password|identitytoken)"\s*:\s*"(?![${<*])[^"]+"/i],
  // A password that begins with one of these signs is a placeholder.
  ["a URL with a password", /\b[a-z][a-z0-9+.-]{0,30}:\/\/[^\s/:@]*:(?![${<*])[^\s/@]+@[^\s/]/i],
  ["a connection string with a password", /(?:^|;)\s*(?:password|pwd)\s*=\s*(?![${<*])[^;\s]+/i],
];

/** The kind of secret that a text is or contains; undefined when it looks like none. */
export function secretShape(text: string): string | undefined {
  return shapes.find(([, pattern]) => pattern.test(text))?.[0];
}
