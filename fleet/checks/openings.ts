import { own } from "../layers.ts";
import { concerns, datedSpans, lastDay } from "../window/datedOpenings.ts";
import { hasWindow } from "../window/resolveWindows.ts";
import { probable } from "../../values/nearest.ts";
import { show } from "../../values/show.ts";
import type { Check } from "./report.ts";

/** Openings of windows by hand: when they are, for whom, and those that are over. */
export const checkOpenings: Check = ({ file, views, options, report, warn }) => {
  for (const [window, { openings = {} }] of Object.entries(file.windows)) {
    for (const [start, opening] of Object.entries(openings)) {
      const at = ["windows", window, "openings", start];
      const time = new Date(start);
      // What has another form is a finding of its own; the 30th of February is none.
      if (Number.isNaN(time.getTime()) || time.toISOString().slice(0, 16) !== start.slice(0, 16)) {
        report(
          at,
          `${show(start)} is not a time; write a day of the calendar, such as 2026-12-01T10:00Z`,
          "key",
        );
        continue;
      }
      const spans = datedSpans(start, opening);
      if (!Array.isArray(spans)) {
        report([...at, "for"], spans.message);
        continue;
      }
      const names = (given: readonly string[] | undefined, all: object, field: string, what: string) => {
        for (const [index, name] of (given ?? []).entries()) {
          if (own(all as Record<string, unknown>, name) !== undefined) continue;
          const near = probable(name, Object.keys(all));
          report(
            [...at, field, index],
            `${show(name)} is not a ${what} of the fleet file${near === undefined ? "" : `; did you mean ${near}?`}`,
          );
        }
      };
      names(opening.stages, file.stages, "stages", "stage");
      names(opening.clusters, file.clusters, "clusters", "cluster");
      if (options.today !== undefined && time.getTime() > Date.parse(options.today) + 364 * 86_400_000)
        report(
          at,
          "is more than a year ahead, and cron knows no years: it would come before too; write it then",
          "key",
        );
      const over = options.today !== undefined && lastDay(start, spans) < options.today;
      if (over) warn(at, "is over; take it out and update its clusters, or it comes again in a year", "key");
      if (!views.some((view) => concerns(opening, view) && hasWindow(file, [window], view)))
        warn(at, `is for no cluster that has window ${window}; correct stages, match or clusters`, "key");
    }
  }
};
