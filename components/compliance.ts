import {
  type GetFluxConfigurationResult,
  getFluxConfiguration,
} from "@pulumi/azure-native/kubernetesconfiguration/index.js";
import type * as pulumi from "@pulumi/pulumi";

/** How a Flux configuration fares on its cluster, as Azure tells it. */
export interface Compliance {
  /** `Compliant`, `Non-Compliant`, `Pending`, `Suspended` or `Unknown`. */
  readonly state: string;
  /** What is not ready, by `<kind>/<namespace>/<name>`, as Flux tells it; absent when there is nothing. */
  readonly failing?: Readonly<Record<string, Failure>>;
  /** Why the state is not known, or what is wrong with the configuration as a whole; absent otherwise. */
  readonly message?: string;
}

/** Why a Flux object is not ready. */
export interface Failure {
  readonly reason: string;
  readonly message: string;
}

/** Which configuration, as Azure's interface names it. */
export type ConfigurationPlace = Parameters<typeof getFluxConfiguration>[0];

/**
 * Reads from Azure how a configuration fares now. The outputs of the resource are those of its last write, when Flux had
 * done nothing yet. An Azure that does not answer fails no update: the state is then `Unknown`, with the reason.
 */
export async function readCompliance(
  place: ConfigurationPlace,
  opts: pulumi.InvokeOptions,
): Promise<Compliance> {
  try {
    return complianceOf(await getFluxConfiguration(place, opts));
  } catch (error) {
    const [message = ""] = (error instanceof Error ? error.message : String(error)).split("\n");
    return { state: "Unknown", message };
  }
}

/** Of all that Azure tells, what somebody has to know. */
export function complianceOf({
  complianceState,
  errorMessage,
  statuses = [],
}: Pick<GetFluxConfigurationResult, "complianceState"> & Partial<GetFluxConfigurationResult>): Compliance {
  const failing = statuses
    .filter((status) => status.complianceState === "Non-Compliant")
    .map(({ kind = "", namespace, name = "", statusConditions = [] }): readonly [string, Failure] => {
      const { reason = "", message = "" } = statusConditions.find(({ type }) => type === "Ready") ?? {};
      return [[kind, ...(namespace ? [namespace] : []), name].join("/"), { reason, message }];
    });
  // By name, since Azure's order is none, and an index would make each change look like one of all.
  failing.sort(([a], [b]) => (a < b ? -1 : 1));
  if (failing.length > 0) return { state: complianceState, failing: Object.fromEntries(failing) };
  // What concerns no single object, such as a configuration without the Flux extension.
  const message = complianceState === "Non-Compliant" && errorMessage ? errorMessage : undefined;
  return { state: complianceState, ...(message !== undefined && { message }) };
}
