import { generateKeyPairSync } from "node:crypto";
import type { ResourceValidationPolicy } from "@pulumi/policy";
import { describe, expect, it } from "vitest";

import { agentsStay } from "../../policy/checks/azure/agentsStay.ts";
import { allowedRegions } from "../../policy/checks/azure/allowedRegions.ts";
import { explicitCreateOnly } from "../../policy/checks/azure/explicitCreateOnly.ts";
import { lockdownOn } from "../../policy/checks/azure/lockdownOn.ts";
import { noOpenManagementPort } from "../../policy/checks/azure/noOpenManagementPort.ts";
import { noPasswordLogin } from "../../policy/checks/azure/noPasswordLogin.ts";
import { onboardingKey } from "../../policy/checks/azure/onboardingKey.ts";
import { pinnedOrUpgraded } from "../../policy/checks/azure/pinnedOrUpgraded.ts";
import { protectedSettings } from "../../policy/checks/azure/protectedSettings.ts";
import { requiredTags } from "../../policy/checks/azure/requiredTags.ts";
import { waitsForExtension } from "../../policy/checks/azure/waitsForExtension.ts";
import { explicitBootstrapFields } from "../../policy/checks/explicitBootstrapFields.ts";
import {
  checkResource,
  checkStack,
  configurationType,
  goodBootstrap,
  goodConfiguration,
} from "./fixtures.ts";

const types = {
  extension: "azure-native:kubernetesconfiguration:Extension",
  connected: "azure-native:kubernetes:ConnectedCluster",
  key: "tls:index/privateKey:PrivateKey",
  machine: "azure-native:compute:VirtualMachine",
  group: "azure-native:network:NetworkSecurityGroup",
  rule: "azure-native_network_v20240101:network:SecurityRule",
  address: "azure-native:network:PublicIPAddress",
  other: "azure-native:storage:StorageAccount",
} as const;

const key = (modulusLength: number, type: "pkcs1" | "spki") =>
  generateKeyPairSync("rsa", { modulusLength }).publicKey.export({ format: "der", type }).toString("base64");

/** What the program registers for a cluster, and what others may beside it: all of it right. */
const good: Readonly<Record<keyof typeof types, Record<string, unknown>>> = {
  extension: {
    clusterName: "edge-0",
    extensionType: "microsoft.flux",
    autoUpgradeMinorVersion: true,
    scope: { cluster: { releaseNamespace: "flux-system" } },
    configurationSettings: { "multiTenancy.enforce": "true" },
  },
  connected: {
    clusterName: "edge-0",
    location: "West Europe",
    tags: { owner: "edge" },
    agentPublicKeyCertificate: key(4096, "pkcs1"),
    arcAgentProfile: { agentAutoUpgrade: "Disabled" },
  },
  key: { algorithm: "RSA", rsaBits: 4096 },
  machine: {
    location: "westeurope",
    tags: { owner: "edge" },
    osProfile: { linuxConfiguration: { disablePasswordAuthentication: true, ssh: { publicKeys: [] } } },
  },
  group: {
    tags: { owner: "edge" },
    securityRules: [
      open({ sourceAddressPrefix: "10.0.0.0/8" }),
      open({ direction: "Outbound" }),
      open({ access: "Deny" }),
      open({ protocol: "Icmp", destinationPortRange: "*" }),
      open({ sourceAddressPrefix: "2001:db8::/32" }),
      open({ destinationPortRange: "443" }),
    ],
  },
  rule: open({ sourceAddressPrefix: "VirtualNetwork" }),
  address: { location: "westeurope", tags: { owner: "edge" } },
  other: { location: "westeurope" },
};

function open(change: object): Record<string, unknown> {
  return {
    ...{
      name: "ssh",
      access: "Allow",
      direction: "Inbound",
      sourceAddressPrefix: "*",
      destinationPortRange: "22",
    },
    ...change,
  };
}

interface Wrong {
  readonly of: keyof typeof types;
  readonly change: Record<string, unknown>;
  readonly said: RegExp;
}

interface Row {
  readonly policy: ResourceValidationPolicy;
  readonly settings?: object;
  readonly wrong: readonly Wrong[];
}

const rows: readonly Row[] = [
  {
    policy: pinnedOrUpgraded,
    wrong: [
      {
        of: "extension",
        change: { version: "1.17.3" },
        said: /version is '1\.17\.3' and autoUpgradeMinorVersion is true/,
      },
      {
        of: "extension",
        change: { autoUpgradeMinorVersion: false },
        said: /no version is given; pin a version/,
      },
      {
        of: "extension",
        change: { autoUpgradeMinorVersion: undefined },
        said: /is not given and no version/,
      },
    ],
  },
  {
    policy: explicitCreateOnly,
    wrong: [
      {
        of: "extension",
        change: { scope: { cluster: {} } },
        said: /releaseNamespace is not given; write 'flux-system'/,
      },
      { of: "extension", change: { scope: undefined }, said: /releaseNamespace is not given/ },
      {
        of: "extension",
        change: { scope: { cluster: { releaseNamespace: "flux" } } },
        said: /is 'flux'; write/,
      },
    ],
  },
  {
    policy: lockdownOn,
    wrong: [
      {
        of: "extension",
        change: { configurationSettings: { "multiTenancy.enforce": "false" } },
        said: /multiTenancy\.enforce is 'false'; write flux: \{ lockdown: true \}/,
      },
    ],
  },
  {
    policy: onboardingKey,
    wrong: [
      { of: "key", change: { rsaBits: 2048 }, said: /rsaBits is 2048; write 4096/ },
      { of: "key", change: { rsaBits: undefined }, said: /rsaBits is 2048/ },
      { of: "key", change: { algorithm: "ED25519" }, said: /algorithm is 'ED25519'; write 'RSA'/ },
      {
        of: "connected",
        change: { agentPublicKeyCertificate: key(2048, "pkcs1") },
        said: /has 2048 bits; 4096/,
      },
      {
        of: "connected",
        change: { agentPublicKeyCertificate: key(4096, "spki") },
        said: /is no RSA key as PKCS#1/,
      },
      {
        of: "connected",
        change: { agentPublicKeyCertificate: "not a key" },
        said: /is no RSA key as PKCS#1/,
      },
    ],
  },
  {
    policy: agentsStay,
    wrong: [
      {
        of: "connected",
        change: { arcAgentProfile: {} },
        said: /agentAutoUpgrade is not given; write 'Disabled'/,
      },
      { of: "connected", change: { arcAgentProfile: { agentAutoUpgrade: "Enabled" } }, said: /is 'Enabled'/ },
      { of: "connected", change: { arcAgentProfile: undefined }, said: /is not given/ },
    ],
  },
  {
    policy: requiredTags,
    settings: { tags: ["owner"] },
    wrong: [
      {
        of: "connected",
        change: { tags: { Owner: "edge" } },
        said: /tags lack 'owner'; write arc: \{ tags: \{ owner/,
      },
      { of: "machine", change: { tags: undefined }, said: /tags lack 'owner'/ },
      { of: "group", change: { tags: { owner: "" } }, said: /tags lack 'owner'/ },
      { of: "address", change: { tags: {} }, said: /tags lack 'owner'/ },
    ],
  },
  {
    policy: allowedRegions,
    settings: { regions: ["westeurope"] },
    wrong: [
      {
        of: "connected",
        change: { location: "East US" },
        said: /location is 'East US'; allowed are westeurope/,
      },
      { of: "other", change: { location: "eastus" }, said: /location is 'eastus'/ },
    ],
  },
  {
    policy: noOpenManagementPort,
    wrong: [
      {
        of: "group",
        change: { securityRules: [open({})] },
        said: /rule 'ssh' opens 22 to the internet; narrow/,
      },
      {
        of: "group",
        change: {
          securityRules: [
            open({ sourceAddressPrefix: undefined, sourceAddressPrefixes: ["10.0.0.1", "0.0.0.0/0"] }),
          ],
        },
        said: /opens 22/,
      },
      {
        of: "group",
        change: { securityRules: [open({ destinationPortRange: "1-65535" })] },
        said: /opens 22, 3389, 5985/,
      },
      {
        of: "group",
        change: { securityRules: [open({ destinationPortRange: "*" })] },
        said: /opens 22, 3389/,
      },
      ...["0.0.0.0/0", "::/0", "128.0.0.0/1", "64.0.0.0/2", "Any", "internet"].map(
        (sourceAddressPrefix): Wrong => ({
          of: "group",
          change: { securityRules: [open({ sourceAddressPrefix })] },
          said: /rule 'ssh' opens 22/,
        }),
      ),
      {
        of: "rule",
        change: open({
          sourceAddressPrefix: "Internet",
          destinationPortRange: undefined,
          destinationPortRanges: ["80", "6443"],
        }),
        said: /opens 6443/,
      },
    ],
  },
  {
    policy: noPasswordLogin,
    wrong: [
      {
        of: "machine",
        change: { osProfile: { linuxConfiguration: {} } },
        said: /disablePasswordAuthentication is not given; write true/,
      },
      {
        of: "machine",
        change: {
          osProfile: {
            adminPassword: "swordfish",
            linuxConfiguration: { disablePasswordAuthentication: true },
          },
        },
        said: /adminPassword is given; take it out/,
      },
    ],
  },
  {
    policy: protectedSettings,
    wrong: [
      {
        of: "extension",
        change: { configurationSettings: { httpsKey: "a", "git.token": "swordfish" } },
        said: /configurationSettings hold 'git\.token', by name or value a secret; move that to configurationProtectedSettings/,
      },
      {
        of: "extension",
        change: {
          configurationSettings: { plain: Buffer.from(`ghp_${"a1B2".repeat(9)}`).toString("base64") },
        },
        said: /hold 'plain'/,
      },
    ],
  },
];

describe.each(rows.map((row) => [row.policy.name, row] as const))(
  "%s",
  (_, { policy, settings = {}, wrong }) => {
    const check = (of: keyof typeof types, props: Record<string, unknown>) =>
      checkResource(policy, types[of], props, settings);

    it("passes what is right, whatever type it is of, and what says nothing of it", async () => {
      for (const of of Object.keys(types) as (keyof typeof types)[])
        expect((await check(of, good[of])).violations, of).toEqual([]);
      expect(await check("other", {})).toEqual({ violations: [] });
      // Other extensions are none of ours.
      expect(
        (await check("extension", { extensionType: "microsoft.azuremonitor.containers" })).violations,
      ).toEqual([]);
    });

    it.each(wrong)("tells $of, $said", async ({ of, change, said }) => {
      const { violations } = await check(of, { ...good[of], ...change });
      expect(violations).toEqual([expect.stringMatching(said)]);
      expect(violations[0]).toMatch(
        /^(Extension|ConnectedCluster|PrivateKey|VirtualMachine|NetworkSecurityGroup|SecurityRule|PublicIPAddress|StorageAccount) 'edge-0': .*\.$/,
      );
      expect(violations.join()).not.toContain("swordfish");
    });
  },
);

it("an extension that is pinned and not upgraded is right too", async () => {
  const pinned = { ...good.extension, version: "1.17.3", autoUpgradeMinorVersion: false };
  expect(await checkResource(pinnedOrUpgraded, types.extension, pinned)).toEqual({ violations: [] });
});

describe("waits-for-extension", () => {
  const resources = (dependsOn: string[], clusterName = "edge-0") => [
    { type: types.extension, name: "edge-0-flux", inputs: { ...good.extension, clusterName } },
    { type: configurationType, name: "edge-0-configuration", inputs: goodConfiguration(), dependsOn },
  ];

  it("wants the extension of the same cluster, where the stack has one", async () => {
    expect(await checkStack(waitsForExtension, resources(["edge-0-flux"]))).toEqual({ violations: [] });
    expect(await checkStack(waitsForExtension, resources([], "edge-1"))).toEqual({ violations: [] });
    expect((await checkStack(waitsForExtension, resources([]))).violations).toEqual([
      "FluxConfiguration 'edge-0-configuration' does not depend on Extension 'edge-0-flux' of its cluster; add dependsOn: [extension].",
    ]);
  });
});

describe("a remediation", () => {
  const remediate = (policy: ResourceValidationPolicy, type: string, props: object, settings: object = {}) =>
    policy.remediateResource!({ type, props, getConfig: () => settings } as never);

  it("adds tags that have a default, and leaves those that are there", () => {
    const settings = { tags: ["owner", "cost"], defaults: { owner: "edge", cost: "42" } };
    expect(
      remediate(requiredTags, types.connected, { tags: { owner: "me" }, location: "x" }, settings),
    ).toEqual({
      ...{ location: "x", tags: { owner: "me", cost: "42" } },
    });
    expect(
      remediate(requiredTags, types.connected, { tags: { owner: "a", cost: "b" } }, settings),
    ).toBeUndefined();
    expect(remediate(requiredTags, types.extension, {}, settings)).toBeUndefined();
  });

  it("turns passwords off only where a key can take their place", () => {
    const linux = (more: object) => ({ osProfile: { linuxConfiguration: { ...more } } });
    expect(remediate(noPasswordLogin, types.machine, linux({ ssh: {} }))).toEqual(
      linux({ ssh: {}, disablePasswordAuthentication: true }),
    );
    expect(remediate(noPasswordLogin, types.machine, linux({}))).toBeUndefined();
  });

  it("writes the fields of a bootstrap that nobody stated as the fleet file has them by default", () => {
    const { path, ...given } = goodBootstrap();
    const lacking = { kustomizations: { bootstrap: { path, prune: false, wait: undefined } } };
    expect(remediate(explicitBootstrapFields, configurationType, lacking)).toEqual({
      kustomizations: {
        bootstrap: { ...given, path, prune: false, dependsOn: undefined },
      },
    });
    expect(remediate(explicitBootstrapFields, configurationType, goodConfiguration())).toBeUndefined();
    expect(remediate(explicitBootstrapFields, types.extension, lacking)).toBeUndefined();
  });

  it("makes secrets of protected settings", () => {
    const settings = { configurationProtectedSettings: { httpsKey: "swordfish" } };
    expect(remediate(protectedSettings, types.extension, settings)).toEqual({
      configurationProtectedSettings: { httpsKey: { value: "swordfish" } },
    });
  });
});
