import { editFleetFiles } from "./editFleetFile.ts";
import { Edits } from "./edits.ts";
import type { LoadedFleet } from "./fleetCommand.ts";
import { written } from "./suspendText.ts";

/** A pin as it is to stand in the fleet: its section, the name there, and on from that; the value in one line. */
export interface WrittenPin {
  readonly path: readonly [section: string, name: string, ...more: (string | number)[]];
  readonly value: string;
}

/** Writes pins all at once, each into the file that declares its stage or cluster, be it an included one; comments stay. */
export async function writePins(
  file: string,
  loaded: LoadedFleet,
  pins: readonly WrittenPin[],
): Promise<void> {
  if (pins.length === 0) return;
  const edits = new Edits(loaded, file);
  for (const { path, value } of pins) edits.at(path.slice(0, 2), (text) => written(text, path, value));
  await editFleetFiles(file, edits);
}
