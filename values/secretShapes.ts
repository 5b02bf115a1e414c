/**
 * Shapes that a secret cannot be mistaken in, each anchored by a prefix, a length or both, so that codes, digests and host
 * names pass. A row is the kind as a message names it, and how it looks.
 */
const shapes: readonly (readonly [kind: string, pattern: RegExp])[] = [
  [
    "a private key",
    /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----|PuTTY-User-Key-File-\d|AGE-SECRET-KEY-1[A-Z0-9]{20,}/,
  ],
  ["a GitHub token", /\bgh[pousr]_[A-Za-z0-9]{36,}|\bgithub_pat_[A-Za-z0-9_]{22,}/],
  // GitLab's own prefixes, spelled out: `globe-production-…` is the name of a site.
  ["a GitLab token", /\bgl(?:pat|dt|rt|cbt|ptt|ft|soat|imt|agent|oas)-[A-Za-z0-9_.-]{20,}/],
  ["an Azure DevOps token", /\b[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}\b/],
  ["an Azure connection string", /\b(?:AccountKey|SharedAccessKey|AccessKey)=[A-Za-z0-9+/]{20,}/i],
  ["an Azure shared access signature", /(?:^|[?&;"'\s])sig=[A-Za-z0-9%+/_-]{32,}/],
  ["an Azure account key", /^[A-Za-z0-9+/]{86}==$/m],
  ["a Microsoft Entra client secret", /(?:^|[^\w~.-])[\w~.]{3}\dQ~[\w~.-]{31,34}(?![\w~.-])/],
  ["a Slack token", /\bxox[abeoprs]-[A-Za-z0-9-]{10,}|\bxapp-\d-[A-Za-z0-9-]{10,}/],
  ["a Slack webhook", /\bhooks\.slack\.com\/(?:services|workflows|triggers)\/[\w/-]{10,}/],
  ["a Teams webhook", /\bwebhook\.office\.com\/webhookb2\/[\w@/-]{30,}/],
  ["a Discord webhook", /\bdiscord(?:app)?\.com\/api\/webhooks\/\d+\/[\w-]{20,}/],
  ["an AWS access key", /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/],
  ["a Google API key", /\bAIza[\w-]{35}(?![\w-])/],
  ["a JSON Web Token", /(?<![\w-])eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{8,}/],
  ["an npm token", /\bnpm_[A-Za-z0-9]{36}\b|:_authToken=[^\s$]{8,}/],
  ["a Docker Hub token", /\bdckr_pat_[A-Za-z0-9_-]{20,}/],
  ["a Vault token", /\bhv[sbr]\.[A-Za-z0-9_-]{24,}/],
  ["a Pulumi token", /\bpul-[0-9a-f]{40}\b/],
  ["credentials in JSON", /"(?:auth|password|identitytoken)"\s*:\s*"(?![${<*])[^"\s]{6,}"/i],
  // A password that begins with one of these signs is a placeholder.
  ["a URL with a password", /\b[a-z][a-z0-9+.-]{0,30}:\/\/[^\s/:@]*:(?![${<*])[^\s/@]+@[^\s/]/i],
  ["a connection string with a password", /(?:^|;)\s*(?:password|pwd)\s*=\s*(?![${<*])[^;\s]+/im],
];

/** The kind of secret that a text is or contains; undefined when it looks like none. Never part of the text itself. */
export function secretShape(text: string): string | undefined {
  // Every shape needs that much; most variables are shorter and need no look.
  return text.length < 9 ? undefined : shapes.find(([, pattern]) => pattern.test(text))?.[0];
}

/** Hidden in messages as well, although it may be a digest: 64 bytes are what keys of Azure storage have, and SHA-512. */
const sixtyFourBytes = /[A-Za-z0-9+/]{86}==/;

/** Whether a text is, contains or may be a secret, so that no message repeats it. */
export function mayBeSecret(text: string): boolean {
  return secretShape(text) !== undefined || sixtyFourBytes.test(text);
}

/** A message with "this value" in the place of whatever may be a secret, and of the quotes around it. */
export function withoutSecrets(message: string): string {
  if (!mayBeSecret(message)) return message;
  return [...shapes.map(([, pattern]) => pattern), sixtyFourBytes].reduce(
    (rest, { source, flags }) =>
      rest.replace(new RegExp(`["']?(?:${source})[^\\s"',;}\\]]*["']?`, `${flags}g`), "this value"),
    message,
  );
}
