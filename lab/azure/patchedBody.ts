import type { ArmId, ArmType } from "./armId.ts";
import type { Json } from "./json.ts";
import { asObject, isObject, without } from "./json.ts";

/** What a PATCH may change: fields at the top, and fields of `properties`. The rest of it is left aside, as Azure does. */
const patchable: Readonly<
  Record<ArmType, { readonly top: readonly string[]; readonly properties: readonly string[] }>
> = {
  resourceGroups: { top: ["tags", "managedBy"], properties: [] },
  connectedClusters: {
    top: ["tags"],
    properties: ["distribution", "distributionVersion", "azureHybridBenefit"],
  },
  extensions: {
    top: [],
    properties: [
      "autoUpgradeMinorVersion",
      "releaseTrain",
      "version",
      "configurationSettings",
      "configurationProtectedSettings",
    ],
  },
  fluxConfigurations: {
    top: [],
    properties: [
      "sourceKind",
      "suspend",
      "gitRepository",
      "bucket",
      "azureBlob",
      "kustomizations",
      "configurationProtectedSettings",
    ],
  },
};

/**
 * The body of the PUT that does what a PATCH asks for. Objects are merged, null takes a key away, lists are replaced.
 * `secrets` are the protected settings so far: a stored resource has none.
 */
export function patchedBody(id: ArmId, stored: Json, secrets: Json, patch: Json): Json {
  const { top, properties } = patchable[id.type];
  const before = without(stored, "id", "name", "type", "systemData", "lab");
  const known = {
    ...asObject(before["properties"]),
    ...(Object.keys(secrets).length > 0 && { configurationProtectedSettings: secrets }),
  };
  const changed = merge(
    { ...before, properties: known },
    {
      ...only(patch, top),
      properties: only(asObject(patch["properties"]), properties),
    },
  );
  return changed;
}

function only(value: Json, keys: readonly string[]): Json {
  return Object.fromEntries(Object.entries(value).filter(([key]) => keys.includes(key)));
}

function merge(before: Json, change: Json): Json {
  const result = { ...before };
  for (const [key, value] of Object.entries(change)) {
    if (value === null) delete result[key];
    else if (isObject(value)) result[key] = merge(asObject(before[key]), value);
    else result[key] = value;
  }
  return result;
}
