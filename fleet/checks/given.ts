/** Names and maps of a fleet file as it was read, faulty entries among them. */

type Entries = Readonly<Record<string, unknown>>;

/** Every entry of `sets` or `apps` that stages, groups and clusters hold: where it stands, its name and what is written. */
export function* heldEntries(
  data: unknown,
  section: "sets" | "apps",
): Generator<{ readonly path: readonly [string, string, string, string]; readonly value: unknown }> {
  for (const part of ["stages", "groups", "clusters"]) {
    for (const [holder, entry] of Object.entries(mapOf(mapOf(data)[part]))) {
      for (const [name, value] of Object.entries(mapOf(mapOf(entry)[section])))
        yield { path: [part, holder, section, name], value };
    }
  }
}

/** What stages, groups and clusters give, and do not opt out of. */
export function namesGiven(data: unknown, section: "sets" | "apps"): Set<string> {
  const names = new Set<string>();
  for (const { path, value } of heldEntries(data, section)) if (value !== null) names.add(path[3]);
  return names;
}

export function mapOf(value: unknown): Entries {
  return typeof value === "object" && value !== null ? (value as Entries) : {};
}
