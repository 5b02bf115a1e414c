import { asList } from "../values/maps.ts";
import type { PlainMap } from "./plainValue.ts";

/** Whether a Kustomization tells the health of what it applies. */
export function hasHealth(spec: PlainMap): boolean {
  return spec["wait"] === true || asList(spec["healthChecks"]).length > 0;
}
