import type { Cluster } from "../fleet/model.ts";
import { openingsUnder, wallTime } from "../fleet/window/index.ts";

/**
 * When a window of a cluster opens next, by the clocks of its zone: `01:00`, with the date where it is not within a day;
 * `now` while it is open. Undefined where it does not within a year.
 */
export function nextOpening({ windows, freeze }: Cluster, name: string, now: Date): string | undefined {
  const window = windows.find((each) => each.name === name);
  const [opening] = window === undefined ? [] : openingsUnder(freeze, window, now.getTime(), 1);
  if (window === undefined || opening === undefined) return undefined;
  if (opening.opens <= now.getTime()) return "now";
  const { year, month, day, minute } = wallTime(opening.opens, window.spans[0]?.timeZone ?? "Etc/UTC");
  const two = (number: number): string => String(number).padStart(2, "0");
  const time = `${two(Math.floor(minute / 60))}:${two(minute % 60)}`;
  return opening.opens - now.getTime() < 86_400_000 ? time : `${year}-${two(month)}-${two(day)} ${time}`;
}
