import { describe, expect, it } from "vitest";
import { renderClusterFolder } from "../../flux/folder.ts";
import { findingsOf, fleetText, mustLoad } from "./fixture.ts";

const recipient = "age1zvkyg2lqzraa2lnjvqej32nkuu0ues2s82hzrye869xeexvn73equnujwj";
const vault = (secret: string, name = "kv-edge") => `{ keyVault: { vault: ${name}, secret: ${secret} } }`;
const identity = "identity: { clientId: c, tenantId: t }";

const fleet = (secrets: string, cluster = `recipient: ${recipient}`) =>
  fleetText({ top: `secrets:\n  ${secrets.replaceAll("\n", "\n  ")}`, cluster });

describe("secrets of the fleet file", () => {
  it("warn of a key that opens the secrets of other clusters, once for all that have it", () => {
    const other = "age1lggyhqrw2nlhcxprm67z43rta597azn8gknawjehu9d9dl0jq3yqqvfafg";
    const text = `${fleet("s: { keys: { a: { env: A } } }").replace("secrets:", `recipients: [${other}]\nsecrets:`)}
  edge-1: { agents: present, recipient: ${recipient} }
  edge-2: { agents: present, recipient: ${recipient}, lifecycle: retired }
  edge-3: { agents: present, recipient: ${other} }
`;
    expect(findingsOf(text).filter((line) => line.includes("recipient"))).toEqual([
      expect.stringMatching(
        /^fleet\.yaml:\d+:\d+: warning: clusters\.edge-0\.recipient: is the key of edge-1 too, so that a stolen device reads the secrets of all of them;/,
      ),
      expect.stringMatching(/clusters\.edge-3\.recipient: is among recipients too, so that edge-3 reads/),
    ]);
  });

  it.each<[string, string, string]>([
    ["no keys", "s: {}", "secrets.s: has no keys; write where each value comes from"],
    ["two places", "s: { keys: { a: { env: A, config: b } } }", "secrets.s.keys.a: has to say one place"],
    ["a value", "s: { keys: { a: hunter2 } }", "secrets.s.keys.a"],
    ["a key of its own", "s: { keys: { a/b: { env: A } } }", "a key of a Secret has 1 to 200 letters"],
    ["external with keys", "s: { external: true, keys: { a: { env: A } } }", "drop keys, or drop external"],
    [
      "no kubeconfig",
      "s: { deliver: pulumi, keys: { a: { env: A } } }",
      "secrets.s.deliver: pulumi needs a kubeconfig",
    ],
    [
      "no vault",
      `s: { deliver: csi, ${identity}, keys: { a: { env: A } } }`,
      "have to come from one Key Vault",
    ],
    [
      "two vaults",
      `s: { deliver: csi, ${identity}, keys: { a: ${vault("a")}, b: ${vault("b", "kv-2")} } }`,
      "from one Key Vault",
    ],
    [
      "no identity",
      `s: { deliver: externalSecrets, keys: { a: ${vault("a")} } }`,
      "externalSecrets needs identity",
    ],
    [
      "a version for nothing",
      "s: { version: 2, keys: { a: { env: A } } }",
      "version: stands nowhere in keys",
    ],
    ["no version", 's: { keys: { a: { env: "A_{version}" } } }', "name {version}; write version: 1"],
    [
      "the same version",
      's: { version: 1, previous: 1, keys: { a: { env: "A{version}" } } }',
      "has to be another version",
    ],
    [
      "an unknown attribute",
      's: { keys: { a: { env: "A_{slot}" } } }',
      "name {slot}, which is no attribute or label there",
    ],
    [
      "one Secret twice",
      "s: { name: x, keys: { a: { env: A } } }\nx: { keys: { a: { env: A } } }",
      "is the Secret flux-system/x, as s is",
    ],
    ["the cluster's key", "sops-age: { keys: { a: { env: A } } }", "holds the cluster's own key"],
    [
      "nobody",
      "s: { match: { kind: store }, keys: { a: { env: A } } }",
      "warning: secrets.s: is for no cluster",
    ],
  ])("with %s is told", (_, secrets, message) => {
    const said = findingsOf(fleet(secrets)).join("\n");
    expect(said).toContain(message);
    expect(said).not.toContain("hunter2");
  });

  it("leaves a set called secrets alone as long as none is declared", () => {
    expect(findingsOf(fleetText({ cluster: "sets: { secrets: {} }" }))).toEqual([]);
    expect(
      findingsOf(
        fleet("s: { keys: { a: { env: A } } }", `recipient: ${recipient}\nsets: { secrets: {} }`),
      ).join(),
    ).toContain("has the name of the Kustomization that applies `secrets`");
  });

  it("keeps sets and the flux folder out of the folder of secrets, and of that one alone", () => {
    const findings = (layout: string) =>
      findingsOf(
        fleetText({
          top: `layout: ${layout}\nsecrets: { s: { keys: { a: { env: A } } } }`,
          cluster: `recipient: ${recipient}`,
        }),
      );
    const taken = (field: string): unknown =>
      expect.stringContaining(`layout.${field}: is where encrypted secrets are written`);
    expect(findings("{ sets: secrets/own }")).toEqual([taken("sets")]);
    expect(findings("{ flux: secrets }")).toEqual([taken("flux")]);
    expect(findings("{ sets: secrets-of-sets, flux: secrets-of-flux }")).toEqual([]);
  });

  it("refuses a private key where the public one belongs, and does not repeat it", () => {
    const key = "AGE-SECRET-KEY-1GFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPQ4EGAEX";
    const said = findingsOf(fleet("s: { keys: { a: { env: A } } }", `recipient: ${key}`)).join("\n");
    expect(said).toContain("clusters.edge-0.recipient: is a private key of age; take it out");
    expect(said).not.toContain("GFPYY");
  });

  it("fills names in for each cluster, both versions while a rotation is under way", () => {
    const [cluster] = mustLoad(
      fleet(
        's: { version: 2, previous: 1, keys: { a: { env: "A_{slot}_{version}" } } }',
        `recipient: ${recipient}\nattributes: { slot: blue }`,
      ),
    ).clusters;
    expect(cluster?.secrets?.[0]?.keys).toEqual({
      a: { env: "A_blue_2" },
      "a.previous": { env: "A_blue_1" },
    });
  });

  it("lets the cluster fetch from Key Vault by objects without a value", () => {
    const [cluster] = mustLoad(
      fleet(
        `es: { namespace: pos, deliver: externalSecrets, ${identity}, keys: { token: ${vault(`"till-{cluster}"`)} } }\n` +
          `csi: { deliver: csi, ${identity}, keys: { token: ${vault("till")} } }`,
        "",
      ),
    ).clusters;
    const files = renderClusterFolder(cluster!);
    expect(Object.keys(files)).toEqual([
      "flux/secrets.yaml",
      "secrets/namespaces.yaml",
      "secrets/csi.yaml",
      "secrets/es.yaml",
    ]);
    expect(files["flux/secrets.yaml"]).not.toContain("decryption");
    expect(files["secrets/es.yaml"]).toContain("key: till-edge-0");
    expect(files["secrets/es.yaml"]).toContain("azure.workload.identity/client-id: c");
    expect(files["secrets/csi.yaml"]).toContain(
      'objects: "array:\\n  - |\\n    objectName: till\\n    objectType: secret\\n"',
    );
  });
});
