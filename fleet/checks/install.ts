import type { Holder } from "../layers.ts";
import { Shared, type Check } from "./report.ts";

/** Flux is installed where there is no Azure, and by manifests that the fleet file names. */
export const checkInstall: Check = ({ file, fleet, views, report }) => {
  const shared = new Shared();
  for (const [index, { name, platform, flux, managedBy }] of fleet.clusters.entries()) {
    if (managedBy !== undefined) continue;
    const layers: readonly Holder[] = [{ path: [], entry: file }, ...views[index]!.holders];
    const holder = layers.findLast(({ entry }) => entry.flux?.install !== undefined);
    if (holder?.entry.flux?.install !== true) continue;
    const fault =
      platform === "arc"
        ? "installs Flux without Azure, and platform arc gets it by Azure's extension; drop it, or write platform: kubernetes"
        : flux.install === undefined
          ? "needs flux.manifests: a file with what `flux install --export` prints, or its URL"
          : undefined;
    if (fault !== undefined) shared.add([...holder.path, "flux", "install"], fault, name);
  }
  shared.report(report);
};
