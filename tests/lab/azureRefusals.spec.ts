import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { rmSync } from "node:fs";
import path from "node:path";
import { change, goodCluster, goodExtension, goodFlux, publicKey, types } from "./azureFixtures.ts";
import type { Connection, Values } from "./providerClient.ts";
import { ProviderClient } from "./providerClient.ts";

let client: ProviderClient;
let azure: Connection;

beforeAll(async () => {
  client = await ProviderClient.startAzure();
  azure = client.connect();
});
afterAll(() => client.close());
beforeEach(() => rmSync(path.join(client.dir, "azure"), { recursive: true, force: true }));

type Case = readonly [what: string, place: string, value: unknown, complaint: string | RegExp];

const smallKey = publicKey(2048);
const spkiKey = publicKey(4096, "spki");

const clusterCases: readonly Case[] = [
  ["a name with a dot", "clusterName", "edge.0", "a cluster name has 1 to 63"],
  ["a name of 64 characters", "clusterName", "e".repeat(64), "a cluster name has 1 to 63"],
  ["no location", "location", undefined, "LocationRequired"],
  ["a location that is none", "location", "west/europe", "LocationNotAvailableForResourceType"],
  ["a group with a period at its end", "resourceGroupName", "rg.", "InvalidResourceGroup"],
  ["an identity of another type", "identity.type", "UserAssigned", "'UserAssigned' is not allowed"],
  ["an identity without type", "identity", {}, "identity.type: The property is required"],
  ["another link state", "privateLinkState", "enabled", "Allowed are Enabled, Disabled"],
  ["another hybrid benefit", "azureHybridBenefit", "Yes", "'Yes' is not allowed"],
  ["another agent upgrade", "arcAgentProfile", { agentAutoUpgrade: "Off" }, "'Off' is not allowed"],
  ["a tag name with a slash", "tags", { "a/b": "c" }, "A tag name has"],
  ["a tag that is no text", "tags", { owner: 7 }, "7 is not a string"],
  ["a tag value of 257 characters", "tags", { owner: "x".repeat(257) }, "256 are allowed"],
  ["an empty key", "agentPublicKeyCertificate", "", "MissingProperty"],
  ["a key that is no base64", "agentPublicKeyCertificate", "not base64!", "not base64"],
  ["a key in PEM", "agentPublicKeyCertificate", "-----BEGIN RSA PUBLIC KEY-----", "The value is PEM"],
  ["a key in SPKI form", "agentPublicKeyCertificate", spkiKey, "SPKI"],
  ["a key of 2048 bits", "agentPublicKeyCertificate", smallKey, "2048 bits; 4096 are required"],
  ["base64 that is no key", "agentPublicKeyCertificate", "aGVsbG8=", "not an RSA public key"],
];

const extensionCases: readonly Case[] = [
  ["a name with an underscore", "extensionName", "my_flux", "an extension name has"],
  ["no type", "extensionType", undefined, "properties.extensionType: The property is required"],
  ["a version with automatic upgrades", "version", "1.24.1", "only with autoUpgradeMinorVersion false"],
  ["a release train of its own", "releaseTrain", "Nightly", "'Nightly' is not allowed"],
  ["an identity of another type", "identity.type", "None", "'None' is not allowed"],
  ["flux in one namespace", "scope", { namespace: { targetNamespace: "a" } }, "whole cluster only"],
  ["flux in another namespace", "scope.cluster.releaseNamespace", "flux", "installed in flux-system"],
  ["both scopes", "scope.namespace", { targetNamespace: "a" }, "and not both"],
  [
    "a setting that is no text",
    "configurationSettings",
    { "multiTenancy.enforce": true },
    "true is not a string",
  ],
  ["a cluster of another kind", "clusterRp", "Microsoft.ContainerService", "connectedClusters only"],
];

const git = "gitRepository";
const protectedSettings = "configurationProtectedSettings";
const boot = "kustomizations.bootstrap";

const fluxCases: readonly Case[] = [
  ["a name in capitals", "fluxConfigurationName", "Edge", "a configuration name has"],
  ["a namespace in capitals", "namespace", "Flux", "a namespace has"],
  ["another scope", "scope", "Cluster", "'Cluster' is not allowed"],
  ["another source kind", "sourceKind", "HelmRepository", "'HelmRepository' is not allowed"],
  ["a bucket beside git", "bucket", { url: "https://b" }, "not allowed with sourceKind 'GitRepository'"],
  ["no source", git, undefined, "properties.gitRepository: The property is required"],
  ["no URL", `${git}.url`, "", "properties.gitRepository.url: The property is required"],
  ["a URL of another scheme", `${git}.url`, "file:///fleet.git", "must start with http://"],
  ["no ref", `${git}.repositoryRef`, {}, "none is given"],
  ["two refs", `${git}.repositoryRef`, { branch: "a", tag: "b" }, "branch and tag are given"],
  ["an interval of zero", `${git}.syncIntervalInSeconds`, 0, "0 is not a whole number of seconds"],
  ["a timeout of half a second", `${git}.timeoutInSeconds`, 0.5, "0.5 is not a whole number"],
  ["an interval beyond the bound", `${git}.syncIntervalInSeconds`, 35_791_395, "from 1 to 35791394"],
  ["a certificate that is no base64", `${git}.httpsCACert`, "-----BEGIN", "must be base64"],
  ["a user without a key", protectedSettings, {}, "httpsUser is given without httpsKey"],
  ["a key without a user", `${git}.httpsUser`, undefined, "httpsKey is given without httpsUser"],
  ["a key that is no base64", `${protectedSettings}.httpsKey`, "a token", "must be base64"],
  [
    "an unknown protected setting",
    `${protectedSettings}.password`,
    "YQ==",
    "Known are httpsKey, sshPrivateKey",
  ],
  ["SSH and HTTPS credentials", `${protectedSettings}.sshPrivateKey`, "YQ==", "exclude each other"],
  [
    "HTTPS credentials for SSH",
    `${git}.url`,
    "git@example.com:edge/fleet.git",
    "need a URL that starts with https://",
  ],
  ["known hosts for HTTPS", `${git}.sshKnownHosts`, "YQ==", "SSH credentials need a URL"],
  ["a local secret and a key", `${git}.localAuthRef`, "mine", "exclude each other"],
  ["no kustomization", "kustomizations", {}, "At least one kustomization is required"],
  ["a kustomization without path", `${boot}.path`, undefined, "bootstrap.path: The property is required"],
  ["a kustomization in capitals", "kustomizations.Second", { path: "./a" }, "A kustomization name has"],
  [
    "names of 63 characters together",
    `kustomizations.${"k".repeat(52)}`,
    { path: "./a" },
    "63 characters; 62 are",
  ],
  [
    "a dependency outside",
    `${boot}.dependsOn`,
    ["apps"],
    "'apps' is not a kustomization of this configuration",
  ],
  ["a dependency on itself", `${boot}.dependsOn`, ["bootstrap"], "cannot depend on itself"],
  ["an interval as text", `${boot}.syncIntervalInSeconds`, "10m", "'10m' is not a whole number"],
  ["prune as text", `${boot}.prune`, "yes", "'yes' is neither true nor false"],
  ["a substitute that is no text", `${boot}.postBuild`, { substitute: { a: 1 } }, "1 is not a string"],
  ["a wait that is no duration", "reconciliationWaitDuration", "30m", "not a duration such as 'PT30M'"],
];

async function withCluster(): Promise<void> {
  await azure.create(types.cluster, goodCluster());
}

async function withExtension(): Promise<void> {
  await withCluster();
  await azure.create(types.extension, goodExtension());
}

const refuses =
  (type: string, good: () => Values) =>
  async (_what: string, place: string, value: unknown, complaint: string | RegExp) => {
    await expect(azure.create(type, change(good(), place, value))).rejects.toThrow(complaint);
  };

describe("a connected cluster", () => {
  it("is taken when all is right", async () => {
    await expect(withCluster()).resolves.toBeUndefined();
  });
  it.each(clusterCases)("is refused with %s", refuses(types.cluster, goodCluster));
});

describe("an extension", () => {
  beforeEach(withCluster);
  it("is taken when all is right", async () => {
    await expect(azure.create(types.extension, goodExtension())).resolves.toMatchObject({});
  });
  it("takes a version once automatic upgrades are off", async () => {
    const pinned = { ...goodExtension(), autoUpgradeMinorVersion: false, version: "1.23.3" };
    expect((await azure.create(types.extension, pinned)).outputs).toMatchObject({ currentVersion: "1.23.3" });
  });
  it.each(extensionCases)("is refused with %s", refuses(types.extension, goodExtension));
});

describe("a Flux configuration", () => {
  beforeEach(withExtension);
  it("is taken when all is right", async () => {
    await expect(azure.create(types.flux, goodFlux())).resolves.toMatchObject({});
  });
  it("takes names of 62 characters together", async () => {
    const name = "k".repeat(51);
    await expect(
      azure.create(
        types.flux,
        change(goodFlux(), `kustomizations.${name}`, { path: "./a", dependsOn: ["bootstrap"] }),
      ),
    ).resolves.toMatchObject({});
  });
  it.each(fluxCases)("is refused with %s", refuses(types.flux, goodFlux));

  it("is refused for all faults at once, with a code and a place each", async () => {
    let values = change(goodFlux(), `${git}.url`, "ftp://x");
    values = change(values, "scope", "all");
    values = change(values, `${boot}.prune`, 1);
    const error = await azure.create(types.flux, values).then(() => "nothing was refused", String);
    expect(error).toContain('Status=400 Code="MultipleErrorsOccurred"');
    expect(error).toContain("3 things are wrong");
    for (const place of ["gitRepository.url", "scope", "kustomizations.bootstrap.prune"]) {
      expect(error).toContain(`BadRequest properties.${place}:`);
    }
  });

  it("is refused without a credential in the message", async () => {
    let values = change(goodFlux(), `${protectedSettings}.httpsKey`, "s3cr3t !");
    values = change(values, `${git}.url`, "https://me:t0ken@git.example.com/fleet.git");
    const error = await azure.create(types.flux, values).then(() => "nothing was refused", String);
    expect(error).toContain("httpsKey");
    expect(error).toContain("contains a user or a token");
    expect(error).not.toMatch(/s3cr3t|t0ken/);
  });
});
