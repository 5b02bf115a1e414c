import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { startVault } from "../../lab/azure/vault.ts";
import { readPlaces, sealedFile, sourceReader } from "../../secrets/index.ts";
import type { ValueSource } from "../../fleet/model.ts";
import { makeAgeKeyPair } from "../../values/ageKey.ts";

/* Places that values are read from: a stand-in for Key Vault, and for the user's own sops. */

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "arcflux-sources-"));
});
afterAll(() => rm(dir, { recursive: true }));

/** Reads places as an update does: their values in order, or what was wrong. */
async function read(places: readonly ValueSource[], env: NodeJS.ProcessEnv = {}) {
  const reader = sourceReader({
    fleetFile: join(dir, "fleet.yaml"),
    // A token of any kind will do on loopback.
    env: { PATH: `${dir}:${process.env["PATH"]}`, ARCFLUX_ARM_ENDPOINT: "http://127.0.0.1:9", ...env },
    config: () => undefined,
  });
  const { valueOf, faults } = await readPlaces(
    places.map((place) => [place, "till of one"]),
    reader,
  );
  return { values: places.map(valueOf), faults };
}

describe("Azure Key Vault", () => {
  const canary = "canary-vault-7";
  const at = (secret: string, vault = "kv-edge"): ValueSource => ({ keyVault: { vault, secret } });

  it("is asked for each secret once, and again while it throttles", async () => {
    const vault = await startVault({ "kv-edge": { "till-cert": canary } }, { throttle: 2 });
    const { values, faults } = await read([at("till-cert"), at("till-cert")], {
      ARCFLUX_VAULT_URL: vault.url,
    });
    expect([values, faults]).toEqual([[canary, canary], []]);
    expect(vault.requests).toEqual(Array(3).fill("GET /kv-edge/secrets/till-cert?api-version=7.4"));
    await vault.close();
  });

  it("is told of with the way on, once for each place, and never with a value", async () => {
    const vault = await startVault({
      "kv-edge": {
        good: canary,
        off: { refusal: "SecretDisabled" },
        theirs: { refusal: "ForbiddenByRbac" },
        far: { refusal: "ForbiddenByFirewall" },
      },
    });
    const places = [
      at("good"),
      at("gone"),
      at("off"),
      at("theirs"),
      at("far"),
      at("a_b"),
      at("x", "kv-none"),
    ];
    const { values, faults } = await read(places, { ARCFLUX_VAULT_URL: vault.url });
    await vault.close();
    expect(values).toEqual([canary, ...Array<undefined>(6).fill(undefined)]);
    expect(faults).toEqual([
      "till of one: secret a_b of vault kv-edge cannot be read: HTTP 400 BadParameter. Names in Key Vault have letters, digits and '-'. Correct it in the fleet file.",
      "till of one: secret far of vault kv-edge cannot be read: HTTP 403 ForbiddenByFirewall. The firewall of the vault refuses this machine: let its address in.",
      "till of one: secret gone of vault kv-edge is missing or empty. Set it: az keyvault secret set --vault-name kv-edge --name gone --file …",
      "till of one: secret off of vault kv-edge cannot be read: HTTP 403 SecretDisabled. It is disabled: enable it in the vault.",
      "till of one: secret theirs of vault kv-edge cannot be read: HTTP 403 ForbiddenByRbac. Give your identity the role Key Vault Secrets User.",
      expect.stringMatching(
        /^till of one: secret x of vault kv-none cannot be read: 127\.0\.0\.1:\d+ does not answer \(\w+\)\. Check vault, network and proxy\.$/,
      ),
    ]);
  });

  it("gets the token over TLS alone", async () => {
    const { faults } = await read([at("a")], { ARCFLUX_VAULT_URL: "http://vault.example.com" });
    expect(faults).toEqual([
      "till of one: secret a of vault kv-edge cannot be read: ARCFLUX_VAULT_URL is not https://; a token goes there.",
    ]);
  });
});

describe("sops", () => {
  const { identity, recipient } = makeAgeKeyPair();
  const sops = join(import.meta.dirname, "sopsStandIn.ts");
  const place = (key: string, file = "till.enc.yaml"): ValueSource => ({ sops: { file, key } });
  const program = (text: string) => writeFile(join(dir, "sops"), text, { mode: 0o755 });

  it("decrypts a file once, by the key that the user's environment has", async () => {
    await program(`#!/bin/sh\necho run >> ${join(dir, "runs")}\nexec node ${sops} "$@"\n`);
    const secret = {
      key: "till",
      name: "till",
      namespace: "pos",
      type: "Opaque",
      deliver: "git",
      keys: {},
    } as const;
    const sealed = { recipients: [recipient], sealingKey: "8V1yQ0q1nq3b5x7TtP2mJ6cZ0aKfWuLsEoRgHdYiXvM=" };
    await writeFile(
      join(dir, "till.enc.yaml"),
      sealedFile(secret, { token: "canary-1", pin: "0042" }, sealed),
    );
    const env = { SOPS_AGE_KEY: identity };
    const { values, faults } = await read(
      [place("data.token"), place("data.pin"), place("metadata.name")],
      env,
    );
    expect(faults).toEqual([]);
    expect(values).toEqual([
      Buffer.from("canary-1").toString("base64"),
      Buffer.from("0042").toString("base64"),
      "till",
    ]);
    expect((await read([place("data.none")], env)).faults).toEqual([
      "till of one: data.none of till.enc.yaml is missing or empty. Correct file or key in the fleet file.",
    ]);
    expect((await read([place("data.pin")])).faults).toEqual([
      `till of one: data.pin of till.enc.yaml cannot be read: sops ended with 128. See why: sops --decrypt ${join(dir, "till.enc.yaml")} >/dev/null`,
    ]);
    expect((await read([place("a", "none.yaml")], env)).faults[0]).toContain("sops ended with 100");
  });

  it("that is not there, or prints no JSON, is told of without what it printed", async () => {
    expect((await read([place("a")], { PATH: "/nowhere" })).faults).toEqual([
      "till of one: a of till.enc.yaml cannot be read: there is no sops on PATH. Install it (https://getsops.io).",
    ]);
    await program("#!/bin/sh\necho canary: value\n");
    expect((await read([place("a")])).faults).toEqual([
      `till of one: a of till.enc.yaml cannot be read: what sops printed is no JSON. Look with: sops --decrypt --output-type json ${join(dir, "till.enc.yaml")}`,
    ]);
  });
});
