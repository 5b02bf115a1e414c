/**
 * Faults of which the first line alone differs, said once: a host that is out of reach is so for each of its branches.
 * Those of one line are about that line, and stay.
 */
export function sayOnce(faults: readonly string[]): string[] {
  const why = (fault: string): string => (fault.includes("\n") ? fault.slice(fault.indexOf("\n")) : fault);
  return [...Map.groupBy(faults, why).values()].map(([first]) => first!);
}
