import { driftInGit } from "../checks/driftInGit.ts";
import { formatFinding } from "../fleet/finding.ts";
import type { FleetStatus, Note } from "../status/index.ts";
import { printable, showSome } from "../values/show.ts";
import { exitCodes, type ExitCode } from "./exitCodes.ts";
import type { Answer, LoadedFleet } from "./fleetCommand.ts";
import type { Terminal } from "./terminal.ts";

/**
 * `arcflux status --drift`: what is not as Git and the fleet file say although nothing is under way, on clusters and in the
 * generated files. What fails, waits or cannot be asked has not drifted, so that a schedule tells the one from the other.
 */
export async function driftAnswer(
  { fleet, finding }: Pick<LoadedFleet, "fleet" | "finding">,
  { states, faults }: FleetStatus,
  nobody: readonly string[],
  terminal: Terminal,
): Promise<Answer> {
  const chosen = new Set(states.map(({ cluster }) => cluster));
  const clusters = fleet.clusters.filter(({ name }) => chosen.has(name));
  const inGit = await driftInGit({ ...fleet, clusters }, finding);
  const drifted = states.flatMap(({ cluster, word, reason, notes }) => {
    const edits = notes.filter(({ edited }) => edited === true);
    if (word !== "behind" && edits.length === 0) return [];
    return [{ cluster, word, ...(reason !== undefined && { reason }), edits }];
  });
  const isDrift = drifted.length + inGit.length > 0;
  const code: ExitCode = isDrift ? exitCodes.behind : nobody.length > 0 ? exitCodes.failed : exitCodes.done;
  const notAsked = states.filter(({ word }) => word === "not asked" || word === "offline");
  return {
    document: {
      drifted,
      inGit,
      notAsked: notAsked.map(({ cluster }) => cluster),
      faults: [...faults, ...nobody],
    },
    print() {
      for (const fault of [...faults, ...nobody]) terminal.err(`${fault}\n`);
      for (const each of inGit) terminal.out(`${formatFinding({ ...each, severity: "error" })}\n`);
      for (const { cluster, reason, edits } of drifted) {
        const what: readonly Note[] = edits.length > 0 ? edits : [{ text: reason ?? "behind" }];
        for (const { text, next } of what) {
          terminal.out(`${cluster}: ${printable(text)}\n`);
          if (next !== undefined) terminal.out(`    ${printable(next)}\n`);
        }
      }
      const failing = states.filter(({ word }) => word === "failing").length;
      const away =
        notAsked.length === 0
          ? ""
          : `, ${notAsked.length} not asked (${showSome(notAsked.map(({ cluster }) => cluster))})`;
      const wrong = failing === 0 ? "" : `, ${failing} failing: arcflux status --failing`;
      const asked = states.length - notAsked.length;
      terminal.out(`${drifted.length} of ${asked} clusters drifted${away}${wrong}.\n`);
    },
    code,
  };
}
