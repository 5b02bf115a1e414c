import { fullPath, fullPaths, isInside } from "../values/path.ts";
import { branchKey, followedFolders } from "../git/index.ts";
import { resourceName } from "./provenance.ts";
import { Sightings } from "./sightings.ts";

/** Where a resource has its files, or wants them. */
export interface Place {
  readonly repository: string;
  readonly branch: string;
  readonly directory: string;
  /** Below the directory. */
  readonly paths: readonly string[];
}

type Folder = Omit<Place, "paths">;

interface Claim {
  readonly paths: ReadonlySet<string>;
  readonly branch: string;
  /** Paths from the root that it comes to from elsewhere, or is new at. */
  readonly comesTo: readonly string[];
  /** Whether somebody has decided that it may come to where another leaves. */
  readonly decided: boolean;
  /** Where its files were before this run. */
  readonly before: ReadonlySet<string>;
  /** The folders that it moves away from in this run, from the root. */
  readonly left: Waits | undefined;
}

/** Folders that a cluster may follow, from the root. */
interface Waits {
  readonly folders: readonly string[];
  readonly branch: string;
  /** Files that wait there, from the root. */
  readonly files?: ReadonlySet<string>;
  /** Whether this run takes out what waits there. */
  readonly ends?: boolean;
}

/** Of a path that one resource wants, the one that leaves the folder, in this run or an earlier one. */
export interface Leaver {
  readonly urn: string;
  /** Whether this run takes out what waits there. */
  readonly ends: boolean;
  /** Whether the very file waits there: two would have it. */
  readonly waits: boolean;
}

/** Two resources of which one comes to where the other leaves. */
export interface Meeting {
  /** URN of the one that comes. */
  readonly comer: string;
  readonly leaver: Leaver;
  /** What it wants there, from the root. */
  readonly path: string;
}

/**
 * Which paths the resources of one run want. The engine checks every live resource before it deletes any that is gone,
 * so a delete can leave what another resource has taken over, and renaming a resource takes nothing away.
 */
export class Claims {
  /** Names of those of which it is known where they have left files. */
  readonly seen = new Sightings();
  readonly #claims = new Map<string, Claim>();
  readonly #waiting = new Map<string, readonly Waits[]>();
  /** URNs of those that moved in this run. */
  readonly #arrived = new Set<string>();

  /**
   * Notes what a resource wants, in place of what it wanted before, and where it was when the run began. `decided`: whether
   * it may come to where another leaves.
   */
  set(urn: string, wanted: Place, before?: Place, { decided = false } = {}): void {
    const was = before === undefined ? new Set<string>() : keysOf(before);
    const claim = { paths: keysOf(wanted), branch: branchOf(wanted), before: was };
    const branch = before && branchOf(before);
    const now = branch === claim.branch ? foldersAt(wanted) : [];
    const folders = before && foldersAt(before).filter((folder) => !now.includes(folder));
    const changes = before?.directory !== wanted.directory || branch !== claim.branch;
    const moves = changes && folders?.length !== 0;
    const left = moves && folders !== undefined ? { folders, branch: branch ?? "" } : undefined;
    const fresh = wanted.paths.filter((path) => !was.has(keyOf(wanted, path)));
    const comesTo = moves ? fullPaths(wanted.directory, fresh) : [];
    this.#claims.set(urn, { ...claim, comesTo, decided, left });
    // Of one that is new there is no more to know.
    if (before === undefined) this.waits(urn, []);
  }

  /**
   * Notes the folders that a resource has left and that its cluster may still follow, as its state says, and whether this
   * run ends that.
   */
  waits(urn: string, places: readonly (Omit<Folder, "directory"> & Omit<Waits, "branch">)[]): void {
    const waiting = places.map(({ repository: url, branch, ...rest }) => ({
      ...rest,
      branch: branchKey({ url, branch }),
    }));
    this.#waiting.set(urn, waiting);
    this.seen.add(resourceName(urn));
  }

  /** Notes that nothing stops a resource from coming to where it is to be. */
  arrives(urn: string): void {
    this.#arrived.add(urn);
  }

  /**
   * Whether another resource wants the path. Of one that is gone, and where files wait and this run ends that, nothing is
   * kept for one that comes there until nothing has stopped it: it is refused, and may not be tried again. Only one that
   * is new may be the one that is gone, under another name, and one that was decided about gets what that one leaves.
   */
  isTaken(urn: string, folder: Folder, path: string): boolean {
    const full = fullPath(folder.directory, path);
    const gone = !this.#claims.has(urn);
    const ending = this.#waiting.get(urn)?.filter(({ ends }) => ends) ?? [];
    const branch = ending.length > 0 ? branchOf(folder) : "";
    const ends = gone || ending.some((place) => holds(place, branch, full));
    const isRefused = (other: string, { left, comesTo, decided }: Claim): boolean =>
      comesTo.includes(full) && !this.#arrived.has(other) && !(gone && (decided || left === undefined));
    return this.#isWanted(urn, folder, path, (other, claim) => !(ends && isRefused(other, claim)));
  }

  /** Whether another resource has or gets the path, so that it is no matter of this one any more. */
  isHandedOver(urn: string, folder: Folder, path: string): boolean {
    const full = fullPath(folder.directory, path);
    return this.#isWanted(
      ...[urn, folder, path],
      (other, { comesTo, decided }) => decided || this.#arrived.has(other) || !comesTo.includes(full),
    );
  }

  #isWanted(
    urn: string,
    folder: Folder,
    path: string,
    counts: (other: string, claim: Claim) => boolean,
  ): boolean {
    const key = keyOf(folder, path);
    const wants = (claim: Claim, other: string): boolean => claim.paths.has(key) && counts(other, claim);
    return otherIn(this.#claims, urn, wants) !== undefined;
  }

  /** Whether another resource has or wants the path, from the root. */
  isKnown(urn: string, { repository, branch }: Omit<Folder, "directory">, path: string): boolean {
    const key = keyOf({ repository, branch, directory: "" }, path);
    return otherIn(this.#claims, urn, ({ paths, before }) => paths.has(key) || before.has(key)) !== undefined;
  }

  /** The other resource that wants the very file: of the same repository, by the spelling of its URL. */
  holderOf(urn: string, folder: Folder, path: string): string | undefined {
    const [key, own] = [keyOf(folder, path), branchOf(folder)];
    return otherIn(this.#claims, urn, ({ paths, branch }) => branch === own && paths.has(key));
  }

  /**
   * The other resource that moves in this run away from a folder in which the path lies, at any depth, or whose files wait
   * there: its cluster may follow that for a while.
   */
  leftBy(urn: string, folder: Folder, path: string): Leaver | undefined {
    return this.#leaverOf(urn, branchOf(folder), fullPath(folder.directory, path));
  }

  /** All that is known by now of a resource and others that come to where it leaves, or leave where it comes. */
  meetings(urn: string): Meeting[] {
    const own = this.#claims.get(urn);
    const places = [...(this.#waiting.get(urn) ?? []), ...(own?.left ? [own.left] : [])];
    const found = (own?.comesTo ?? []).flatMap((path): Meeting[] => {
      const leaver = this.#leaverOf(urn, own?.branch ?? "", path);
      return own !== undefined && stops(leaver, own.decided) ? [{ comer: urn, leaver, path }] : [];
    });
    if (places.length === 0) return found;
    for (const [comer, claim] of this.#claims) {
      for (const path of comer === urn ? [] : claim.comesTo) {
        const leaver = leaverAt(urn, places, claim.branch, path);
        if (stops(leaver, claim.decided)) found.push({ comer, leaver, path });
      }
    }
    return found;
  }

  #leaverOf(urn: string, branch: string, path: string): Leaver | undefined {
    for (const [other, places] of this.#waiting) {
      const leaver = other === urn ? undefined : leaverAt(other, places, branch, path);
      if (leaver !== undefined) return leaver;
    }
    const other = otherIn(this.#claims, urn, ({ left }) => left !== undefined && holds(left, branch, path));
    return other === undefined ? undefined : { urn: other, ends: false, waits: false };
  }
}

/** Whether one that comes is refused for another that leaves; `decided` as in Claims.set. */
export function stops(leaver: Leaver | undefined, decided: boolean): leaver is Leaver {
  return leaver !== undefined && (!decided || leaver.waits);
}

/** The first other resource of which something holds. Asked for every file of a run, so nothing is copied for it. */
function otherIn<T>(
  all: ReadonlyMap<string, T>,
  urn: string,
  holds: (value: T, other: string) => boolean,
): string | undefined {
  for (const [other, value] of all) if (other !== urn && holds(value, other)) return other;
  return undefined;
}

function branchOf({ repository: url, branch }: Folder): string {
  return branchKey({ url, branch });
}

function leaverAt(urn: string, places: readonly Waits[], on: string, path: string): Leaver | undefined {
  const found = places.filter((place) => holds(place, on, path));
  if (found.length === 0) return undefined;
  const waits = found.some(({ files }) => files?.has(path));
  return { urn, ends: found.every(({ ends }) => ends), waits };
}

function holds({ branch, folders }: Waits, on: string, path: string): boolean {
  return branch === on && folders.some((folder) => isInside(path, folder));
}

function foldersAt({ directory, paths }: Place): string[] {
  return followedFolders(fullPaths(directory, paths));
}

function keysOf(place: Place): ReadonlySet<string> {
  return new Set(place.paths.map((path) => keyOf(place, path)));
}

/**
 * Not by repository: two URLs may lead to the same one, and a file that is left behind does less harm than one that is
 * missing.
 */
function keyOf({ branch, directory }: Folder, path: string): string {
  return `${branch} ${fullPath(directory, path)}`;
}
