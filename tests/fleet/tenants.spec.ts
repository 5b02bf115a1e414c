import { describe, expect, it } from "vitest";
import { formatFinding } from "../../fleet/finding.ts";
import { loadFleet } from "../../fleet/load.ts";

const lines = {
  flux: "flux: { lockdown: true }",
  sources: "sources: { pizza: { kind: GitRepository, url: https://git.example.com/pizza.git } }",
  pizza: "  pizza: { namespaces: [pizza], sources: [pizza] }",
  burger: "  burger: { match: { kind: store }, namespaces: [grill, burger], role: edit }",
  menu: "  menu: { path: ., source: pizza, tenant: pizza }",
  grill: "  grill: { path: ./grill, tenant: burger, wait: false }",
  ingress: "  ingress: { path: ./ingress }",
};

function load(change: Partial<typeof lines> = {}) {
  const { flux, sources, pizza, burger, menu, grill, ingress } = { ...lines, ...change };
  const text = `apiVersion: arcflux/v1
repository: { url: https://git.example.com/edge/fleet.git }
arc: { resourceGroup: rg-edge, location: westeurope }
agents: present
${flux}
${sources}
tenants:
${pizza}
${burger}
sets:
${menu}
${grill}
${ingress}
groups: { stores: { match: { kind: store }, sets: { menu: {}, grill: {}, ingress: {} } } }
clusters:
  shop-1: { labels: { kind: store } }
  shop-2: { labels: { kind: store } }
  office: {}
`;
  const { fleet, findings } = loadFleet(text, "fleet.yaml");
  return { fleet, findings: findings.map(formatFinding) };
}

describe("a tenant", () => {
  it("is on the clusters that it matches, and its sets are applied as it, after it, in its only namespace", () => {
    const { fleet, findings } = load();
    expect(findings).toEqual([]);
    const [shop, , office] = fleet!.clusters;
    expect(shop!.tenants).toEqual([
      { name: "burger", namespaces: ["burger", "grill"], role: "edit", labels: {}, sources: [] },
      { name: "pizza", namespaces: ["pizza"], role: "admin", labels: {}, sources: ["pizza"] },
    ]);
    expect(office!.tenants.map(({ name }) => name)).toEqual(["pizza"]);
    const [grill, ingress, menu] = shop!.sets;
    expect(menu).toMatchObject({
      tenant: "pizza",
      dependsOn: [{ name: "tenant-pizza" }],
      spec: { serviceAccountName: "tenant-pizza", targetNamespace: "pizza" },
    });
    expect(grill).toMatchObject({
      dependsOn: [{ name: "tenant-burger" }],
      spec: { serviceAccountName: "tenant-burger" },
    });
    // With two namespaces, manifests say which.
    expect(grill!.spec).not.toHaveProperty("targetNamespace");
    expect(ingress!.dependsOn).toEqual([]);
    expect(ingress!.spec).not.toHaveProperty("serviceAccountName");
  });

  it("may be waited for by name, by its own sets and by others", () => {
    const { fleet, findings } = load({
      menu: "  menu: { path: ., source: pizza, tenant: pizza, dependsOn: [tenant-pizza, ingress] }",
      ingress: "  ingress: { path: ./ingress, dependsOn: [tenant-burger] }",
    });
    expect(findings).toEqual([]);
    expect(fleet!.clusters[0]!.sets.map(({ dependsOn }) => dependsOn.map(({ name }) => name))).toEqual([
      ["tenant-burger"],
      ["tenant-burger"],
      ["tenant-pizza", "ingress"],
    ]);
  });

  it.each<[string, Partial<typeof lines>, string]>([
    [
      "Flux without lockdown",
      { flux: "flux: { lockdown: false }" },
      "fleet.yaml:5:19: flux.lockdown: is false, and then a Kustomization in a tenant's namespace is applied with all of Flux's rights; write true, or take ",
    ],
    [
      "a namespace of Flux",
      { pizza: "  pizza: { namespaces: [flux-system], sources: [pizza] }" },
      'tenants.pizza.namespaces[0]: "flux-system" is the platform\'s; give the tenant one of its own (on shop-1, shop-2, office)',
    ],
    ...["azure-arc", "azure-arc-release", "azure-extensions", "gatekeeper-system", "kube-node-lease"].map(
      (namespace): [string, Partial<typeof lines>, string] => [
        `the namespace ${namespace}`,
        { pizza: `  pizza: { namespaces: [pizza, ${namespace}], sources: [pizza] }` },
        `tenants.pizza.namespaces[1]: "${namespace}" is the platform's`,
      ],
    ),
    [
      "a namespace of another tenant",
      { pizza: "  pizza: { namespaces: [pizza, grill], sources: [pizza] }" },
      "tenants.pizza.namespaces[1]: \"grill\" is tenant burger's on the same cluster, and each could read the other's secrets; give each its own (on shop-1, shop-2)",
    ],
    [
      "a source that is not its own",
      { pizza: "  pizza: { namespaces: [pizza] }" },
      'fleet.yaml:11:28: sets.menu.source: "pizza" is not among the sources of tenant pizza; add it to tenants.pizza.sources, or take another (on shop-1, shop-2)',
    ],
    [
      "a source that nobody declares",
      {
        grill: "  grill: { path: ./grill, tenant: burger, sourceRef: { kind: OCIRepository, name: any } }",
      },
      'sets.grill.sourceRef: "any" is not among the sources of tenant burger; declare it under sources',
    ],
    [
      "the namespace of somebody else",
      { grill: "  grill: { path: ./grill, tenant: burger, targetNamespace: pizza }" },
      'sets.grill.targetNamespace: "pizza" is not tenant burger\'s; write one of its namespaces: burger, grill (on shop-1, shop-2)',
    ],
    [
      "another account",
      { grill: "  grill: { path: ./grill, tenant: burger, serviceAccountName: flux-applier }" },
      "sets.grill.serviceAccountName: is not tenant-burger, which sets of the tenant are applied as; drop it",
    ],
    [
      "health checks elsewhere",
      {
        grill:
          "  grill: { path: ./grill, tenant: burger, healthChecks: [{ apiVersion: apps/v1, kind: Deployment, name: a, namespace: pizza }] }",
      },
      'sets.grill.healthChecks[0].namespace: "pizza" is not tenant burger\'s, and its account may not look there',
    ],
    [
      "another cluster",
      { grill: "  grill: { path: ./grill, tenant: burger, kubeConfig: { secretRef: { name: other } } }" },
      "sets.grill.kubeConfig: takes the set to a cluster that does not know tenant-burger",
    ],
    [
      "the decryption key of the platform",
      {
        grill:
          "  grill: { path: ./grill, tenant: burger, decryption: { provider: sops, secretRef: { name: sops-age } } }",
        ingress:
          "  ingress: { path: ./ingress, decryption: { provider: sops, secretRef: { name: sops-age } } }",
      },
      'sets.grill.decryption.secretRef: decrypts with Secret "sops-age", as set ingress does: a tenant could copy another\'s encrypted file and read it; give the tenant a Secret of its own',
    ],
    [
      "a Secret that the platform's set reads",
      {
        grill:
          "  grill: { path: ./grill, tenant: burger, postBuild: { substituteFrom: [{ kind: Secret, name: pins }] } }",
        ingress:
          "  ingress: { path: ./ingress, postBuild: { substituteFrom: [{ kind: Secret, name: pins }] } }",
      },
      'sets.grill.postBuild.substituteFrom[0]: reads Secret "pins", as set ingress does: the tenant would read what is not its own',
    ],
    [
      "a Secret that was not given to it, such as one that `secrets` delivers",
      {
        flux: "secrets: { till: { keys: { token: { config: till } } } }",
        grill:
          "  grill: { path: ./grill, tenant: burger, postBuild: { substituteFrom: [{ kind: Secret, name: till, optional: true }] } }",
      },
      "sets.grill.postBuild.substituteFrom[0]: reads Secret \"till\" of flux-system, which is not tenant burger's; drop it, or add one that is the tenant's own to tenants.burger.secrets (on shop-1, shop-2)",
    ],
    [
      "the cluster's key, where no other set decrypts",
      {
        grill:
          "  grill: { path: ./grill, tenant: burger, decryption: { provider: sops, secretRef: { name: sops-age } } }",
      },
      'sets.grill.decryption.secretRef: decrypts with Secret "sops-age" of flux-system, which is not tenant burger\'s',
    ],
    [
      "the cluster's key as a secret of its own",
      { pizza: "  pizza: { namespaces: [pizza], sources: [pizza], secrets: [pizza-age, sops-age] }" },
      'tenants.pizza.secrets[1]: "sops-age" is the platform\'s',
    ],
    [
      "a name that no tenant has",
      { grill: "  grill: { path: ./grill, tenant: burgers }" },
      'sets.grill.tenant: "burgers" is not a tenant of the fleet file; declare it under tenants, or write one of those there: pizza, burger. Did you mean burger?',
    ],
    [
      "a cluster that the tenant is not on",
      { burger: "  burger: { match: { kind: office }, namespaces: [burger] }" },
      "sets.grill.tenant: burger is not on the cluster by its match; match the cluster in tenants.burger, or take the set off it (on shop-1, shop-2)",
    ],
    [
      "a Kustomization in a namespace of its own",
      { grill: "  grill: { path: ./grill, tenant: burger, namespace: burger }" },
      "sets.grill.namespace: a tenant's sets are in flux-system, with their account; drop namespace, or tenant",
    ],
  ])("is refused: %s", (_, change, expected) => {
    expect(load(change).findings).toContainEqual(expect.stringContaining(expected));
  });

  it("may decrypt with and read what was given to it", () => {
    const { findings } = load({
      burger:
        "  burger: { match: { kind: store }, namespaces: [grill, burger], role: edit, secrets: [grill-age, grill-pins] }",
      grill:
        "  grill: { path: ./grill, tenant: burger, wait: false, decryption: { provider: sops, secretRef: { name: grill-age } }, postBuild: { substituteFrom: [{ kind: Secret, name: grill-pins }] } }",
    });
    expect(findings.filter((one) => !one.includes("warning"))).toEqual([]);
  });

  it("has objects that no set can be called like", () => {
    expect(
      load({ ingress: "  tenant-pizza: { path: ./ingress }\n  ingress: { path: ./i }" }).findings,
    ).toContainEqual(expect.stringContaining("names that begin with tenant- belong to generated files"));
  });
});
