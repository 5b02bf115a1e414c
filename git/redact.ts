import type { Credential } from "./credentials.ts";

const hidden = "***";

/** Returns a function that takes every form of the credential, and any user info of a URL, out of a text. */
export function redactor(credential: Credential | undefined): (text: string) => string {
  const forms = credential === undefined ? [] : secretForms(credential);
  return (text) => {
    let clean = text;
    for (const form of forms) clean = clean.replaceAll(form, hidden);
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
function secretForms({ username, token }: Credential): string[] {
  const encoded = encodeURIComponent(token);
  const strict = encoded.replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
  // git takes a server's text without a charset for Latin-1, which mangles what is beyond ASCII.
  const mangled = Buffer.from(token).toString("latin1");
  const forms = new Set([token, encoded, strict, mangled, JSON.stringify(token).slice(1, -1)]);
  for (const form of [encoded, strict]) {
    forms.add(form.replace(/%[0-9A-F]{2}/g, (escape) => escape.toLowerCase()));
  }
  for (const plain of [token, `${username}:${token}`]) {
    const bytes = Buffer.from(plain);
    // Without padding too: a prefix match then also covers the padded form.
    forms.add(bytes.toString("base64").replace(/=+$/, ""));
    forms.add(bytes.toString("base64url"));
  }
  // The longest first, so that no part of a longer form is left over.
  return [...forms].filter((form) => form !== "").sort((a, b) => b.length - a.length);
}
