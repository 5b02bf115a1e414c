/** Options by name, each with the values that it may have. */
export type Options = Readonly<Record<string, readonly unknown[]>>;
type Case<O extends Options> = { readonly [Name in keyof O]: O[Name][number] };

/** Cases in which every pair of values of two options occurs at least once: far fewer than all combinations. */
export function pairwise<O extends Options>(options: O): Case<O>[] {
  const names = Object.keys(options);
  const key = (a: string, x: number, b: string, y: number): string => `${a}=${x} ${b}=${y}`;
  const open = new Set(
    names.flatMap((a, at) =>
      names
        .slice(at + 1)
        .flatMap((b) => options[a]!.flatMap((_, x) => options[b]!.map((__, y) => key(a, x, b, y)))),
    ),
  );
  const cases: Case<O>[] = [];
  for (let [first] = open; first !== undefined; [first] = open) {
    const chosen = new Map(
      first
        .split(" ")
        .map((part) => part.split("="))
        .map(([name = "", index = "0"]) => [name, Number(index)]),
    );
    const gains = (name: string, index: number): number =>
      [...chosen].filter(([other, value]) => {
        const inOrder = names.indexOf(other) < names.indexOf(name);
        return open.has(inOrder ? key(other, value, name, index) : key(name, index, other, value));
      }).length;
    for (const name of names) {
      if (chosen.has(name)) continue;
      const ranked = options[name]!.map((_, index) => ({ index, gain: gains(name, index) }));
      chosen.set(name, ranked.reduce((best, one) => (one.gain > best.gain ? one : best)).index);
    }
    for (const [a, x] of chosen) for (const [b, y] of chosen) open.delete(key(a, x, b, y));
    const entries = names.map((name) => [name, options[name]![chosen.get(name) ?? 0]]);
    cases.push(Object.fromEntries(entries) as Case<O>);
  }
  return cases;
}
