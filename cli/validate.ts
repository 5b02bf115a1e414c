import { readFleet } from "../fleet/readFleet.ts";
import { exitCodes, type ExitCode } from "./exitCodes.ts";
import { plural, report } from "./report.ts";
import { json, type Terminal } from "./terminal.ts";

export interface ValidateOptions {
  readonly json?: boolean;
}

/** `arcflux validate`: says everything that is wrong with a fleet file. */
export async function validate(
  file: string,
  options: ValidateOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const { fleet, findings } = await readFleet(file);
  const clusters = fleet?.clusters.length ?? 0;
  const sets = fleet?.clusters.reduce((sum, cluster) => sum + cluster.sets.length, 0) ?? 0;
  if (options.json) {
    terminal.out(json({ valid: fleet !== undefined, clusters, sets, findings }));
  } else {
    report(findings, terminal);
    if (fleet)
      terminal.out(
        `${file} is valid: ${plural(clusters, "cluster") || "no clusters"}, ${plural(sets, "set") || "no sets"}.\n`,
      );
  }
  return fleet ? exitCodes.done : exitCodes.input;
}
