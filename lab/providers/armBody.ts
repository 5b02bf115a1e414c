import type { Json } from "../azure/json.ts";
import { asObject, isObject, without } from "../azure/json.ts";
import type { AzureType } from "./azureTypes.ts";

/** The body of a PUT: azure-native's flat inputs with everything but a few fields below `properties`. */
export function toBody(type: AzureType, inputs: Json): Json {
  const body: Json = {};
  const properties: Json = {};
  for (const [key, value] of Object.entries(inputs)) {
    // An input only by a mistake of the specification; it is Azure that sets it.
    if (type.pathInputs.includes(key) || key === "provisioningState") continue;
    if (type.topLevel.includes(key)) body[key] = value;
    else properties[key] = value;
  }
  return { ...body, properties };
}

/** The outputs of a resource: what Azure returns, flat, with the API version. */
export function toOutputs(type: AzureType, resource: Json): Json {
  const { properties, ...rest } = resource;
  const top = without(rest, "id");
  const flat = type.arm === "resourceGroups" ? { properties } : asObject(properties);
  return { ...top, ...flat, azureApiVersion: type.apiVersion };
}

/** Maps whose keys a user chooses; in all other objects Azure adds fields that the program never gave. */
const openMaps = new Set(["tags", "configurationSettings", "kustomizations", "substitute"]);

/**
 * The inputs that would give the state found: those the program gave, with the values that Azure has now. A value
 * that Azure never returns stays as it was.
 */
export function inputsFromState(type: AzureType, inputs: Json, outputs: Json): Json {
  const kept = new Set([
    ...type.pathInputs,
    "configurationProtectedSettings",
    "waitForReconciliation",
    "location",
  ]);
  const project = (given: unknown, found: unknown, key: string): unknown => {
    if (!isObject(given) || !isObject(found)) return found ?? undefined;
    const keys = new Set(
      openMaps.has(key) ? [...Object.keys(given), ...Object.keys(found)] : Object.keys(given),
    );
    const entries = [...keys].map((name) => [name, project(given[name], found[name], name)] as const);
    return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
  };
  const result: Json = {};
  for (const [key, value] of Object.entries(inputs)) {
    const now = kept.has(key) || !(key in outputs) ? value : project(value, outputs[key], key);
    if (now !== undefined) result[key] = now;
  }
  return result;
}
