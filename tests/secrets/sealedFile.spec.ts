import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

import type { ClusterSecret } from "../../fleet/model.ts";
import { sealedFile, versionOf } from "../../secrets/index.ts";
import { sealingKeyFault } from "../../secrets/sealingKey.ts";
import { identitiesIn, makeAgeKeyPair, recipientFault, recipientOfIdentity } from "../../values/ageKey.ts";
import { openSecret } from "./open.ts";

const sealingKey = "8V1yQ0q1nq3b5x7TtP2mJ6cZ0aKfWuLsEoRgHdYiXvM=";
const secret: ClusterSecret = {
  key: "till-api",
  name: "till-api",
  namespace: "pos",
  type: "Opaque",
  deliver: "git",
  keys: {},
};
// The private key is 32 bytes 0x42.
const identity = "AGE-SECRET-KEY-1GFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPQ4EGAEX";
const recipient = "age1zvkyg2lqzraa2lnjvqej32nkuu0ues2s82hzrye869xeexvn73equnujwj";
const values = { token: "hunter2-in-git", empty: "", odd: "grüße 🎉\n: [" };

const seal = (of = values, recipients = [recipient], key = sealingKey) =>
  sealedFile(secret, of, { recipients, sealingKey: key });

describe("a sealed file", () => {
  it("is opened by the identity of its recipient, and by no other", () => {
    expect(recipientOfIdentity(identity)).toBe(recipient);
    expect(openSecret(seal(), identity)).toEqual(values);
    expect(() => openSecret(seal(), makeAgeKeyPair().identity)).toThrow("opens none of it");
    const other = makeAgeKeyPair();
    const both = seal(values, [other.recipient, recipient]);
    expect(openSecret(both, identity)).toEqual(openSecret(both, other.identity));
  });

  // These very bytes were read by sops 3.13.2 with `sops --decrypt`; tests/e2e has real Flux read others.
  it("is the same in every run and on every machine", () => {
    expect(createHash("sha256").update(seal()).digest("hex")).toBe(
      "db0a74f50ed67d1bc79f137872e2e8ea904eff8886d83a029d83c4a3242d6520",
    );
    expect(seal()).toBe(seal({ odd: values.odd, empty: "", token: values.token }));
  });

  it("is another one for other values, recipients and sealing keys, in every part that is encrypted", () => {
    const { recipient: second } = makeAgeKeyPair();
    const all = [
      seal(),
      seal({ ...values, empty: "x" }),
      seal(values, [recipient, second]),
      seal(values, [recipient], `${sealingKey}x`),
    ];
    const parts = all.map((text) => [...text.matchAll(/iv:([^,]+)/g)].map(([, iv]) => iv));
    const ivs = parts.flat();
    expect(new Set(ivs).size).toBe(ivs.length);
  });

  it("shows names, type and version, and no value in any form", () => {
    const text = seal();
    expect(text).toContain("kind: Secret\nmetadata:\n  name: till-api\n  namespace: pos\n");
    for (const value of [values.token, values.odd])
      for (const form of [value, Buffer.from(value).toString("base64"), encodeURIComponent(value)])
        expect(text).not.toContain(form);
  });

  it("gives back any values", () => {
    const key = fc.stringMatching(/^[-._A-Za-z0-9]{1,20}$/).filter((name) => name !== "__proto__");
    fc.assert(
      fc.property(fc.dictionary(key, fc.string({ unit: "binary" })), (any) => {
        const text = { ...any };
        const sound = Object.fromEntries(
          Object.entries(text).map(([name, value]) => [name, Buffer.from(value).toString()]),
        );
        expect(openSecret(seal(sound as typeof values), identity)).toEqual(sound);
      }),
      { numRuns: Number(process.env["ARCFLUX_TEST_RUNS"] ?? 40) },
    );
  });
});

describe("the version of a secret", () => {
  it("is the same wherever the values are, and tells nothing without the key", () => {
    const version = versionOf(secret, values, sealingKey);
    expect(version).toMatch(/^[0-9a-f]{12}$/);
    expect(versionOf({ ...secret, namespace: "other" }, values, sealingKey)).toBe(version);
    expect(versionOf(secret, { ...values, token: "x" }, sealingKey)).not.toBe(version);
    expect(versionOf(secret, values, `${sealingKey}x`)).not.toBe(version);
  });
});

describe("keys", () => {
  it("of age are told from what is none, without a part of them", () => {
    expect(recipientFault(recipient)).toBeUndefined();
    expect(recipientFault(recipient.replace("z", "q"))).toContain("is not a public key of age");
    expect(recipientFault(identity)).toContain("is a private key of age; take it out");
    expect(recipientFault(identity)).not.toContain(identity.slice(20, 40));
    expect(identitiesIn(`# created: now\n# public key: ${recipient}\n${identity}\n`)).toEqual([identity]);
    const made = makeAgeKeyPair();
    expect(recipientOfIdentity(made.identity)).toBe(made.recipient);
  });

  it("to seal with have to be long and random", () => {
    expect(sealingKeyFault(sealingKey)).toBeUndefined();
    expect(sealingKeyFault(undefined)).toContain("openssl rand -base64 32 | pulumi config set --secret");
    for (const weak of ["hunter2", "a".repeat(60)]) {
      expect(sealingKeyFault(weak)).toContain("too short to be random");
      expect(sealingKeyFault(weak)).not.toContain(weak);
    }
  });
});
