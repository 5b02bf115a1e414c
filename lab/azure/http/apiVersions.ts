import { ArmError } from "../armError.ts";
import type { ArmType } from "../armId.ts";

/** The versions of Azure's interface that are served: those of azure-native and of Azure's own clients. */
const versions: Readonly<Record<ArmType, readonly string[]>> = {
  resourceGroups: ["2024-03-01", "2022-09-01", "2021-04-01"],
  connectedClusters: ["2024-02-01-preview", "2021-10-01"],
  extensions: ["2023-05-01"],
  fluxConfigurations: ["2023-05-01"],
};

/** Refuses a version that is missing or not served, in Azure's way. */
export function checkApiVersion(type: ArmType, version: string | null): void {
  if (version === null || version === "") {
    throw new ArmError(
      400,
      "MissingApiVersionParameter",
      "The api-version query parameter (?api-version=) is required for all requests.",
    );
  }
  if (versions[type].includes(version)) return;
  throw new ArmError(
    400,
    "InvalidApiVersionParameter",
    `The api-version '${version}' is invalid for type '${type}'. The supported versions are '${versions[type].join(", ")}'.`,
  );
}
