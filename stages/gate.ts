/** What a promotion or rollback has to pass, in the order in which they are shown. */
export const gateNames = [
  "hotfixes",
  "rollback",
  "order",
  "definitions",
  "deletions",
  "ready",
  "soak",
  "checks",
  "freeze",
  "limit",
] as const;
export type GateName = (typeof gateNames)[number];

/** What one gate says. `passedOver`: it would stop, and somebody said why it must not. */
export interface Gate {
  readonly gate: GateName;
  readonly state: "passes" | "stops" | "passedOver";
  /** What was seen and, where it stops, the next step. */
  readonly text: string;
  /** Set where more clusters fail than may, which no waiting mends. */
  readonly isFailing?: boolean;
}

export function passes(gate: GateName, text: string): Gate {
  return { gate, state: "passes", text };
}

export function stops(gate: GateName, text: string): Gate {
  return { gate, state: "stops", text };
}

/** Stops, unless there is a reason to go on. */
export function stopsUnless(reason: string | undefined, gate: GateName, text: string, way: string): Gate {
  return reason === undefined
    ? stops(gate, `${text}. ${way}`)
    : { gate, state: "passedOver", text: `${text}; passed over: ${reason}` };
}

/** Gates that only need time: a schedule or a pipeline may ask again. */
const waiting: readonly GateName[] = ["ready", "soak"];

/** Whether nothing but time is missing. */
export function onlyWaits(gates: readonly Gate[]): boolean {
  const stopping = gates.filter(({ state }) => state === "stops");
  return stopping.length > 0 && stopping.every(({ gate }) => waiting.includes(gate));
}
