import type { Path } from "../fleet/finding.ts";

/** One thing that is wrong with a fleet, seen against its repository. */
export interface Fault {
  readonly severity: "error" | "warning";
  /** Where in the fleet file the reader should look. What is not there is taken for the nearest thing above it. */
  readonly path: Path;
  /** What is wrong; what is allowed. */
  readonly message: string;
  /** Of a judgement on what the sets apply: its name, for `--ignore NAME`. */
  readonly name?: string | undefined;
}
