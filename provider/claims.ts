import { branchKey } from "../git/branchKey.ts";
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
  readonly #pathsOf = new Map<string, { readonly paths: ReadonlySet<string>; readonly branch: string }>();

  /** Notes what a resource wants, in place of what it wanted before. */
  set(urn: string, place: Place, paths: readonly string[]): void {
    const keys = new Set(paths.map((path) => keyOf(place, path)));
    this.#pathsOf.set(urn, { paths: keys, branch: branchOf(place) });
  }

  /** Whether another resource wants the path. */
  isTaken(urn: string, place: Place, path: string): boolean {
    const key = keyOf(place, path);
    return [...this.#pathsOf].some(([other, { paths }]) => other !== urn && paths.has(key));
  }

  /** The other resource that wants the very file: of the same repository, by the spelling of its URL. */
  holderOf(urn: string, place: Place, path: string): string | undefined {
    const [key, branch] = [keyOf(place, path), branchOf(place)];
    const found = [...this.#pathsOf].find(
      ([other, claim]) => other !== urn && claim.branch === branch && claim.paths.has(key),
    );
    return found?.[0];
  }
}

function branchOf({ repository: url, branch }: Place): string {
  return branchKey({ url, branch });
}

/**
 * Not by repository: two URLs may lead to the same one, and a file that is left behind does less harm than one that is
 * missing.
 */
function keyOf({ branch, directory }: Place, path: string): string {
  return `${branch} ${fullPath(directory, path)}`;
}
