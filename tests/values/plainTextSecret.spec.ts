import { generateKeyPairSync, randomUUID } from "node:crypto";

import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { plainTextSecret } from "../../values/plainTextSecret.ts";

// Put together here, so that no scanner takes this file for a leak.
const repeated = (text: string, length: number): string => text.repeat(length).slice(0, length);
const base64 = (text: string): string => Buffer.from(text).toString("base64");
const privateKey = generateKeyPairSync("ed25519")
  .privateKey.export({ type: "pkcs8", format: "pem" })
  .toString();
const jwt = [{ alg: "none" }, { sub: "edge-0" }].map((part) =>
  base64(JSON.stringify(part)).replace(/=+$/, ""),
);

const byShape: readonly [kind: string, value: string][] = [
  ["a private key", privateKey],
  ["a private key", base64(privateKey)],
  ["a private key", `-----BEGIN OPENSSH ${"PRIVATE"} KEY-----\nAAAA`],
  ["a GitHub token", `ghs_${repeated("aB3", 36)}`],
  ["a GitHub token", base64(`ghp_${repeated("aB3", 36)}`)],
  ["a GitHub token", `github_pat_${repeated("1Ab", 22)}_${repeated("xY9", 59)}`],
  ["a GitLab token", `glpat-${repeated("x-Y9_", 20)}`],
  ["an Azure DevOps token", `${repeated("aB3", 76)}AZDO${repeated("q", 4)}`],
  [
    "an Azure connection string",
    `DefaultEndpointsProtocol=https;AccountName=edge;AccountKey=${repeated("aB3+", 86)}==`,
  ],
  [
    "an Azure connection string",
    `Endpoint=sb://e.servicebus.windows.net/;SharedAccessKey=${repeated("aB3", 43)}=`,
  ],
  [
    "an Azure shared access signature",
    `https://e.blob.core.windows.net/c?sv=2024&se=2026&sig=${repeated("aB3", 43)}%3D`,
  ],
  ["an Azure account key", `${repeated("aB3/", 86)}==`],
  ["a Microsoft Entra client secret", `abc8Q~${repeated("aB3.", 34)}`],
  ["a Slack token", `xoxb-${repeated("123456789", 12)}-abc`],
  ["a Slack webhook", `https://hooks.slack.com/services/T0000/B0000/${repeated("xY", 24)}`],
  ["an AWS access key", `AKIA${repeated("A2B3", 16)}`],
  ["a JSON Web Token", [...jwt, repeated("sig", 12)].join(".")],
  ["an npm token", `npm_${repeated("aB3", 36)}`],
  ["credentials in JSON", '{"auths":{"ghcr.io":{"auth":"cG9zOnN3b3JkZmlzaA=="}}}'],
  ["a URL with a password", "postgres://pos:swordfish@db.example.com/pos"],
  ["a connection string with a password", "Server=db;User Id=pos;Password=swordfish;"],
];

describe("a plain-text secret", () => {
  test.each(byShape)("is %s by its shape, whatever the name", (kind, value) => {
    expect(plainTextSecret("site_code", value)).toBe(kind);
    expect(plainTextSecret("site_code", `\${X:=${value}}`)).toBe(kind);
  });

  test.each([
    "password",
    "DB_PASSWORD",
    "dbPassword",
    "dbpassword",
    "admin_pwd",
    "client_secret",
    "clientSecret",
    "SECRET_KEY",
    "api_key",
    "apikey",
    "APIKey",
    "git_pat",
    "storage_sas",
    "connectionString",
    "CONNECTION_STRING",
    "token",
    "auth_token_v2",
    "aws_secret_access_key",
    "DB_PASS",
    "key_passphrase",
    "registry_credentials",
  ])("is any value that is called %s", (name) => {
    expect(plainTextSecret(name, "swordfish")).toBe("a value that its name calls a secret");
    expect(plainTextSecret(name, 12345678)).toBe("a value that its name calls a secret");
  });

  test.each([
    ["site_code", "0042"],
    ["site_code", "DE-BER-00417-AKIA"],
    ["store_id", randomUUID()],
    ["image", "ghcr.io/stefanprodan/podinfo@sha256:" + repeated("0a1b", 64)],
    ["digest", "sha256:" + repeated("0a1b", 64)],
    ["integrity", `sha512-${repeated("aB3/", 86)}==`],
    ["revision", `main@sha1:${repeated("0a1b", 40)}`],
    ["host", "edge-device-0.stores.example.com"],
    ["endpoint", "https://edge-device-0.example.com:8443/v1?stage=prod"],
    ["repository", "ssh://git@git.example.com:22/edge/fleet.git"],
    ["mail", "ops:oncall@example.com"],
    ["ca", base64("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n")],
    ["public_key", "ssh-ed25519 " + repeated("AAAAC3Nz", 68) + " ops@example.com"],
    ["cron", "0 1 * * *"],
    ["note", "pass the salt; no password needed"],
    ["json", '{"replicas":2}'],
    ["empty", ""],
  ])("is not %s: %s", (name, value) => {
    expect(plainTextSecret(name, value)).toBeUndefined();
  });

  test.each([
    "secret_name",
    "tokenUrl",
    "PASSWORD_FILE",
    "token_ttl",
    "secretStore",
    "image_pull_secret",
    "tls_secret",
    "max_tokens",
    "use_token",
    "password_min_length",
    "secretary",
    "compass",
    "bypass",
    "tokenizer",
    "monkey",
    "path",
  ])("is not what is called %s", (name) => {
    expect(plainTextSecret(name, "swordfish")).toBeUndefined();
  });

  test.each([
    "",
    "true",
    "disabled",
    "none",
    "changeme",
    "CHANGE_ME",
    "<password>",
    "${DB_PASSWORD}",
    "${DB_PASSWORD:=}",
    "$(DB_PASSWORD)",
    "{{ .password }}",
    "xxx",
    "***",
    "vault:secret/data/pos#password",
    "ENC[AES256_GCM,data:xx]",
    "@Microsoft.KeyVault(SecretUri=https://v.vault.azure.net/secrets/x)",
  ])("is not the placeholder %o", (value) => {
    expect(plainTextSecret("password", value)).toBeUndefined();
  });

  test.each([
    "https://user:${PASS}@git.example.com",
    "https://user:<password>@git.example.com",
    "Server=db;Password=${PASS}",
  ])("is not the template %s", (value) => {
    expect(plainTextSecret("endpoint", value)).toBeUndefined();
  });

  test("is never part of what is said, and numbers and hex are none", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 20 }), (value) => {
        expect(plainTextSecret("password", value) ?? "").not.toContain(value);
      }),
    );
    const hex = fc.string({ unit: fc.constantFrom(..."0123456789abcdef"), maxLength: 128 });
    fc.assert(
      fc.property(
        fc.oneof(hex, fc.uuid(), fc.integer()),
        (value) => plainTextSecret("site", value) === undefined,
      ),
    );
  });

  test("is looked for in values of many megabytes", () => {
    const token = `ghp_${repeated("aB3", 36)}`;
    const long = "abc/ ".repeat(1 << 21);
    expect(plainTextSecret("site", long)).toBeUndefined();
    for (const value of [`${long}${token}`, base64(`${long}${token}`), `ghp_${"a".repeat(8 << 20)}`])
      expect(plainTextSecret("site", value)).toBe("a GitHub token");
    for (const value of ["a".repeat(8 << 20), `https://${"a".repeat(8 << 20)}`, `\${X:=${long}}`])
      expect(plainTextSecret("password", value)).toBe("a value that its name calls a secret");
  });

  test("is looked for without hanging on long values", () => {
    for (const unit of [
      "a",
      "-----BEGIN ",
      "https://a",
      "eyJa.",
      "eyJabcdefgh-",
      '"auths":{',
      "password=",
      "${",
      "abc8Q~",
      "A ",
    ]) {
      plainTextSecret("site", unit.repeat(20_000));
    }
  });
});
