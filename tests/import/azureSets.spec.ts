import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { clustersInAzure, importClusters } from "../../import/index.ts";

const group = "/subscriptions/11111111-2222-3333-4444-555555555555/resourceGroups/rg";
const stores = "https://git.example.com/shop/stores.git";
const platform = "https://git.example.com/shop/platform.git";

type Configuration = readonly [name: string, url: string, branch: string, keys: readonly string[]];

/** What import makes of clusters with these configurations, each in a namespace of its own. */
function imported(
  clusters: Readonly<Record<string, readonly Configuration[]>>,
  options: { readonly repositoryUrl?: string } = {},
) {
  const idOf = (name: string) => `${group}/providers/Microsoft.Kubernetes/connectedClusters/${name}`;
  const configurations = Object.entries(clusters).flatMap(([cluster, all]) =>
    all.map(([name, url, branch, keys]) => ({
      id: `${idOf(cluster)}/providers/Microsoft.KubernetesConfiguration/fluxConfigurations/${name}`,
      properties: {
        namespace: `flux-${name}`,
        gitRepository: { url, repositoryRef: { branch } },
        kustomizations: Object.fromEntries(keys.map((key) => [key, { path: `./${key}`, prune: true }])),
      },
    })),
  );
  const connected = Object.keys(clusters).map((name) => ({ id: idOf(name), location: "westeurope" }));
  const rows = { clusters: connected, configurations, extensions: [] };
  const found = clustersInAzure(rows, options.repositoryUrl);
  const { fleetYaml, notTaken } = importClusters(found.clusters, options, found.notTaken);
  return { fleet: parse(fleetYaml) as object, said: notTaken.map(({ path, reason }) => `${path} ${reason}`) };
}

describe("sets of Azure's configurations", () => {
  it("keep the branch that their configuration follows", () => {
    const { fleet } = imported({
      a: [
        ["apps", stores, "main", ["pos"]],
        ["base", stores, "v2", ["infra"]],
      ],
    });
    expect(fleet).toMatchObject({
      repository: { url: stores, branch: "main" },
      sources: { "base-source": { kind: "GitRepository", url: "self", ref: { branch: "v2" } } },
      clusters: {
        a: { sets: { infra: { path: "./infra", source: "base-source" }, pos: { path: "./pos" } } },
      },
    });
  });

  it("are of the repository that most clusters take, or of a stated one", () => {
    const both = {
      a: [["base", platform, "main", ["all"]] as const, ["x", stores, "main", ["pos"]] as const],
    };
    const more = { ...both, b: [["x", stores, "main", ["pos"]] as const] };
    expect(imported(more)).toMatchObject({
      fleet: { repository: { url: stores }, clusters: { a: {}, b: {} } },
      said: expect.arrayContaining([
        expect.stringMatching(/^Flux configuration base of a is left out: it takes another repository/),
      ]) as object,
    });
    expect(imported(both).fleet).toMatchObject({ repository: { url: platform } });
    expect(imported(both, { repositoryUrl: stores }).fleet).toMatchObject({
      repository: { url: stores },
      clusters: { a: { sets: { pos: {} } } },
    });
  });

  it("never have the name of a Kustomization that Azure makes, and are told once for many clusters", () => {
    const names = Array.from({ length: 40 }, (_, index) => `s-${index + 10}`);
    const { fleet, said } = imported(
      Object.fromEntries(
        names.map((name) => [
          name,
          [["a", stores, "main", ["b-c"]] as const, ["x", stores, "main", ["a-b-c", "window-1"]] as const],
        ]),
      ),
    );
    expect(Object.keys((fleet as { sets: object }).sets).sort()).toEqual([
      "a-b-c-x",
      "b-c",
      "set-window-1-x",
    ]);
    expect(said.filter((line) => line.includes("is written as"))).toEqual([
      expect.stringMatching(/^Flux configuration a of s-10, s-11, s-12 and 37 more is written as set b-c /),
      expect.stringMatching(/^Flux configuration x of s-10, s-11, s-12 and 37 more is written as sets /),
    ]);
  });
});
