import { describe, expect, it } from "vitest";
import type { Cluster, ClusterSecret } from "../../fleet/model.ts";
import { type Case, good, goodSpec, saidOf } from "./fixture.ts";

/* Secrets that sets name and hold. */

const till: ClusterSecret = {
  key: "till",
  name: "till",
  namespace: "flux-system",
  type: "Opaque",
  deliver: "git",
  keys: {},
};
const from = (name: string, more = {}): Case => ({
  spec: { postBuild: { ...goodSpec.postBuild, substituteFrom: [{ kind: "Secret", name, ...more }] } },
});
const heard = (sets: Readonly<Record<string, Case>>, over: Partial<Cluster>) =>
  saidOf(sets, { over }).filter((line) => /undelivered|recipient|partly/.test(line));

describe("a Secret that a set names", () => {
  it("is not looked for as long as the fleet file declares none", () => {
    expect(heard({ web: from("till") }, {})).toEqual([]);
  });

  it("is told where nothing delivers it, and not where something does", () => {
    expect(heard({ web: from("till") }, { secrets: [] })).toEqual([
      expect.stringMatching(
        /^warning undelivered-secret clusters\.a\.sets\.web: set web names Secret flux-system\/till, which nothing delivers/,
      ),
    ]);
    expect(heard({ web: from("till", { optional: true }) }, { secrets: [] })).toEqual([]);
    expect(heard({ web: from("till") }, { secrets: [till] })).toEqual([]);
    expect(heard({ web: from("till") }, { secrets: [{ ...till, deliver: "external" }] })).toEqual([]);
    const made: Case = {
      objects: {
        ...good,
        "apps/x.yaml":
          "{ apiVersion: external-secrets.io/v1, kind: ExternalSecret, metadata: { name: x, namespace: flux-system }, spec: { target: { name: till } } }",
      },
    };
    expect(heard({ web: from("till"), made }, { secrets: [] })).toEqual([]);
  });

  it("is told of kubeConfig, decryption, sources and alerts too", () => {
    const set: Case = {
      spec: {
        ...goodSpec,
        kubeConfig: { secretRef: { name: "other" } },
        decryption: { provider: "sops", secretRef: { name: "pgp" } },
      },
    };
    const secretRef = { name: "hook" };
    const over: Partial<Cluster> = {
      secrets: [],
      sources: [
        { name: "charts", kind: "OCIRepository", self: false, spec: { certSecretRef: { name: "ca" } } },
        { name: "store", kind: "Bucket", self: false, spec: { sts: { secretRef: { name: "ldap" } } } },
      ],
      alerts: [{ name: "ops", provider: { type: "slack", secretRef }, spec: {}, sets: ["web"] }],
    };
    const said = heard({ web: set, bootstrap: { objects: {}, spec: {} } }, over).join("\n");
    for (const part of [
      "set web names Secret flux-system/other",
      "flux-system/pgp",
      "source charts names Secret flux-system/ca",
      "source store names Secret flux-system/ldap",
      "alert ops names Secret flux-system/hook",
    ])
      expect(said).toContain(part);
  });
});

describe("an encrypted file of a set", () => {
  const [own, other] = ["age1own", "age1other"];
  const sealed = (...keys: readonly string[]): Case => ({
    objects: {
      ...good,
      "apps/web/s.yaml": `{ apiVersion: v1, kind: Secret, metadata: { name: pin, namespace: shop }, data: { pin: "ENC[AES256_GCM,data:x]" }, sops: { mac: x, age: [${keys.map((key) => `{ recipient: ${key} }`).join(", ")}] } }`,
    },
    spec: { ...goodSpec, decryption: { provider: "sops", secretRef: { name: "sops-age" } } },
  });
  const over = { recipient: own, knownRecipients: new Set([own]) };

  it("is for the keys of the fleet, and for the clusters that apply it", () => {
    expect(heard({ web: sealed(own) }, over)).toEqual([]);
    expect(heard({ web: sealed(other) }, {})).toEqual([]);
    expect(heard({ web: sealed(own, other) }, over)).toEqual([
      expect.stringContaining(
        "apps/web/s.yaml: Secret shop/pin is encrypted for age1other too, which no cluster has",
      ),
    ]);
    expect(
      heard({ web: sealed("age1ops") }, { ...over, knownRecipients: new Set([own, "age1ops"]) }),
    ).toEqual([
      expect.stringContaining("is not encrypted for the key of a, so Flux cannot decrypt it there"),
    ]);
  });

  it("leaves no value open", () => {
    const open = {
      ...sealed(own).objects,
      "apps/web/t.yaml":
        "{ apiVersion: v1, kind: Secret, metadata: { name: t, namespace: shop }, stringData: { a: 'ENC[x', b: open-canary }, sops: { mac: x } }",
    };
    const said = heard({ web: { ...sealed(own), objects: open } }, over);
    expect(said).toEqual([
      expect.stringMatching(
        /^warning partly-encrypted .*Secret shop\/t has values in plain text although it is encrypted: b;/,
      ),
    ]);
    expect(said.join()).not.toContain("open-canary");
  });
});
