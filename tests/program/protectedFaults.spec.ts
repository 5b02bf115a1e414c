import { expect, it } from "vitest";

import { loadFleet } from "../../fleet/load.ts";
import { createOnlyFaults } from "../../program/createOnlyFaults.ts";
import { deselectedFaults, protectedFaults } from "../../program/protectedFaults.ts";

const id = (group: string, name: string): string =>
  `/subscriptions/s/resourceGroups/${group}/providers/Microsoft.Kubernetes/connectedClusters/${name}`;

const clusters = loadFleet(
  `apiVersion: arcflux/v1
repository: { url: https://git.example.com/edge/fleet.git }
arc: { resourceGroup: rg-new, location: westeurope }
agents: present
clusters: { edge-0: {}, edge-1: { arc: { resourceGroup: RG-edge } } }
`,
  "fleet.yaml",
).fleet!.clusters;

it("is silent before the first update, and where nothing that is protected goes", () => {
  expect(protectedFaults(clusters, {})).toEqual([]);
  const former = {
    "edge-0": { arcId: id("rg-new", "edge-0") },
    "edge-1": { arcId: id("rg-edge", "edge-1") },
  };
  expect(protectedFaults(clusters, { ...former, gone: { lifecycle: "retired" } })).toEqual([]);
  expect(createOnlyFaults(clusters, former)).toEqual([]);
});

it("names clusters that are gone once, with the way on", () => {
  const former = Object.fromEntries(["a", "b", "c", "d"].map((name) => [name, {}]));
  expect(protectedFaults(clusters, former)).toEqual([
    expect.stringMatching(/^a, b, c and 1 more are no longer .* `lifecycle: retired`/),
  ]);
});

it("says that Azure cannot move a cluster to another resource group, and how to keep it", () => {
  expect(createOnlyFaults(clusters, { "edge-0": { arcId: id("rg-old", "edge-0") } })).toEqual([
    expect.stringMatching(/^edge-0: Azure cannot move .*`arc: \{ resourceGroup: rg-old \}`/),
  ]);
});

it("says that Azure cannot rename a cluster, and how to keep its name", () => {
  expect(createOnlyFaults(clusters, { "edge-0": { arcId: id("rg-new", "store-0") } })).toEqual([
    expect.stringMatching(/^edge-0: Azure cannot rename .*`arc: \{ name: store-0 \}`/),
  ]);
});

it("names clusters that are declared and no longer selected, whatever protects them; dropped ones ask by removed", () => {
  const former = { "edge-0": {}, "edge-1": {}, dropped: {} };
  const [first] = clusters;
  expect(deselectedFaults([first!], clusters, former)).toEqual([
    expect.stringMatching(/^edge-1 is no longer selected by .* would delete it\. .*`lifecycle: retired`/),
  ]);
  expect(deselectedFaults([first!], clusters, { ...former, "edge-1": { lifecycle: "retired" } })).toEqual([]);
  expect(deselectedFaults(clusters, clusters, former)).toEqual([]);
});

it("says once for all what else no update changes in place: region, platform, agents, the configuration's name", () => {
  const fleet = (change: string) =>
    loadFleet(
      `apiVersion: arcflux/v1
repository: { url: https://git.example.com/edge/fleet.git }
arc: { resourceGroup: rg-new, location: westeurope }
clusters: { edge-0: {kubeconfig: {context: a}}, edge-1: {kubeconfig: {context: b}} }
${change}
`,
      "fleet.yaml",
    ).fleet!.clusters;
  const former = Object.fromEntries(
    ["edge-0", "edge-1"].map((name) => [
      name,
      {
        arcId: id("rg-new", name),
        bootstrap: "edge-config-bootstrap",
        arc: { agents: "install" as const, location: "northeurope" },
      },
    ]),
  );
  expect(createOnlyFaults(fleet(""), former)).toEqual([
    expect.stringMatching(/^edge-0, edge-1: Azure cannot move .* region.*`arc: \{ location: northeurope \}`/),
  ]);
  const west = new Map([
    ["edge-0", "West Europe"],
    ["edge-1", "westeurope"],
  ]);
  expect(createOnlyFaults(fleet(""), former, west)).toEqual([]);
  expect(createOnlyFaults(fleet("agents: present"), former, west)).toEqual([
    expect.stringMatching(/^edge-0, edge-1: Without `agents: install` the update would delete it in Azure/),
  ]);
  expect(createOnlyFaults(fleet("platform: kubernetes"), former, west)).toEqual([
    expect.stringMatching(/^edge-0, edge-1: A cluster cannot change its platform\..*`platform: arc`/),
  ]);
  expect(createOnlyFaults(fleet("config: fleet"), former, west)).toEqual([
    expect.stringMatching(/^edge-0, edge-1: A Flux configuration cannot be renamed.*`config: edge-config`/),
  ]);
});

it("keeps the bootstrap that an update made on a cluster that is to get it by a pack, or from itself", () => {
  const now = (entry: string) =>
    loadFleet(
      `apiVersion: arcflux/v1
repository: { url: https://git.example.com/edge/fleet.git }
platform: kubernetes
clusters: { mgmt: { role: management, ${entry} } }
`,
      "fleet.yaml",
    ).fleet!.clusters;
  const former = { mgmt: { bootstrap: "edge-config-bootstrap" } };
  expect(createOnlyFaults(now("managedBy: mgmt"), former)).toEqual([
    expect.stringMatching(
      /^mgmt: An update made its bootstrap, which would go now.* Keep it without `managedBy`/,
    ),
  ]);
  expect(createOnlyFaults(now("flux: { sync: self }"), former)).toEqual([
    expect.stringContaining("Keep it without `flux.sync: self`"),
  ]);
  expect(createOnlyFaults(now("managedBy: mgmt"), { mgmt: {} })).toEqual([]);
});

it("says that a subscription is neither changed nor added, which would replace the cluster", () => {
  const at = (subscription: string) =>
    loadFleet(
      `apiVersion: arcflux/v1
repository: { url: https://git.example.com/edge/fleet.git }
arc: { resourceGroup: rg-new, location: westeurope ${subscription} }
agents: present
clusters: { edge-0: {} }
`,
      "fleet.yaml",
    ).fleet!.clusters;
  const guid = "11111111-2222-3333-4444-555555555555";
  const stated = at(`, subscription: ${guid}`);
  const before = { arcId: id("rg-new", "edge-0") };
  expect(createOnlyFaults(stated, { "edge-0": before })).toEqual([
    expect.stringMatching(/naming one anew would replace it\. .*Keep it without `arc\.subscription`/),
  ]);
  const known = { ...before, arc: { subscription: guid } };
  expect(createOnlyFaults(stated, { "edge-0": known })).toEqual([]);
  expect(createOnlyFaults(at(""), { "edge-0": known })).toEqual([
    expect.stringContaining(`Keep it with \`arc: { subscription: ${guid} }\``),
  ]);
});
