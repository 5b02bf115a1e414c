import { fullPath } from "../git/plan.ts";

interface Place {
  readonly repository: string;
  readonly branch: string;
  readonly directory: string;
}

/**
 * Which paths the resources of one run want. The engine checks every live resource before it deletes any that is gone,
 * so a delete can leave what another resource has taken over, and renaming a resource takes nothing away.
 */
export class Claims {
  readonly #pathsOf = new Map<string, ReadonlySet<string>>();

  /** Notes what a resource wants, in place of what it wanted before. */
  set(urn: string, place: Place, paths: readonly string[]): void {
    this.#pathsOf.set(urn, new Set(paths.map((path) => keyOf(place, path))));
  }

  /** Whether another resource wants the path. */
  isTaken(urn: string, place: Place, path: string): boolean {
    const key = keyOf(place, path);
    return [...this.#pathsOf].some(([other, paths]) => other !== urn && paths.has(key));
  }
}

/**
 * Not by repository: two URLs may lead to the same one, and a file that is left behind does less harm than one that is
 * missing.
 */
function keyOf({ branch, directory }: Place, path: string): string {
  return `${branch} ${fullPath(directory, path)}`;
}
