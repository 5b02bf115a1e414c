import { describe, expect, test } from "vitest";

import { noPlainTextSecret } from "../../../policy/checks/noPlainTextSecret.ts";
import { checkResource, gitFilesType, goodFiles } from "../fixtures.ts";

// Put together here, so that no scanner takes this file for a leak.
const token = `ghp_${"a1B2".repeat(9)}`;
const key = `-----BEGIN RSA ${"PRIVATE"} KEY-----\nMIIEowIBAAKCAQEA\n-----END RSA ${"PRIVATE"} KEY-----\n`;
const base64 = (text: string): string => Buffer.from(text).toString("base64");

const object = (kind: string, apiVersion: string, more: object): string =>
  JSON.stringify({ apiVersion, kind, metadata: { name: "x" }, ...more });
const map = (value: string, name = "a") => object("ConfigMap", "v1", { data: { [name]: value } });
const release = (values: object) =>
  object("HelmRelease", "helm.toolkit.fluxcd.io/v2", { spec: { interval: "10m", values } });
const env = [{ name: "DB_PASSWORD", value: "swordfish" }];
const patch = JSON.stringify([{ op: "add", path: "/stringData/pin", value: "swordfish" }]);

const check = async (files: Record<string, string>, more: object = {}) =>
  (await checkResource(noPlainTextSecret, gitFilesType, { ...goodFiles(), files, ...more }, {})).violations;

describe("no-plain-text-secret finds one", () => {
  test.each<[where: string, file: string, said: string]>([
    ["in a ConfigMap", map(token), "data.a of ConfigMap 'x' in file 'flux/a.yaml' holds a GitHub token"],
    ["by the name of a ConfigMap's key", map("swordfish", "DB_PASSWORD"), "data.DB_PASSWORD of"],
    ["in lines of a text", map("A=1\nDB_PASSWORD=swordfish\n"), "data.a of"],
    ["in YAML in a text", map("db:\n  password: swordfish\n"), "data.a of"],
    ["in JSON in a text", map(JSON.stringify({ db: { clientSecret: "swordfish" } })), "data.a of"],
    ["in JSON in JSON", map(JSON.stringify({ a: JSON.stringify({ b: token }) })), "holds a GitHub token"],
    ["in base64 of lines", map(base64(`A=1\nB=${token}\n`)), "holds a GitHub token"],
    ["in base64 over lines", map(base64(key).replace(/.{20}/g, "$&\n")), "holds a private key"],
    ["in base64 of base64", map(base64(base64(token))), "holds a GitHub token"],
    ["in base64 in JSON in a text", map(JSON.stringify({ a: base64(token) })), "holds a GitHub token"],
    ["in base64 for URLs", map(Buffer.from(`${token}???>>>`).toString("base64url")), "holds a GitHub token"],
    [
      "in binary data",
      object("ConfigMap", "v1", { binaryData: { a: base64(key) } }),
      "binaryData.a of ConfigMap 'x'",
    ],
    [
      "in an annotation",
      object("ConfigMap", "v1", { metadata: { annotations: { a: token } } }),
      "annotations.a",
    ],
    ["in a comment", `# ${token}\n${map("b")}`, "a text of file 'flux/a.yaml' holds a GitHub token"],
    ["in a document that is no object", `a: ${token}\n`, "a text of file 'flux/a.yaml'"],
    ["in a URL in escapes", map("https%3A%2F%2Fme%3Aswordfish%40db.example.com"), "a URL with a password"],
    [
      "behind an escaped colon",
      object("GitRepository", "source.toolkit.fluxcd.io/v1", {
        spec: { url: "https://me%3Aswordfish@h/a.git" },
      }),
      "spec.url of GitRepository 'x' in file 'flux/a.yaml' holds a URL with a password",
    ],
    [
      "in the environment of a Deployment",
      object("Deployment", "apps/v1", { spec: { template: { spec: { containers: [{ env }] } } } }),
      "spec.template.spec.containers.0.env.0.value of Deployment 'x'",
    ],
    [
      "in an environment among a chart's values",
      release({ extraEnv: env }),
      "spec.values.extraEnv.0.value of",
    ],
    [
      "in a Deployment that is a text",
      release({ more: `env:\n- name: PIN_PASSWORD\n  value: fish\n` }),
      "values.more",
    ],
    [
      "in a Secret among a chart's values",
      release({ extra: [{ apiVersion: "v1", kind: "Secret", stringData: { pin: "swordfish" } }] }),
      "spec.values.extra.0.stringData.pin of HelmRelease 'x' in file 'flux/a.yaml' holds a value of a Secret",
    ],
    ["as a number", release({ password: 12345678 }), "spec.values.password of"],
    ["in a list", release({ passwords: ["swordfish"] }), "spec.values.passwords.0 of"],
    [
      "in a patch after rendering",
      object("HelmRelease", "helm.toolkit.fluxcd.io/v2", {
        spec: { postRenderers: [{ kustomize: { patches: [{ target: { kind: "Secret" }, patch }] } }] },
      }),
      "patches.0.patch, stringData.pin of HelmRelease 'x'",
    ],
    [
      "in a list of Secrets",
      JSON.stringify({
        apiVersion: "v1",
        kind: "SecretList",
        items: [{ metadata: { name: "x" }, data: { a: "MDA0Mg==" } }],
      }),
      "data.a of Secret 'x'",
    ],
    [
      "in a Secret that only says that it is encrypted",
      object("Secret", "v1", {
        stringData: { a: "swordfish", b: "ENC[AES256_GCM,data:x]" },
        sops: { mac: "x" },
      }),
      "stringData.a of Secret 'x'",
    ],
    [
      "that kustomize makes",
      "secretGenerator: [{ name: a, literals: [pin=swordfish] }]\n",
      "secretGenerator.0.literals.pin",
    ],
    [
      "that kustomize puts into a ConfigMap",
      object("Kustomization", "kustomize.config.k8s.io/v1beta1", {
        configMapGenerator: [{ name: "a", literals: ["DB_PASSWORD=swordfish", "site=7"] }],
      }),
      "configMapGenerator.0.literals.DB_PASSWORD",
    ],
  ])("%s", async (_, file, said) => {
    const violations = await check({ "flux/a.yaml": file });
    expect(violations).toEqual([expect.stringContaining(said)]);
    expect(violations.join()).not.toMatch(/swordfish|ghp_|MDA0|MIIE/);
  });

  test("in a file that is no YAML, and in what the commit says", async () => {
    const said = "a text of file 'apps/values.env' holds a GitHub token";
    expect(await check({ "apps/values.env": `A=${token}\n` })).toEqual([expect.stringContaining(said)]);
    expect(await check({}, { message: `Rotate ${token}` })).toEqual([
      expect.stringContaining("message of 'edge-0' holds a GitHub token"),
    ]);
  });
});

test.each<[what: string, file: string]>([
  [
    "names of Secrets",
    release({
      secretName: "db",
      existingSecret: "db",
      imagePullSecrets: [{ name: "a" }],
      secrets: ["db-cert"],
    }),
  ],
  ["switches and small numbers", release({ auth: { password: true, token: 5 }, env: { tokenTtl: "3600" } })],
  [
    "references",
    release({ env: [{ name: "PASSWORD", valueFrom: { secretKeyRef: { name: "a", key: "password" } } }] }),
  ],
  [
    "a script that reads it",
    map('PASSWORD=$(cat /run/secret)\nexport TOKEN="$1"\n# password: in the safe\n'),
  ],
  ["settings about one", map("password_file: /run/secrets/db\ntoken.ttl=3600\n", "app.conf")],
  [
    "an encrypted Secret",
    object("Secret", "v1", { data: { a: "ENC[AES256_GCM,data:x]" }, sops: { mac: "x" } }),
  ],
  [
    "a role on Secrets",
    object("ClusterRole", "rbac.authorization.k8s.io/v1", { rules: [{ resources: ["secrets"] }] }),
  ],
  ["a path as long as a token", map("./clusters/store-0001-north/sets/point-of-sale-terminal")],
])("no-plain-text-secret passes %s", async (_, file) => {
  expect(await check({ "flux/a.yaml": file })).toEqual([]);
});
