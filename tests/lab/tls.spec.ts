import { createPrivateKey, createPublicKey, sign, verify } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { tlsStandIn } from "../../lab/providers/tlsStandIn.ts";
import { agentKeyFault } from "../../lab/azure/agentKey.ts";
import type { Connection, Values } from "./providerClient.ts";
import { ProviderClient } from "./providerClient.ts";

let client: ProviderClient;
let tls: Connection;
const type = "tls:index/privateKey:PrivateKey";

beforeAll(async () => {
  client = await ProviderClient.start(() => tlsStandIn());
  tls = client.connect();
});
afterAll(() => client.close());

it("makes a key pair of the size asked for, the private halves secret", async () => {
  const { id, outputs } = await tls.create(type, { algorithm: "RSA", rsaBits: 4096 });
  expect(id).toMatch(/^[0-9a-f]{40}$/);
  const [pem, pkcs8] = ["privateKeyPem", "privateKeyPemPkcs8"].map(
    (key) => (outputs[key] as Values)["value"],
  );
  expect(pem).toMatch(/^-----BEGIN RSA PRIVATE KEY-----\n/);
  expect(pkcs8).toMatch(/^-----BEGIN PRIVATE KEY-----\n/);
  expect(outputs["publicKeyPem"]).toMatch(/^-----BEGIN PUBLIC KEY-----\n/);
  const publicKey = createPublicKey(outputs["publicKeyPem"] as string);
  const signature = sign("sha256", Buffer.from("hello"), createPrivateKey(pem as string));
  expect(verify("sha256", Buffer.from("hello"), publicKey, signature)).toBe(true);
  // The conversion that Arc needs is taken by the lab's Azure.
  expect(
    agentKeyFault(publicKey.export({ type: "pkcs1", format: "der" }).toString("base64")),
  ).toBeUndefined();
});

it("makes 2048 bits when no size is given, and an OpenSSH key that fits", async () => {
  const { outputs } = await tls.create(type, { algorithm: "RSA" });
  const key = createPublicKey(outputs["publicKeyPem"] as string);
  expect(key.asymmetricKeyDetails?.modulusLength).toBe(2048);
  const [kind, blob = ""] = (outputs["publicKeyOpenssh"] as string).trim().split(" ");
  expect(kind).toBe("ssh-rsa");
  const bytes = Buffer.from(blob, "base64");
  // 4+7 "ssh-rsa", 4+3 exponent 65537, 4+257 modulus with a leading zero.
  expect(bytes.length).toBe(279);
  expect(bytes.subarray(15, 18).toString("hex")).toBe("010001");
  expect(bytes.subarray(23).toString("base64url")).toBe(key.export({ format: "jwk" }).n);
});

it("refuses what the lab has not", async () => {
  expect((await tls.check(type, { algorithm: "ED25519" })).failures).toEqual([
    '"ED25519" keys are not in the lab; RSA is.',
  ]);
  expect((await tls.check(type, { algorithm: "RSA", rsaBits: "big" })).failures[0]).toContain(
    "not a key size",
  );
  expect((await tls.check("tls:index/selfSignedCert:SelfSignedCert", {})).failures[0]).toContain(
    "is not in the lab",
  );
});

it("makes another key for other inputs", async () => {
  const diff = await tls.diff(type, { algorithm: "RSA", rsaBits: 2048 }, { algorithm: "RSA", rsaBits: 4096 });
  expect(diff).toMatchObject({ replaces: ["rsaBits"] });
});
