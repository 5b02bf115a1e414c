import { ArmError } from "../armError.ts";
import type { ArmType } from "../armId.ts";
import type { Json } from "../json.ts";
import { asObject, without } from "../json.ts";

/** The versions whose shape the lab serves. Azure has many more. */
const supported: Readonly<Record<ArmType, readonly string[]>> = {
  resourceGroups: ["2021-04-01", "2024-03-01"],
  connectedClusters: ["2021-10-01", "2024-02-01-preview"],
  extensions: ["2023-05-01"],
  fluxConfigurations: ["2023-05-01"],
};

/** The version for addresses of operations of a type. */
export function newestVersion(type: ArmType): string {
  return supported[type].at(-1) ?? "";
}

/** The version that a request asks for. Throws an ArmError when it asks for none, or for one that is not served. */
export function apiVersionOf(type: ArmType, query: URLSearchParams): string {
  const version = query.get("api-version");
  if (version === null || version === "") {
    throw new ArmError(
      400,
      "MissingApiVersionParameter",
      "The api-version query parameter (?api-version=) is required for all requests.",
    );
  }
  if (supported[type].includes(version)) return version;
  throw new ArmError(
    400,
    "InvalidApiVersionParameter",
    `The api-version '${version}' is invalid. The supported versions are '${supported[type].join(", ")}'.`,
  );
}

/** Properties of a connected cluster that came after 2021-10-01. */
const laterProperties = new Set([
  "privateLinkState",
  "privateLinkScopeResourceId",
  "azureHybridBenefit",
  "distributionVersion",
  "arcAgentProfile",
  "aadProfile",
  "miscellaneousProperties",
]);

/** A body or a resource as a version knows it: without the fields that came later. */
export function inVersion(type: ArmType, version: string, resource: Json): Json {
  if (type !== "connectedClusters" || version !== "2021-10-01") return resource;
  const entries = Object.entries(asObject(resource["properties"]));
  const known = entries.filter(([name]) => !laterProperties.has(name));
  return { ...without(resource, "kind"), properties: Object.fromEntries(known) };
}
