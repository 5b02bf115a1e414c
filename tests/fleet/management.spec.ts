import { describe, expect, it } from "vitest";
import { findingsOf, mustLoad } from "./fixture.ts";

const fleet = (clusters: string, top = "") => `apiVersion: arcflux/v1
repository: { url: https://git.example.com/edge/fleet.git }
platform: kubernetes
${top}
clusters:
${clusters}
`;

describe("clusters that Cluster API makes", () => {
  it("have a management cluster, which may manage itself, and need no kubeconfig", () => {
    const [temporary, permanent, blue] = mustLoad(
      fleet(`  tmp: { role: management, kubeconfig: { context: kind-tmp } }
  mgmt: { role: management, managedBy: mgmt }
  blue: { role: workload, managedBy: mgmt }`),
    ).clusters;
    expect([temporary, permanent, blue].map((one) => [one!.role, one!.managedBy])).toEqual([
      ["management", undefined],
      ["management", "mgmt"],
      ["workload", "mgmt"],
    ]);
  });

  it("are known to the cluster that makes them, whatever part of the fleet is selected", () => {
    const { clusters } = mustLoad(
      fleet(`  tmp: { role: management, kubeconfig: { context: kind-tmp } }
  mgmt: { role: management, managedBy: mgmt }
  blue: { managedBy: mgmt }`),
    );
    expect(clusters.map(({ manages }) => manages)).toEqual([[], ["mgmt", "blue"], undefined]);
  });

  it.each([
    [
      "  a: { managedBy: mgtm }\n  mgmt: { role: management, managedBy: mgmt }",
      'clusters.a.managedBy: "mgtm" is not a cluster of the fleet file; correct it. Did you mean mgmt?',
    ],
    [
      "  m: { managedBy: m }\n  a: { managedBy: m }",
      'clusters.m.managedBy: "m" does not say that Cluster API runs there; write role: management on it (also of a)',
    ],
    [
      "  a: { role: management, managedBy: b }\n  b: { role: management, managedBy: a }\n  c: { managedBy: b }",
      "clusters.a.managedBy: closes the loop a -> b -> a; let one of them manage itself",
    ],
    [
      "  a: { role: workload, kubeconfig: { context: a } }",
      "clusters.a.role: workload is made by a management cluster; write its name under managedBy",
    ],
    [
      "  m: { role: management, managedBy: m }\n  A_b: { managedBy: m }",
      "clusters.A_b: is a Cluster of that name to Cluster API, which Kubernetes does not take; write lower-case letters, digits and -",
    ],
    [
      "  m: { role: management, managedBy: m }\n  a: { managedBy: m, platform: arc, agents: present, arc: { resourceGroup: r, location: westeurope } }",
      "clusters.a.managedBy: brings Flux by a pack, without Azure; write platform: kubernetes",
    ],
  ])("are told what does not fit: %s", (clusters, message) => {
    expect(findingsOf(fleet(clusters)).map((line) => line.replace(/^fleet\.yaml:\d+:\d+: /, ""))).toEqual([
      message,
    ]);
  });
});

describe("a set on another cluster", () => {
  const remote = (secretRef: string, top = "flux: { lockdown: false }") =>
    findingsOf(
      fleet(
        `  mgmt: { role: management, managedBy: mgmt, sets: { far: { kubeConfig: { secretRef: ${secretRef} } } } }
  tmp: { role: management, kubeconfig: { context: tmp } }
  blue: { managedBy: mgmt }
  old: { managedBy: tmp }`,
        top,
      ),
    ).map((line) => line.replace(/^fleet\.yaml:\d+:\d+: /, ""));

  it("takes the kubeconfig of a cluster that its own makes, under the key that Cluster API writes", () => {
    expect(remote("{ name: blue-kubeconfig }")).toEqual([]);
    expect(remote("{ name: blue-kubeconfig, key: value }")).toEqual([]);
    expect(remote("{ name: mine, key: config }")).toEqual([]);
    expect(remote("{ name: blue-kubeconfig, key: config }")).toEqual([
      'clusters.mgmt.sets.far.kubeConfig.secretRef.key: "config" is not in blue-kubeconfig: Cluster API writes the key value; drop key',
    ]);
    expect(remote("{ name: old-kubeconfig }")).toEqual([
      'clusters.mgmt.sets.far.kubeConfig.secretRef.name: "old-kubeconfig" is on tmp, which makes old; give the set to that cluster',
    ]);
  });

  it("acts as a service account there, which lockdown makes it", () => {
    expect(remote("{ name: blue-kubeconfig }", "")).toEqual([
      expect.stringMatching(
        /^warning: clusters\.mgmt\.sets\.far\.kubeConfig: takes the set to a cluster where flux\.lockdown lets it act as flux-system\/flux-applier alone; make that service account there, with a role$/,
      ),
    ]);
  });
});
