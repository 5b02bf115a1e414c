import { describe, expect, it } from "vitest";

import { ready } from "../../policy/policies.ts";
import { checkStack, configurationType, goodConfiguration, type StackResource } from "./fixtures.ts";
import { wholeStack } from "./wholeStack.ts";

const settings: Readonly<Record<string, object>> = {
  "required-tags": { tags: ["owner"], defaults: { owner: "edge" } },
  "allowed-regions": { regions: ["westeurope"] },
};

const clusterName = "theirs";
const open = {
  ...{ name: "ssh", access: "Allow", direction: "Inbound" },
  ...{ sourceAddressPrefix: "*", destinationPortRange: "22" },
};

/** What others have beside the fleet, each wrong by what the pack wants of ours. */
const theirs: readonly StackResource[] = [
  { type: "tls:index/privateKey:PrivateKey", name: "web", inputs: { algorithm: "ECDSA" } },
  { type: "azure-native:storage:StorageAccount", name: "logs", inputs: { location: "eastus" } },
  { type: "azure-native:network:SecurityRule", name: "rule", inputs: open },
  {
    type: "azure-native:compute:VirtualMachine",
    name: "jump",
    inputs: { location: "eastus", osProfile: { adminPassword: "swordfish" } },
  },
  {
    type: "azure-native:kubernetes:ConnectedCluster",
    name: "theirs",
    inputs: { clusterName, location: "eastus", agentPublicKeyCertificate: "" },
  },
  {
    type: "azure-native:kubernetesconfiguration:Extension",
    name: "theirs-flux",
    inputs: { clusterName, extensionType: "microsoft.flux", configurationSettings: { token: "swordfish" } },
  },
  {
    type: configurationType,
    name: "theirs-apps",
    inputs: { clusterName, namespace: "apps", kustomizations: { apps: { path: "./apps" } } },
  },
].map((one) => ({ ...one, isForeign: true }));

describe("what others make", () => {
  it.each(ready.map((policy) => [policy.name, policy] as const))(
    "is left alone by %s, beside a fleet and without one",
    async (name, policy) => {
      expect(await checkStack(policy, [...theirs, ...wholeStack], settings[name])).toEqual({
        violations: [],
      });
      expect(await checkStack(policy, theirs, settings[name])).toEqual({ violations: [] });
    },
  );

  it("is judged with scope all", async () => {
    const found = await Promise.all(
      ready
        .filter(({ configSchema }) => configSchema?.properties["scope"] !== undefined)
        .map(async (policy) => {
          const { violations } = await checkStack(policy, theirs, { ...settings[policy.name], scope: "all" });
          return violations.length > 0 ? policy.name : [];
        }),
    );
    expect(found.flat()).toEqual([
      ...["only-bootstrap", "bootstrap-follows-committed-folder", "flux-namespace"],
      ...["explicit-bootstrap-fields", "explicit-create-only-fields", "waits-for-extension"],
      ...[
        "extension-pinned-or-upgraded",
        "onboarding-key",
        "agents-stay",
        "required-tags",
        "allowed-regions",
      ],
      ...["no-open-management-port", "no-password-login", "protected-settings"],
    ]);
  });

  it("on a cluster of the fleet is judged, be it registered before or after what is ours", async () => {
    const second: StackResource = {
      type: configurationType,
      name: "second",
      inputs: { ...goodConfiguration(), kustomizations: { apps: {} } },
      isForeign: true,
    };
    const policy = ready.find(({ name }) => name === "only-bootstrap")!;
    for (const stack of [
      [second, ...wholeStack],
      [...wholeStack, second],
    ]) {
      const { violations } = await checkStack(policy, stack);
      expect(violations).toEqual([
        expect.stringContaining("FluxConfiguration 'second' also holds 'apps'"),
        expect.stringContaining("FluxConfiguration 'second' holds no kustomization named 'bootstrap'"),
      ]);
    }
  });

  it("is not changed by a remediation", () => {
    const policy = ready.find(({ name }) => name === "required-tags")!;
    const remediate = (urn: string, scope?: string) =>
      policy.remediateResource!({
        ...{ type: "azure-native:compute:VirtualMachine", name: "jump", urn, props: {} },
        getConfig: () => ({ ...settings["required-tags"], scope }),
      } as never);
    const type = "azure-native:compute:VirtualMachine";
    const [own, other] = [`arcflux:index:SimulatedEdgeDevice$${type}`, type].map(
      (types) => `urn:pulumi:dev::a::mine:index:Nest$${types}::jump`,
    );
    expect(remediate(own!)).toEqual({ tags: { owner: "edge" } });
    expect([remediate(other!), remediate(other!, "all")]).toEqual([undefined, { tags: { owner: "edge" } }]);
  });
});

it("no message shows a secret, in whatever field it stands", async () => {
  const token = `ghp_${"a1B2".repeat(9)}`;
  const policy = ready.find(({ name }) => name === "flux-namespace")!;
  const stack = [{ type: configurationType, name: "one", inputs: { ...goodConfiguration(), scope: token } }];
  const { violations } = await checkStack(policy, stack);
  expect(violations).toEqual([expect.stringContaining("scope is this value; allowed are 'cluster'")]);
});
