import { readFile } from "node:fs/promises";
import { UsageError } from "./fleetCommand.ts";
import { loadFleetFile } from "./loadFleetFile.ts";
import { replaceFile } from "./writeFiles.ts";

/** Changes a file of the fleet; it stays as it was where the change would make an error. Throws UsageError. */
export async function editFleetFile(
  fleetFile: string,
  path: string,
  edit: (text: string) => string,
): Promise<void> {
  const before = await readFile(path, "utf8");
  await replaceFile(path, edit(before));
  const { fleet, findings } = await loadFleetFile(fleetFile);
  if (fleet !== undefined) return;
  await replaceFile(path, before);
  const faults = findings.filter(({ severity }) => severity === "error").map(({ message }) => message);
  throw new UsageError(`${path} stays as it was, since it would have errors: ${faults.join("; ")}.`);
}
