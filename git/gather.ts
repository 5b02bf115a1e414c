/** Work of one kind that waits to be done together. */
export interface Lobby<T> {
  /** Who is there so far, in the order they came; at least one. */
  readonly waiting: () => readonly T[];
  /** Waits until nobody has come for a while, closes the door, and returns who is inside. */
  readonly close: () => Promise<readonly T[]>;
}

/** Milliseconds without a newcomer after which the door closes, and after which it closes in any case. */
const linger = 100;
const longest = 500;

interface Line<T> {
  members: T[];
  lastArrival: number;
}

const lines = new Map<string, Line<unknown>>();

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
    line.lastArrival = Date.now();
    return;
  }
  const opened: Line<T> = { members: [member], lastArrival: Date.now() };
  lines.set(key, opened);
  void serve(key, opened, alike, work);
}

async function serve<T>(
  key: string,
  line: Line<T>,
  alike: (first: T, other: T) => boolean,
  work: (lobby: Lobby<T>) => Promise<void>,
): Promise<void> {
  while (line.members.length > 0) {
    await work(openLobby(line, alike));
  }
  lines.delete(key);
}

function openLobby<T>(line: Line<T>, alike: (first: T, other: T) => boolean): Lobby<T> {
  const opened = Date.now();
  let inside: readonly T[] | undefined;
  const waiting = (): readonly T[] => {
    if (inside !== undefined) return inside;
    const [first] = line.members;
    const end = line.members.findIndex((other) => first === undefined || !alike(first, other));
    return end < 0 ? line.members.slice() : line.members.slice(0, end);
  };
  const close = async (): Promise<readonly T[]> => {
    while (inside === undefined) {
      const until = Math.min(Math.max(line.lastArrival, opened) + linger, opened + longest);
      const left = until - Date.now();
      if (left > 0) await new Promise((resolve) => setTimeout(resolve, left));
      else {
        inside = waiting();
        line.members = line.members.slice(inside.length);
      }
    }
    return inside;
  };
  return { waiting, close };
}
