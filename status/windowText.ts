import { wallTime } from "../fleet/window/index.ts";
import type { WindowStatus } from "./model.ts";

/** `window nightly: shut since 2026-11-28 04:00, opens 2026-11-29 01:00 (Europe/Berlin), missed 3 openings`. */
export function windowText({
  name,
  timeZone: zone,
  open,
  since,
  until,
  missed = 0,
  frozenUntil,
}: WindowStatus): string {
  const parts = [
    `${open ? "open" : "shut"}${since === undefined ? "" : ` since ${wall(since, zone)}`}`,
    ...(until === undefined ? [] : [`${open ? "closes" : "opens"} ${wall(until, zone)}`]),
  ];
  const more = [
    ...(missed > 0 ? [`missed ${missed} ${missed === 1 ? "opening" : "openings"}`] : []),
    ...(frozenUntil === undefined ? [] : [`frozen until ${frozenUntil}`]),
  ];
  return [`window ${name}: ${parts.join(", ")} (${zone})`, ...more].join(", ");
}

function wall(iso: string, zone: string): string {
  const { year, month, day, minute } = wallTime(Date.parse(iso), zone);
  const two = (number: number): string => String(number).padStart(2, "0");
  return `${year}-${two(month)}-${two(day)} ${two(Math.floor(minute / 60))}:${two(minute % 60)}`;
}
