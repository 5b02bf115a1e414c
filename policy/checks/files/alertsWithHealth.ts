import { folderPolicy, type PlacedObject } from "../../filePolicy.ts";
import { hasHealth } from "../../fluxSpec.ts";
import { asList, asMap } from "../../../values/maps.ts";

/** Health is what a notification reports. */
export const alertsWithHealth = folderPolicy({
  name: "alerts-with-health",
  description: "An alert reports only on Kustomizations that tell their health.",
  why: "An alert on a set without health calls it healthy whatever its workloads do.",
  check: (objects) => {
    const sets = new Map(objects.filter(isSet).map(({ object }) => [object.name, object.spec]));
    return objects
      .filter(({ object }) => object.kind === "Alert")
      .flatMap((at) =>
        asList(at.object.spec["eventSources"]).flatMap((source) => {
          const { kind, name } = asMap(source);
          if (kind !== "Kustomization") return [];
          // What applies sets has no health of its own: the bootstrap, windows and tenants.
          return [...sets]
            .filter(([set, spec]) => (name === "*" || name === set) && !hasHealth(spec))
            .map(([set]) => ({
              at,
              fault: `it reports on Kustomization '${set}', which has neither spec.wait nor spec.healthChecks; write one of them on the set, or take it out of the alert.`,
            }));
        }),
      );
  },
});

function isSet({ object }: PlacedObject): boolean {
  return object.kind === "Kustomization" && !/^(window|tenant)-/.test(object.name);
}
