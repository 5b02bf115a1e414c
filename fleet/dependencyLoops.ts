interface Dependent {
  readonly name: string;
  readonly dependsOn: readonly string[];
}

/** So many names of loops are told at once; when those are gone come the next. */
const mostNames = 100_000;

/**
 * The loops among sets, each closed and begun at its first name in the alphabet: `["a", "b", "a"]`. Every set that waits
 * for itself is on one of them; a loop that shares all its edges with others may be left out. Names that are no set are
 * passed over. Of very many loops the first ones are there.
 */
export function dependencyLoops(sets: readonly Dependent[]): string[][] {
  const edges = new Map(sets.map(({ name, dependsOn }) => [name, dependsOn]));
  const done = new Set<string>();
  const loops = new Map<string, string[]>();
  let names = 0;

  for (const start of [...edges.keys()].sort()) {
    // A stack of its own: a chain of ten thousand sets must not exhaust the call stack.
    const way = new Map<string, number>();
    const stack = [start];
    while (stack.length > 0) {
      const name = stack.at(-1)!;
      const next = way.get(name) ?? 0;
      const target = edges.get(name)?.[next];
      if (done.has(name) || target === undefined) {
        done.add(name);
        way.delete(name);
        stack.pop();
        continue;
      }
      way.set(name, next + 1);
      if (way.has(target)) {
        if (names > mostNames) continue;
        const loop = closed(stack.slice(stack.indexOf(target)));
        names += loop.length;
        loops.set(loop.join(" "), loop);
      } else if (edges.has(target) && !done.has(target)) {
        stack.push(target);
      }
    }
  }
  return [...loops.values()];
}

function closed(loop: readonly string[]): string[] {
  const first = loop.reduce((least, name, index) => (name < loop[least]! ? index : least), 0);
  const turned = [...loop.slice(first), ...loop.slice(0, first)];
  return [...turned, turned[0]!];
}
