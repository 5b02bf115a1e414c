import { expect, it } from "vitest";
import { driftInGit } from "../../checks/driftInGit.ts";
import type { Source } from "../../fleet/model.ts";
import { renderClusterFolder } from "../../flux/folder.ts";
import { formatInventory } from "../../git/commit/inventory.ts";
import { GitWorkshop } from "../support/gitWorkshop.ts";
import { clusterOf, fleetOf, setOf } from "./fleet.ts";

it("sees in a source of the private repository what somebody changed, and nothing else", async () => {
  const workshop = new GitWorkshop();
  try {
    const tools: Source = {
      ...{ name: "tools", kind: "GitRepository", self: true },
      spec: { url: "https://git.example.com/edge/fleet.git", interval: "10m" },
    };
    const web = setOf("web", {}, { sourceRef: { kind: "GitRepository", name: "tools" } });
    const cluster = clusterOf("edge-0", [web], { sources: [tools] });
    const repository = { ...fleetOf().repository, access: "token" as const };
    const file = `${cluster.fluxFolder}/source-tools.yaml`;
    const ours = renderClusterFolder(cluster, { repository })["flux/source-tools.yaml"] ?? "";
    expect(ours).toContain("secretRef");
    const left = { blob: workshop.blob(ours), executable: false, serial: 1 };
    const url = await workshop.repository({
      [`${cluster.fluxFolder}/.arcflux-inventory`]: formatInventory({
        ...{ owner: "arcflux/dev/edge-0", left: [] },
        files: new Map([[file, left]]),
      }),
    });
    const fleet = { ...fleetOf(cluster), repository: { ...repository, url } };
    const drift = async (): Promise<string[]> => {
      const found = await driftInGit(fleet, (severity, path, message) => ({
        ...{ severity, message, file: "fleet.yaml", line: 1, column: 1 },
        path: path.join("."),
      }));
      return found.map(({ message }) => message);
    };
    workshop.commit(url, { [file]: `${ours}# looked at\n` });
    expect(await drift()).toEqual([]);
    workshop.commit(url, { [file]: ours.replace("10m", "1m") });
    expect(await drift()).toEqual([expect.stringContaining(" by Pat: interval. It changed generated files")]);
  } finally {
    workshop.remove();
  }
});
