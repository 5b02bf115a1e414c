import { fluxOfExtension } from "../../values/fluxVersions.ts";
import { allHolders } from "../layers.ts";
import { Shared, type Check } from "./report.ts";

/** Settings that have words of their own in the fleet file, by the beginning of Azure's name. */
const worded: readonly (readonly [RegExp, string])[] = [
  [/^multiTenancy\./, "write flux.lockdown"],
  [/^workloadIdentity\./, "write arc.extension.workloadIdentity"],
  [/^kustomize-controller\.strict-substitution-mode$/, "write arc.extension.strictSubstitution"],
  [/^image-[a-z]+-controller\.enabled$/, "write arc.extension.controllers"],
  [/^[a-z]+-controller\.enabled$/, "Azure's agent needs this controller; leave it on"],
  [/\.resources\./, "write arc.extension.resources"],
];

/** Settings of Azure's extension stand in one place each, and a version that is held fits flux.version. */
export const checkExtension: Check = ({ file, fleet, report, warn }) => {
  for (const { path, entry } of [{ path: [], entry: file }, ...allHolders(file)]) {
    for (const name of Object.keys(entry.arc?.extension?.settings ?? {})) {
      const instead = worded.find(([pattern]) => pattern.test(name))?.[1];
      if (instead !== undefined)
        report(
          [...path, "arc", "extension", "settings", name],
          `is not a setting to write here; ${instead}`,
          "key",
        );
    }
  }
  const shared = new Shared();
  for (const { name, arc, flux } of fleet.clusters) {
    const { version } = arc.extension ?? {};
    const brings = version === undefined ? undefined : fluxOfExtension(version);
    if (brings === undefined || brings === flux.version) continue;
    const message = `version ${version} brings Flux ${brings}, and flux.version is ${flux.version}; correct one of them`;
    shared.add(["arc", "extension"], message, name);
  }
  shared.report(warn);
};
