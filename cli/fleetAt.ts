import { realpathSync } from "node:fs";
import { join, relative } from "node:path";
import type { Fleet } from "../fleet/model.ts";
import type { Checkout } from "../git/index.ts";
import { UsageError } from "./fleetCommand.ts";
import { loadFleetFile } from "./loadFleetFile.ts";

/** The fleet file as it was at a commit. */
export async function fleetAt({ clone, root }: Checkout, file: string, base: string): Promise<Fleet> {
  const path = relative(realpathSync(clone), realpathSync(file));
  const { fleet, findings } = await loadFleetFile(join(root, path));
  if (fleet !== undefined) return fleet;
  const [first] = findings.filter(({ severity }) => severity === "error");
  const why = first === undefined ? "" : `: ${first.message}`;
  throw new UsageError(`${path} at ${base} cannot be read as a fleet file${why}. Name a later commit.`);
}
