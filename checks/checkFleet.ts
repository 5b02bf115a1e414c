import type { Finding } from "../fleet/finding.ts";
import type { Fleet } from "../fleet/model.ts";
import { againstRepository, type Against } from "./againstRepository.ts";
import { checkRepository, type RepositoryChecks } from "./checkRepository.ts";

/** How to check a fleet. */
export interface FleetChecks extends RepositoryChecks, Against {}

/**
 * Checks a fleet, or the part of it that is selected, against the repository that it will be committed to. One shallow
 * fetch, however many clusters. Changes nothing anywhere.
 */
export function checkFleet(fleet: Fleet, checks: FleetChecks): Promise<Finding[]> {
  return againstRepository(fleet, checks, (tree) => checkRepository(fleet, tree, checks));
}
