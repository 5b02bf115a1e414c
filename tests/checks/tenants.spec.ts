import { describe, expect, it } from "vitest";
import type { Cluster, Tenant } from "../../fleet/model.ts";
import { removalOf } from "../../fleet/removal.ts";
import type { RemovalEntry } from "../../fleet/schema/removal.ts";
import { renderClusterFolder } from "../../flux/folder.ts";
import { clusterOf, fleetOf, setOf } from "./fleet.ts";
import { faultsIn } from "./repository.ts";

const tenant = (...namespaces: string[]): Tenant => ({
  ...{ name: "pizza", namespaces, role: "admin", labels: {}, sources: [] },
});
const menu = setOf(
  "menu",
  { serviceAccountName: "tenant-pizza" },
  {
    ...{ tenant: "pizza", dependsOn: [{ name: "tenant-pizza" }] },
    sourceRef: { kind: "OCIRepository", name: "menu" },
  },
);
const edge = (sets: Cluster["sets"], tenants: Cluster["tenants"]) => clusterOf("edge-0", sets, { tenants });

/** What is said of an update from one state of the cluster to another. */
function update(before: Cluster, after: Cluster, ...removed: RemovalEntry[]): Promise<string[]> {
  const files = Object.entries(renderClusterFolder(before));
  const committed = Object.fromEntries(files.map(([path, text]) => [`${before.folder}/${path}`, text]));
  return faultsIn({ ...fleetOf(after), removed: removed.map(removalOf) }, committed);
}

describe("a tenant that goes", () => {
  const [full, empty, gone] = [edge([menu], [tenant("pizza")]), edge([], [tenant("pizza")]), edge([], [])];

  it("goes in two updates, its sets first", async () => {
    const together = await update(full, gone, "menu", { tenant: "pizza" });
    expect(together.filter((line) => line.startsWith("error"))).toEqual([
      "error: clusters.edge-0: tenant pizza goes away together with its set menu, which Flux deletes as the tenant's account. " +
        "Put the tenant back, remove menu alone, and the tenant in a later update, when the cluster has deleted the set",
    ]);
    expect(await update(full, empty, "menu")).toEqual([
      expect.stringMatching(/^warning: .*set menu goes away.*`removed` says so$/),
    ]);
    expect(await update(empty, gone)).toEqual([
      expect.stringMatching(
        /^error: clusters\.edge-0: tenant pizza goes away, so Flux deletes its namespaces with everything in them.*add it to the list in the fleet file: `removed: \[\{ tenant: pizza, cluster: edge-0 \}\]`$/,
      ),
    ]);
    expect(await update(empty, gone, { tenant: "pizza" })).toEqual([
      expect.stringMatching(/^warning: .*tenant pizza goes away.*`removed` says so$/),
    ]);
  });

  it("has each namespace that it loses confirmed", async () => {
    const [both, one] = [edge([], [tenant("pizza", "ovens")]), edge([], [tenant("pizza")])];
    expect(await update(both, one)).toEqual([
      "error: clusters.edge-0: tenant pizza loses namespace ovens, so Flux deletes it with everything in it. To keep it, put it back; " +
        "if that is meant, add it to the list in the fleet file: `removed: [{ tenant: pizza, from: ovens, cluster: edge-0 }]`",
    ]);
    expect(await update(both, one, { tenant: "pizza", from: "ovens" })).toEqual([
      expect.stringMatching(/`removed` says so$/),
    ]);
    expect(await update(one, both)).toEqual([]);
  });
});
