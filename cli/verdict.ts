import { checkFleet, type CheckedFleet } from "../checks/checkFleet.ts";
import type { Cluster } from "../fleet/model.ts";
import type { Look } from "../checks/checkRepository.ts";
import { appliedBy } from "../status/index.ts";
import { buildProgress } from "./buildProgress.ts";
import { type LoadedFleet, UsageError } from "./fleetCommand.ts";
import type { Terminal } from "./terminal.ts";

/** How a fleet is judged from the command line. */
export interface VerdictOptions {
  /** Where the repository is; its own URL unless it is said. */
  readonly repo?: string | undefined;
  /** Names of judgements whose warnings are not to be heard. */
  readonly ignore?: readonly string[] | undefined;
  readonly strict?: boolean;
  /** The one cluster that is asked about, where it is not the whole fleet. */
  readonly only?: Cluster;
  readonly terminal: Terminal;
}

/** What is wrong with a fleet in its repository: the one verdict of every command, the same as that of an update. */
export function verdict(
  { fleet, finding }: Pick<LoadedFleet, "fleet" | "finding">,
  { repo, ignore = [], strict = false, only, terminal }: VerdictOptions,
  look?: (look: Look) => Promise<void>,
): Promise<CheckedFleet> {
  const part = only === undefined ? fleet : { ...fleet, clusters: [only] };
  return checkFleet(part, {
    ...{ finding, ignore, strict, whole: only === undefined, ...appliedBy(part) },
    ...(only !== undefined && { whose: { declared: fleet.clusters, owner: undefined } }),
    ...(repo !== undefined && { repository: repo }),
    ...(look !== undefined && { look }),
    built: buildProgress(terminal),
    emergency: process.env["ARCFLUX_EMERGENCY"],
    all: process.env["ARCFLUX_ALL"],
  });
}

/** The verdict, with what a command sees in the same repository. */
export async function seen<T>(
  loaded: Pick<LoadedFleet, "fleet" | "finding">,
  options: VerdictOptions,
  see: (look: Look) => Promise<T>,
): Promise<Pick<CheckedFleet, "findings"> & { readonly value: T }> {
  let found: { readonly value: T } | undefined;
  const { findings } = await verdict(loaded, options, async (look) => {
    found = { value: await see(look) };
  });
  if (found === undefined)
    throw new UsageError(
      "The repository has no branch yet, so nothing can be built from it. Push one and run again.",
    );
  return { findings, value: found.value };
}
