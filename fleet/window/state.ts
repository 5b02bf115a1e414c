import type { Cluster, Window } from "../model.ts";
import { missedOpenings, openingsFrom, windowAt } from "./openings.ts";
import { windowObject } from "./resolveWindows.ts";

/** What a cluster says of the source of a window; instants in milliseconds since 1970. */
export interface ObservedWindow {
  /** `spec.suspend` of its GitRepository; undefined where the object is not there. */
  readonly suspended: boolean | undefined;
  /** Whether it has an artifact, `status.artifact`. */
  readonly fetched: boolean;
  /** When a pulse last succeeded: the latest `status.lastSuccessfulTime` of its CronJobs. */
  readonly lastPulse?: number | undefined;
  /** Since when the window is on the cluster, `metadata.creationTimestamp`: no opening before counts as missed. */
  readonly createdAt?: number | undefined;
}

/** What is to be said of a window of a cluster. */
export interface WindowState {
  readonly name: string;
  /** Whether its time has come, as clocks go; the source itself is open only for moments. */
  readonly open: boolean;
  readonly since: number | undefined;
  readonly until: number | undefined;
  /** The next opening, or the one that holds. */
  readonly next: number | undefined;
  /** Names of the sets in it. */
  readonly sets: readonly string[];
  readonly missed: number;
  /** What somebody should know, each with what to do. */
  readonly notes: readonly { readonly text: string; readonly next: string }[];
}

/** Openings that may be missed before that is worth an alarm. */
export const tolerated = 1;

/** A pulse lasts seconds, and is over after its deadline of four minutes. */
const pulseLength = 5 * 60_000;

/** What the clock and the cluster say of a window. Pure: `now` and the observation come from the caller. */
export function windowState(
  window: Window,
  cluster: Pick<Cluster, "sets" | "freeze">,
  observed: ObservedWindow | undefined,
  now: number,
): WindowState {
  const object = windowObject(window.name);
  const frozen = cluster.freeze !== undefined;
  const known = observed?.lastPulse ?? observed?.createdAt;
  const missed = frozen || known === undefined ? 0 : missedOpenings(window, known, now);
  const notes: { text: string; next: string }[] = [];
  const patch = `kubectl -n flux-system patch gitrepository ${object} --type merge -p '{"spec":{"suspend":true}}'`;
  if (observed?.suspended === false && now - (observed.lastPulse ?? now) > pulseLength)
    notes.push({
      text: `window ${window.name} was left open: its source follows Git at any time`,
      next: `its shutting job runs once an hour; at once: ${patch}`,
    });
  if (observed !== undefined && observed.suspended === undefined)
    notes.push({
      text: `window ${window.name} is not on the cluster yet`,
      next: "wait for the bootstrap to apply it",
    });
  if (observed?.suspended !== undefined && !observed.fetched && observed.lastPulse !== undefined)
    notes.push({
      text: `window ${window.name} lost what it had fetched: its sets run on, and repair nothing until it opens`,
      next: `arcflux window open ${window.name} --context <context> --reason "storage lost"`,
    });
  if (missed > tolerated)
    notes.push({
      text: `window ${window.name} missed ${missed} openings`,
      next: `kubectl -n flux-system get jobs,events | grep ${object}`,
    });
  return {
    name: window.name,
    ...windowAt(window, now),
    next: openingsFrom(window, now, 1)[0]?.opens,
    sets: cluster.sets.filter((set) => set.window === window.name).map(({ name }) => name),
    missed,
    notes,
  };
}

/** What a window that left the fleet file leaves on the cluster: one shut source, and the command that deletes it. */
export function leftWindows(
  gitRepositories: readonly string[],
  { windows }: Pick<Cluster, "windows">,
): { readonly text: string; readonly next: string }[] {
  const had = new Set(windows.map(({ name }) => windowObject(name)));
  return gitRepositories
    .filter((name) => name.startsWith("window-") && !name.includes(".") && !had.has(name))
    .map((name) => ({
      text: `GitRepository ${name} is of a window that is gone; it is shut, and nothing takes from it`,
      next: `kubectl -n flux-system delete gitrepository ${name}`,
    }));
}
