import { editFleetFiles } from "./editFleetFile.ts";
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
  { origin }: LoadedFleet,
  pins: readonly WrittenPin[],
): Promise<void> {
  if (pins.length === 0) return;
  const byFile = Map.groupBy(
    pins,
    ({ path: [section, name] }) => origin?.documents.position([section, name], "key").file ?? file,
  );
  const edits = [...byFile].map(([at, some]) => {
    const edit = (text: string): string =>
      some.reduce((rest, { path, value }) => written(rest, path, value), text);
    return [at, edit] as const;
  });
  await editFleetFiles(file, new Map(edits));
}
