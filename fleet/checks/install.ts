import type { Holder } from "../layers.ts";
import { Shared, type Check } from "./report.ts";

/** Flux is brought where there is no Azure, by one alone, and by manifests that the fleet file names. */
export const checkInstall: Check = ({ file, fleet, views, report }) => {
  const shared = new Shared();
  for (const [index, { name, platform, flux, managedBy }] of fleet.clusters.entries()) {
    if (managedBy !== undefined) continue;
    const layers: readonly Holder[] = [{ path: [], entry: file }, ...views[index]!.holders];
    const selfish = layers.findLast(({ entry }) => entry.flux?.sync !== undefined);
    if (flux.syncsItself === true && platform === "arc")
      shared.add(
        [...selfish!.path, "flux", "sync"],
        "self is without Azure, and platform arc gets Flux by Azure's extension; drop it, or write platform: kubernetes",
        name,
      );
    const holder = layers.findLast(({ entry }) => entry.flux?.install !== undefined);
    if (holder?.entry.flux?.install !== true) continue;
    const fault =
      platform === "arc"
        ? "installs Flux without Azure, and platform arc gets it by Azure's extension; drop it, or write platform: kubernetes"
        : flux.syncsItself === true
          ? "installs Flux by the update, and with sync: self no update reaches the cluster; write install: false there"
          : flux.install === undefined
            ? "needs flux.manifests: a file with what `flux install --export` prints, or its URL"
            : undefined;
    if (fault !== undefined) shared.add([...holder.path, "flux", "install"], fault, name);
  }
  shared.report(report);
};
