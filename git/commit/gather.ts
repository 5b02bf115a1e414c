import { Pace } from "./pace.ts";

/** Work of one kind that waits to be done together. */
export interface Lobby<T> {
  /** Who is there so far, in the order they came; at least one. */
  readonly waiting: () => readonly T[];
  /** Waits until nobody has come for a while, closes the door, and returns who is inside. */
  readonly close: () => Promise<readonly T[]>;
}

/** Longest time between two looks at the door, in milliseconds: who is on the way does not always come. */
const look = 50;

interface Line<T> {
  members: T[];
  lastArrival: number;
}

const lines = new Map<string, Line<unknown>>();
const paces = new Map<string, Pace>();

/**
 * Adds a member to the line of a key. One group of a key is worked on at a time, and whoever comes meanwhile is in the
 * next; `work` gets a lobby and has to settle everyone who was in it. Only neighbours that `alike` allows share a group.
 */
export function gather<T>(
  key: string,
  member: T,
  alike: (first: T, other: T) => boolean,
  work: (lobby: Lobby<T>) => Promise<void>,
): void {
  const line = lines.get(key) as Line<T> | undefined;
  if (line !== undefined) {
    line.members.push(member);
    line.lastArrival = performance.now();
    return;
  }
  const opened: Line<T> = { members: [member], lastArrival: performance.now() };
  lines.set(key, opened);
  void serve(key, opened, alike, work);
}

async function serve<T>(
  key: string,
  line: Line<T>,
  alike: (first: T, other: T) => boolean,
  work: (lobby: Lobby<T>) => Promise<void>,
): Promise<void> {
  const pace = paces.get(key) ?? new Pace();
  paces.set(key, pace);
  while (line.members.length > 0) {
    await work(openLobby(pace, line, alike));
  }
  lines.delete(key);
}

function openLobby<T>(pace: Pace, line: Line<T>, alike: (first: T, other: T) => boolean): Lobby<T> {
  const opened = performance.now();
  let inside: readonly T[] | undefined;
  const waiting = (): readonly T[] => {
    if (inside !== undefined) return inside;
    const [first] = line.members;
    const end = line.members.findIndex((other) => first === undefined || !alike(first, other));
    return end < 0 ? line.members.slice() : line.members.slice(0, end);
  };
  const close = async (): Promise<readonly T[]> => {
    while (inside === undefined) {
      const present = waiting();
      const left = pace.timeLeft({
        inside: present.length,
        // Behind one who cannot share the group nobody else can join it.
        full: present.length < line.members.length,
        open: performance.now() - opened,
        quiet: performance.now() - Math.max(line.lastArrival, opened),
      });
      if (left > 0) await new Promise((resolve) => setTimeout(resolve, Math.min(left, look)));
      else {
        inside = present;
        line.members = line.members.slice(inside.length);
      }
    }
    return inside;
  };
  return { waiting, close };
}
