import { toYaml, type YamlMap } from "../flux/yaml.ts";
import { fluxNamespace } from "../fleet/model.ts";
import { asList, isMap } from "../values/maps.ts";
import type { Report } from "./notTaken.ts";

/** Fields that older API versions had, with what became of them. */
const gone: Readonly<Record<string, string>> = {
  validation: "is gone: Flux validates every object on the server",
  gitImplementation: "is gone: Flux has one implementation of Git",
  accessFrom: "is gone: what may be referred to is the controllers' own setting",
};

const elsewhere =
  "is gone: Flux takes the account of that name in the set's own namespace; see that it is there, with the same rights";

/**
 * The fields of a spec by the names of v1. What has no place there is noted and left out. `namespace` is that of its
 * object.
 */
export function modernSpec(
  spec: Readonly<Record<string, unknown>>,
  report: Report,
  namespace: string = fluxNamespace,
): Record<string, unknown> {
  const { serviceAccount, patchesStrategicMerge, patchesJson6902, ...rest } = spec;
  const result: Record<string, unknown> = rest;
  for (const [name, reason] of Object.entries(gone)) {
    if (result[name] === undefined) continue;
    delete result[name];
    report(`spec.${name}`, reason, "know");
  }
  if (serviceAccount !== undefined) {
    const account = isMap(serviceAccount) ? serviceAccount : {};
    result["serviceAccountName"] ??= account["name"];
    report("spec.serviceAccount", "is called serviceAccountName now, and written so", "know");
    if (account["namespace"] !== undefined && account["namespace"] !== namespace)
      report("spec.serviceAccount.namespace", elsewhere, "part");
  }
  const patches = [...strategicMerge(patchesStrategicMerge), ...json6902(patchesJson6902)];
  if (patches.length > 0) result["patches"] = [...asList(result["patches"]), ...patches];
  if (patchesStrategicMerge !== undefined)
    report("spec.patchesStrategicMerge", "is written as patches", "know");
  if (patchesJson6902 !== undefined) report("spec.patchesJson6902", "is written as patches", "know");
  return result;
}

/** Such a patch names its object itself. */
function strategicMerge(list: unknown): unknown[] {
  return asList(list)
    .filter(isMap)
    .map((patch) => ({ patch: toYaml(patch as YamlMap, "").replace(/^#\n/, "") }));
}

function json6902(list: unknown): unknown[] {
  return asList(list)
    .filter(isMap)
    .map(({ patch, target }) => ({
      patch: typeof patch === "string" ? patch : `${JSON.stringify(patch)}\n`,
      ...(target !== undefined && { target }),
    }));
}
