type Plain = Readonly<Record<string, unknown>>;

/** What one manager has applied of an object, by the server's own record: name, kind and what others set are not in it. */
export function ownedFields(live: Plain, manager: string): unknown {
  const { managedFields } = live["metadata"] as { managedFields?: readonly Plain[] };
  const entry = (managedFields ?? []).find(
    (each) => each["manager"] === manager && each["operation"] === "Apply",
  );
  if (entry === undefined) throw new Error(`${manager} has applied nothing of this object.`);
  return owned(live, entry["fieldsV1"] as Plain);
}

/** The part of a value that is listed: `f:name` for a field, `k:{…}` and `v:…` for entries of a list; nothing means all. */
function owned(value: unknown, fields: Plain): unknown {
  const inside = Object.entries(fields).filter(([key]) => key !== ".");
  if (inside.length === 0) return value;
  if (Array.isArray(value)) {
    const entries = value as readonly unknown[];
    return inside.flatMap(([key, below]) => {
      const wanted = JSON.parse(key.slice(2)) as unknown;
      const found = entries.find((each) =>
        key.startsWith("v:") ? each === wanted : fits(each as Plain, wanted as Plain),
      );
      return found === undefined ? [] : [owned(found, below as Plain)];
    });
  }
  return Object.fromEntries(
    inside.flatMap(([key, below]) => {
      const name = key.slice(2);
      const map = value as Plain;
      return name in map ? [[name, owned(map[name], below as Plain)]] : [];
    }),
  );
}

function fits(entry: Plain, keys: Plain): boolean {
  return Object.entries(keys).every(([key, value]) => entry[key] === value);
}
