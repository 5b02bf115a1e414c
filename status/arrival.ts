import { showSome } from "../values/show.ts";

/** What was last told to Azure about a cluster: a part of the stack's output `clusters`. */
export interface Sent {
  /** ISO; when Azure took the configuration. */
  readonly at: string;
  /** Which credential it was told, by the beginning of its SHA-256; absent for a public repository. */
  readonly credential?: string;
  /** Which one it had before, until the cluster is known to have the new one. */
  readonly replaces?: string;
  /** How often it was sent again though nothing had changed. */
  readonly again?: number;
}

/** How what was sent fares. */
export interface Arrival {
  /** `unknown` where nobody could tell, such as before anything was sent. */
  readonly state: "arrived" | "under way" | "dropped" | "unknown";
  readonly before: Sent | undefined;
}

/** Azure keeps what a cluster has not fetched for so long, in milliseconds; secrets may go earlier. */
const keeps = 48 * 3_600_000;

/**
 * Whether what was last sent has reached a cluster: since then it has told Azure how it fares. `told` is what Azure says of
 * the cluster now, with the time of that report as ISO or null where there was none yet; undefined where nobody could ask.
 */
export function arrivalOf(
  before: Sent | undefined,
  told: { readonly toldAt: string | null } | undefined,
  now: number,
): Arrival {
  const sent = Date.parse(before?.at ?? "");
  if (Number.isNaN(sent) || told === undefined) return { state: "unknown", before };
  if (Date.parse(told.toldAt ?? "") >= sent) return { state: "arrived", before };
  return { state: now - sent > keeps ? "dropped" : "under way", before };
}

/** What is to be known of a fleet: what has to be sent again, and who still reads with an old credential. */
export function arrivalNotes(arrivals: ReadonlyMap<string, Arrival>): string[] {
  const all = [...arrivals];
  const dropped = all.filter(([, { state }]) => state === "dropped");
  const lacking = all.filter(
    ([, { state, before }]) => state !== "arrived" && before?.replaces !== undefined,
  );
  return [
    ...(dropped.length === 0
      ? []
      : [
          `${showSome(dropped.map(([name]) => name))}: what was sent last (${day(dropped)}) did not arrive within 48 hours, so Azure dropped it, credentials too. ` +
            "The next update sends it again, though nothing changed.",
        ]),
    ...[
      ...Map.groupBy(lacking, ([, { before }]) => `${before?.credential} ${before?.replaces}`).values(),
    ].map(
      (group) =>
        `${showSome(group.map(([name]) => name))}: credential ${group[0]?.[1].before?.credential ?? "none"}, sent ${day(group)}, has not arrived. ` +
        `Keep ${group[0]?.[1].before?.replaces} valid at the Git host until it has.`,
    ),
  ];
}

/** The earliest day. */
function day(some: readonly (readonly [string, Arrival])[]): string {
  return some.map(([, { before }]) => before?.at.slice(0, 10) ?? "").sort()[0] ?? "";
}
