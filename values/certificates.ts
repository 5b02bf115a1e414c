import { X509Certificate } from "node:crypto";

/** Whom a certificate is for, and when it ends. */
export interface CertificateEnd {
  /** Its common name, where it has one. */
  readonly name: string | undefined;
  /** ISO. */
  readonly ends: string;
}

/** The certificates of a text in PEM, in its order. Throws at one that cannot be read. */
export function certificatesIn(pem: string): CertificateEnd[] {
  return certificateTexts(pem).map((text) => {
    const { subject, validTo } = new X509Certificate(text);
    return { name: /CN=([^\n]+)/.exec(subject)?.[1], ends: new Date(validTo).toISOString() };
  });
}

/** The certificates of a text in PEM as they stand there, without keys and comments beside them. */
export function certificateTexts(pem: string): string[] {
  return pem.match(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g) ?? [];
}
