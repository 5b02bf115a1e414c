import { filePolicy } from "../../filePolicy.ts";
import { hasHealth } from "../../fluxSpec.ts";

/** Without a timeout of its own, a set waits for its workloads as long as its interval. */
export const healthWithTimeout = filePolicy({
  name: "health-with-timeout",
  description: "A Kustomization says how its health is told, by wait or healthChecks, with a timeout.",
  why: "Without health a set counts as ready whatever its workloads do; without a timeout, failure is told late.",
  enforcementLevel: "advisory",
  check: ({ kind, group, spec }, { path }) => {
    if (kind !== "Kustomization" || group !== "kustomize.toolkit.fluxcd.io") return undefined;
    if (hasHealth(spec))
      return spec["timeout"] === undefined
        ? "it waits for health without spec.timeout; write one, such as 5m."
        : undefined;
    // A window's own Kustomization must not wait: what it applies is shut.
    if (/(^|\/)window-[^/]+$/.test(path)) return undefined;
    return "spec.wait is not true and there are no spec.healthChecks; write one of them on the set.";
  },
});
