/** Ends of a name, words joined, that call the value a secret. */
const secret =
  /(?:passwords?|passwd|passphrase|secrets?|token|apikey|accesskey|accountkey|privatekey|sharedkey|signingkey|encryptionkey|storagekey|connectionstring|connstring|connstr|credentials?)$/;

/** Words that say it only when they stand alone. */
const secretWords = ["pwd", "pass", "pat", "sas"];

/** Last words of a name that speak about a secret without holding it. */
const about = new Set(
  (
    "name names ref refs reference namespace path paths file files dir mount volume url uri endpoint host hostname server " +
    "service provider store backend vault issuer audience ttl expiry expiration lifetime duration interval timeout " +
    "rotation length size count min max limit days hours minutes seconds policy type kind class mode method algorithm " +
    "format header field prefix scope enabled required optional version id ids image tag"
  ).split(" "),
);

/** First words that make it a number or a switch. */
const amount = new Set(["max", "min", "num", "use", "enable", "disable", "has", "require"]);

/** Kinds of Secrets that are referred to by name, so that the value is a name. */
const byName = /(?:pull|tls|certificate|cert)secrets?$/;

/** Whether the name of a variable says that its value is a secret: `dbPassword`, `API_KEY`, but not `secret_name`. */
export function namesSecret(name: string): boolean {
  const words = wordsOf(name);
  if (about.has(words.at(-1) ?? "") || amount.has(words[0] ?? "")) return false;
  return words.some((word, at) => {
    const joined = words.slice(0, at + 1).join("");
    return secretWords.includes(word) || (secret.test(joined) && !byName.test(joined));
  });
}

function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/([A-Z]+)([A-Z][a-z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "");
}
