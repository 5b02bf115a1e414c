import * as pulumi from "@pulumi/pulumi";

import { checkFleet } from "../checks/checkFleet.ts";
import { checkRemovals } from "../checks/checkRemovals.ts";
import type { Others } from "../checks/generatedFiles.ts";
import { readCheckedFleet } from "../checks/readCheckedFleet.ts";
import { type Finding, formatFinding } from "../fleet/finding.ts";
import type { Cluster, Fleet } from "../fleet/model.ts";
import { renderedFolder } from "./renderedFolder.ts";
import { selectFrom } from "./selection.ts";
import { refuseUnknownKeys } from "./stackConfigKeys.ts";
import { type Conflicts, refuseMissingSecrets, type StackSettings } from "./stackSettings.ts";

/**
 * The part of the fleet that the stack manages. Checks the fleet file and the repository that will be committed to, which
 * may be out of reach: in a preview in full, in an update for sets that go away, since no preview need have gone before.
 * Warnings go to the log.
 *
 * @throws a RunError with everything that is wrong, before any resource is registered.
 */
export async function loadStackFleet(settings: StackSettings): Promise<Fleet> {
  const { fleetFile, repositoryUrl, repositoryUrlFrom, selection, conflicts } = settings;
  const overrides = {
    ...(repositoryUrl !== undefined && { repositoryUrl }),
    ...(repositoryUrlFrom !== undefined && { repositoryUrlFrom }),
  };
  const { fleet, findings, finding } = await readCheckedFleet(fleetFile, overrides);
  tell(findings);
  if (fleet === undefined) throw new pulumi.RunError("The fleet file could not be read.");
  refuseUnknownKeys(fleet);
  const part = { ...fleet, clusters: selectFrom(fleet, selection) };
  refuseMissingSecrets(part);
  const render = (cluster: Cluster) => renderedFolder(cluster, part);
  const against = { finding, render, unreachable: "warn" } as const;
  // Manifests are left to `arcflux validate --repo`: reading those of hundreds of clusters takes its time.
  const check = pulumi.runtime.isDryRun()
    ? checkFleet(part, { ...against, manifests: false, others: othersBy(conflicts) })
    : checkRemovals(part, { ...against, patience: 60_000 });
  tell(await check);
  return part;
}

/** What GitFiles does with them: it stops at one cluster and lets the others go on, so this must stop none. */
function othersBy({ adopt, drift }: Conflicts): Others {
  return adopt === "overwrite" || drift === "restore" ? "overwritten" : "warning";
}

function tell(findings: readonly Finding[]): void {
  const lines = findings.map(formatFinding);
  if (findings.some(({ severity }) => severity === "error")) throw new pulumi.RunError(lines.join("\n"));
  for (const line of lines) void pulumi.log.warn(line);
}
