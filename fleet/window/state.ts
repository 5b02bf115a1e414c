import type { Cluster, Freeze, Window } from "../model.ts";
import { openingsUnder } from "./freezeDates.ts";
import { missedOpenings, windowAt, type WindowNow } from "./openings.ts";

/** What a cluster says of the source of a window; instants in milliseconds since 1970. */
export interface ObservedWindow {
  readonly suspended: boolean;
  /** When `spec.suspend` was last written: at its making, and then by each pulse. Undefined where nobody tells. */
  readonly writtenAt: number | undefined;
}

/** What is to be said of a window of a cluster. */
export interface WindowState extends WindowNow {
  /** Openings since the last pulse that nobody made use of; 0 where nobody tells, or in a freeze. */
  readonly missed: number;
  /** Whether a pulse that was killed left the source open. */
  readonly leftOpen: boolean;
}

/** Openings that may be missed before somebody should look. */
export const toleratedMisses = 1;

/** A pulse lasts seconds, and is over after its deadline of four minutes. */
const pulseLength = 5 * 60_000;

/** What the clock and the cluster say of a window. `now` and the observation come from the caller. */
export function windowState(
  window: Window,
  { freeze }: Pick<Cluster, "freeze">,
  { suspended, writtenAt }: ObservedWindow,
  now: number,
): WindowState {
  const told = writtenAt !== undefined && freeze === undefined;
  return {
    ...(freeze === undefined ? windowAt(window, now) : frozen(window, freeze, now)),
    missed: told ? missedOpenings(window, writtenAt, now) : 0,
    leftOpen: !suspended && writtenAt !== undefined && now - writtenAt > pulseLength,
  };
}

/** Shut whatever the clock says, until the first opening after the freeze. */
function frozen(window: Window, freeze: Freeze, now: number): WindowNow {
  const { open, since } = windowAt(window, now);
  return {
    open: false,
    since: open ? undefined : since,
    until: openingsUnder(freeze, window, now, 1)[0]?.opens,
  };
}
