import { branchKey } from "../git/branchKey.ts";
import { fullPath, fullPaths } from "../git/plan.ts";
import { folderOf, isInside, outermost } from "../git/vacate.ts";
import { resourceName } from "./provenance.ts";

/** Where a resource has its files, or wants them. */
export interface Place {
  readonly repository: string;
  readonly branch: string;
  readonly directory: string;
  /** Below the directory. */
  readonly paths: readonly string[];
}

/** Milliseconds after which the engine, having checked one resource, has come to the next if it can. */
const quiet = 200;

type Folder = Omit<Place, "paths">;

interface Claim {
  readonly paths: ReadonlySet<string>;
  readonly branch: string;
  /** Paths from the root that it comes to from elsewhere, or is new at, unless somebody has decided that it may. */
  readonly comesTo: readonly string[];
  /** Where its files were before this run. */
  readonly before: ReadonlySet<string>;
  /** The folders that it moves away from in this run, from the root. */
  readonly left: Waits | undefined;
}

/** Folders that a cluster may follow, from the root. */
interface Waits {
  readonly folders: readonly string[];
  readonly branch: string;
  /** Whether this run takes out what waits there. */
  readonly ends?: boolean;
}

/** Of a path that one resource wants, the one that leaves the folder, in this run or an earlier one. */
export interface Leaver {
  readonly urn: string;
  /** Whether this run takes out what waits there. */
  readonly ends: boolean;
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
  readonly #claims = new Map<string, Claim>();
  readonly #waiting = new Map<string, readonly Waits[]>();
  /** URNs of those that moved in this run. */
  readonly #arrived = new Set<string>();
  /** Names of the resources of `#waiting`. */
  readonly #seen = new Set<string>();
  #noted = Promise.withResolvers<void>();
  /** Milliseconds. */
  #patience = 2000;

  /**
   * Notes what a resource wants, in place of what it wanted before, and where it was when the run began. `decided`: whether
   * it may come to where another leaves.
   */
  set(urn: string, wanted: Place, before?: Place, { decided = false } = {}): void {
    const was = before === undefined ? new Set<string>() : keysOf(before);
    const claim = { paths: keysOf(wanted), branch: branchOf(wanted), before: was };
    const left = before && { folders: foldersAt(before), branch: branchOf(before) };
    const moves = before?.directory !== wanted.directory || left?.branch !== claim.branch;
    const fresh = wanted.paths.filter((path) => !was.has(keyOf(wanted, path)));
    const comesTo = moves && !decided ? fullPaths(wanted.directory, fresh) : [];
    this.#claims.set(urn, { ...claim, comesTo, left: moves ? left : undefined });
    // Of one that is new there is no more to know.
    if (before === undefined) this.waits(urn, []);
  }

  /** Notes where files of a resource wait for its cluster to follow, as its state says, and whether this run ends that. */
  waits(urn: string, places: readonly (Place & Pick<Waits, "ends">)[]): void {
    const waiting = places.map((place) => ({
      ...{ folders: foldersAt(place), branch: branchOf(place) },
      ...(place.ends && { ends: true }),
    }));
    this.#waiting.set(urn, waiting);
    this.#seen.add(resourceName(urn));
    this.#noted.resolve();
    this.#noted = Promise.withResolvers();
  }

  /** Notes that nothing stops a resource from coming to where it is to be. */
  arrives(urn: string): void {
    this.#arrived.add(urn);
  }

  /**
   * Whether another resource wants the path. Where this one's files wait, and this run ends that, one that moves there is
   * refused, and may not come back to it: that counts only once nothing has stopped it.
   */
  isTaken(urn: string, folder: Folder, path: string): boolean {
    const [key, full] = [keyOf(folder, path), fullPath(folder.directory, path)];
    const ending = this.#waiting.get(urn)?.filter(({ ends }) => ends) ?? [];
    const branch = ending.length > 0 ? branchOf(folder) : "";
    const ends = ending.some((place) => holds(place, branch, full));
    const isRefused = (other: string, { left, comesTo }: Claim): boolean =>
      left !== undefined && comesTo.includes(full) && !this.#arrived.has(other);
    const wants = (claim: Claim, other: string): boolean =>
      claim.paths.has(key) && !(ends && isRefused(other, claim));
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
      return leaver === undefined ? [] : [{ comer: urn, leaver, path }];
    });
    if (places.length === 0) return found;
    for (const [comer, { branch, comesTo }] of this.#claims) {
      for (const path of comer === urn ? [] : comesTo) {
        const place = places.find((one) => holds(one, branch, path));
        if (place !== undefined) found.push({ comer, leaver: { urn, ends: place.ends === true }, path });
      }
    }
    return found;
  }

  #leaverOf(urn: string, branch: string, path: string): Leaver | undefined {
    for (const [other, places] of this.#waiting) {
      const place = other === urn ? undefined : places.find((one) => holds(one, branch, path));
      if (place !== undefined) return { urn: other, ends: place.ends === true };
    }
    const other = otherIn(this.#claims, urn, ({ left }) => left !== undefined && holds(left, branch, path));
    return other === undefined ? undefined : { urn: other, ends: false };
  }

  /**
   * Waits until something was noted of the resources of these names, since the engine may be about to. Not for ever: one
   * that is no part of the program any more is never checked.
   */
  async waitFor(names: readonly string[]): Promise<void> {
    const over = after(this.#patience);
    while (!names.every((name) => this.isSeen(name))) {
      if ((await Promise.race([this.#noted.promise, over])) !== false) continue;
      // A thousand renamed resources must not wait one after the other.
      this.#patience = 50;
      return;
    }
  }

  /** Whether anything was noted of a resource of this name in this run. */
  isSeen(name: string): boolean {
    return this.#seen.has(name);
  }

  /** Waits until nothing was noted of any resource for a while, as far as patience goes. */
  async settle(): Promise<void> {
    const end = Date.now() + this.#patience;
    while ((await Promise.race([this.#noted.promise, after(quiet)])) !== false) if (Date.now() > end) return;
  }
}

function after(milliseconds: number): Promise<false> {
  return new Promise((resolve) => setTimeout(() => resolve(false), milliseconds).unref());
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

function holds({ branch, folders }: Waits, on: string, path: string): boolean {
  return branch === on && folders.some((folder) => isInside(path, folder));
}

/** The folders that a cluster follows where files are at a place. */
function foldersAt({ directory, paths }: Place): string[] {
  return outermost(fullPaths(directory, paths).map(folderOf));
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
