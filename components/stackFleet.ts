import * as pulumi from "@pulumi/pulumi";

import { formatFinding } from "../fleet/finding.ts";
import type { Fleet } from "../fleet/model.ts";
import { readFleet } from "../fleet/readFleet.ts";
import type { StackSettings } from "./stackSettings.ts";

/**
 * The fleet that the stack's config names. Warnings go to the log.
 *
 * @throws a RunError with everything wrong with the fleet file, before any resource is registered.
 */
export async function loadStackFleet({ fleetFile, repositoryUrl }: StackSettings): Promise<Fleet> {
  const overrides = repositoryUrl === undefined ? {} : { repositoryUrl };
  const { fleet, findings } = await readFleet(fleetFile, overrides);
  const lines = findings.map(formatFinding);
  if (fleet === undefined) throw new pulumi.RunError(lines.join("\n"));
  for (const line of lines) void pulumi.log.warn(line);
  return fleet;
}
