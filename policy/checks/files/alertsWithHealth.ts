import { folderPolicy, type PlacedObject } from "../../filePolicy.ts";
import { hasHealth } from "../../fluxSpec.ts";
import { asList, asMap, asText } from "../../../values/maps.ts";

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
          const spec = kind === "Kustomization" ? sets.get(asText(name) ?? "") : undefined;
          // What applies sets has no health of its own: the bootstrap, windows and tenants.
          if (spec === undefined || hasHealth(spec)) return [];
          const fault = `it reports on Kustomization '${asText(name)}', which has neither spec.wait nor spec.healthChecks; write one of them on the set, or take it out of the alert.`;
          return [{ at, fault }];
        }),
      );
  },
});

function isSet({ object }: PlacedObject): boolean {
  return object.kind === "Kustomization" && !/^window-/.test(object.name);
}
