const hidden = "***";

/** What is to be taken out of every text, added to as secrets become known: a derived token as well as its key. */
export class Redaction {
  private readonly forms = new Set<string>();

  /** Hides every form of a secret from here on; `username` is what it is sent with in an Authorization header. */
  add(secret: string, username?: string): void {
    for (const form of secretForms(secret, username)) this.forms.add(form);
  }

  readonly redact = (text: string): string => {
    let clean = text;
    // The longest first, so that no part of a longer form is left over.
    for (const form of [...this.forms].sort((a, b) => b.length - a.length)) {
      clean = clean.replaceAll(form, hidden);
    }
    return hideUserInfo(clean);
  };
}

/** Hides what stands before the `@` of a URL: all of it for HTTP, where a lone user name may be a token too. */
export function hideUserInfo(text: string): string {
  return text
    .replace(/(https?:\/\/)[^\s/@'"]+@/gi, `$1${hidden}@`)
    .replace(/(:\/\/)[^\s/@:'"]*:[^\s/@'"]+@/g, `$1${hidden}@`);
}

/** The ways a secret gets into output: as it is, URL-encoded, and in the base64 of an Authorization header. */
function secretForms(secret: string, username = ""): string[] {
  const encoded = encodeURIComponent(secret);
  const strict = encoded.replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
  // git takes a server's text without a charset for Latin-1, which mangles what is beyond ASCII.
  const mangled = Buffer.from(secret).toString("latin1");
  const forms = new Set([secret, encoded, strict, mangled, JSON.stringify(secret).slice(1, -1)]);
  for (const form of [encoded, strict]) {
    forms.add(form.replace(/%[0-9A-F]{2}/g, (escape) => escape.toLowerCase()));
  }
  // With an empty user name too: Azure DevOps takes a token that way.
  for (const plain of new Set([secret, `${username}:${secret}`, `:${secret}`])) {
    const bytes = Buffer.from(plain);
    // Without padding too: a prefix match then also covers the padded form.
    forms.add(bytes.toString("base64").replace(/=+$/, ""));
    forms.add(bytes.toString("base64url"));
  }
  // Of a key, each line is a secret of its own; its first and last line say only what it is.
  if (/\r?\n/.test(secret)) {
    for (const line of secret.split(/\r?\n/)) if (line.length >= 16 && !/^-----/.test(line)) forms.add(line);
  }
  return [...forms].filter((form) => form !== "");
}
