/** The record with each key changed. */
export function mapKeys<T>(
  record: Readonly<Record<string, T>>,
  change: (key: string) => string,
): Record<string, T> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [change(key), value]));
}
