import { describe, expect, it } from "vitest";
import { loadFleet } from "../../fleet/load.ts";
import { fleetText } from "./fixture.ts";

const header = `apiVersion: arcflux/v1
repository: { url: https://git.example.com/edge/fleet.git }
arc: { resourceGroup: rg-edge, location: westeurope }
`;
const pathsOf = (rest: string) => loadFleet(header + rest, "fleet.yaml").findings.map(({ path }) => path);

describe("clusters beside each other", () => {
  it("each have a folder of their own, upper and lower case aside", () => {
    expect(pathsOf("clusters: { edge: { agents: present }, Edge: { agents: present } }")).toEqual([
      "clusters.Edge",
    ]);
    expect(
      pathsOf("layout: { cluster: site }\nclusters: { a: { agents: present }, b: { agents: present } }"),
    ).toEqual(["clusters.b"]);
  });

  it.each([
    ["site", "", true],
    ["sites/{stage}", "", true],
    ["sites/{cluster}", "", false],
    ["sites/{slot}", "", false],
    ["site", ", b: 5", false],
  ])("are told apart by layout.cluster: %s%s", (layout, others, warned) => {
    const { findings } = loadFleet(
      `${header}layout: { cluster: "${layout}" }\nstages: { test: {} }\nclusters: { a: { stage: test, attributes: { slot: x } }${others} }\n`,
      "fleet.yaml",
    );
    expect(
      findings.filter(({ path, severity }) => path === "layout.cluster" && severity === "warning"),
    ).toEqual(
      warned
        ? [expect.objectContaining({ message: expect.stringContaining("takes over the folder") as string })]
        : [],
    );
  });

  it.each(["clusters: {}", "clusters:", "include: []\nclusters: {}"])(
    "are warned of when there are none: %j",
    (none) => {
      const { fleet, findings } = loadFleet(header + none, "fleet.yaml");
      expect(findings.filter(({ path }) => path === "clusters").map(({ message }) => message)).toEqual(
        none === "clusters:" ? [expect.any(String)] : [expect.stringContaining("nothing is managed")],
      );
      expect(fleet?.clusters).toEqual(none === "clusters:" ? undefined : []);
    },
  );

  it("with faults are not none", () => {
    expect(pathsOf("clusters: { a: 5 }")).toEqual(["clusters.a"]);
  });

  it("are told apart by Azure too, which cares as little for upper and lower case", () => {
    const clusters = (arc: string) =>
      `agents: present
layout: { cluster: "{slot}" }
clusters: { edge: { attributes: { slot: a } }, Edge: { attributes: { slot: b }, arc: ${arc} } }`;
    expect(pathsOf(clusters("{}"))).toEqual(["clusters.Edge"]);
    expect(pathsOf(clusters("{ resourceGroup: rg-other }"))).toEqual([]);
  });

  it("need a kubeconfig when they are connected, and one alone does not", () => {
    expect(pathsOf("clusters: { a: {} }")).toEqual([]);
    expect(pathsOf("clusters: { a: {}, b: { agents: present }, c: { kubeconfig: { context: c } } }")).toEqual(
      ["clusters.a.kubeconfig"],
    );
  });

  it("never share a context or a stack config secret", () => {
    expect(
      pathsOf(`clusters:
  a: { kubeconfig: { context: x } }
  b: { kubeconfig: { config: x } }
  c: { kubeconfig: { context: x } }
  d: { kubeconfig: { config: x } }
  e: { kubeconfig: { context: x }, agents: present }`),
    ).toEqual(["clusters.c.kubeconfig", "clusters.d.kubeconfig"]);
  });

  it.each(["{}", "{ context: a, config: b }", "{ path: x }", "device", "{ context: '' }"])(
    "have no kubeconfig such as %s",
    (kubeconfig) => {
      const paths = pathsOf(`clusters: { a: { kubeconfig: ${kubeconfig} } }`);
      expect(paths).not.toEqual([]);
      expect(paths.every((path) => path.startsWith("clusters.a.kubeconfig"))).toBe(true);
    },
  );
});

describe("layout", () => {
  it.each([
    ["cluster: 'x/{9}/{cluster}'", "layout.cluster"],
    ["cluster: 'x/{cluster'", "layout.cluster"],
    ["cluster: ./", "layout.cluster"],
    ["cluster: /x", "layout.cluster"],
    ["flux: '{cluster}'", "layout.flux"],
    ["flux: ../flux", "layout.flux"],
    ["flux: apps, sets: apps/own", "layout.sets"],
    ["flux: apps, sets: ./apps/", "layout.sets"],
    ["flux: ., sets: .", "layout.sets"],
  ])("{ %s } is refused at %s", (layout, path) => {
    expect(
      loadFleet(fleetText({ top: `layout: { ${layout} }` }), "f").findings.map((finding) => finding.path),
    ).toEqual([path]);
  });
});

describe("a simulated device", () => {
  const device = (rest: string, more = "") =>
    loadFleet(`${header}clusters: { sim: { device: { ${rest} }${more} } }\n`, "fleet.yaml");
  const faults = (rest: string, more?: string) => device(rest, more).findings.map(({ message }) => message);

  it("needs an address, and brings its own kubeconfig", () => {
    const { fleet } = device("address: 203.0.113.7/32", ", agents: install");
    expect(fleet?.clusters[0]?.device).toMatchObject({ address: "203.0.113.7/32", size: "Standard_B2s" });
    expect(fleet?.clusters[0]?.kubeconfig).toBeUndefined();
    expect(device("size: Standard_B2s").findings.map(({ path }) => path)).toEqual([
      "clusters.sim.device.address",
    ]);
  });

  it.each([
    ["0.0.0.0/0", "lets too many in"],
    ["203.0.0.0/15", "lets too many in"],
    ["203.0.113.7", "write 203.0.113.7/32"],
    ["*", "is not a range of IPv4 addresses"],
    ["256.0.0.1/32", "is not a range of IPv4 addresses"],
    ["10.0.0.1/33", "is not a range of IPv4 addresses"],
  ])("is not open to %s", (address, message) => {
    expect(faults(`address: "${address}"`)).toEqual([expect.stringContaining(message)]);
  });

  it.each([
    ["size: Standard_D2ps_v5", "", "write a size of x64"],
    ["sshKey: AAAA", "", "write a public key of SSH"],
    ["k3s: { version: latest, sha256: ab }", "", "write a release of k3s"],
    ["size: Standard_D2s_v5", ", agents: present", "write arc and install, or drop device"],
    ["size: Standard_D2s_v5", ", kubeconfig: { context: c }", "drop kubeconfig or device"],
    ["size: Standard_B2ms", `, arc: { resourceGroup: ${"r".repeat(80)} }`, "Azure takes 90 characters"],
  ])("is refused with %s%s", (rest, more, message) => {
    const found = faults(`address: 203.0.113.7/32, ${rest}`, more);
    expect(found).toContainEqual(expect.stringContaining(message));
  });
});
