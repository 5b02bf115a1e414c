import type { Path } from "../finding.ts";
import { own, type View } from "../layers.ts";
import type { Span, Window } from "../model.ts";
import { rules } from "../rules.ts";
import type { WindowEntry } from "../schema/window.ts";
import { placeholders } from "../template.ts";
import { timeZoneFault } from "../timeZone.ts";
import { valueAt } from "../withoutFaults.ts";
import { fewerPulses, mostCronJobs } from "../window/pulses.ts";
import {
  declaredWindows,
  hasWindow,
  isFault,
  resolveSpans,
  type DeclaredWindows,
} from "../window/resolveWindows.ts";
import { clock, overlap, spanText } from "../window/spans.ts";
import { skippedSpans } from "../window/zone.ts";
import { show, showNames } from "../../values/show.ts";
import { Shared, type Check, type Checked } from "./report.ts";

/** What the times of a window say together, and what its jobs can do with them. */
export const checkWindows: Check = (checked) => {
  const { file, fleet, views, report, warn } = checked;
  const [errors, warnings] = [new Shared(), new Shared()];
  for (const [name, entry] of Object.entries(file.windows)) {
    if (entry.spans !== undefined && (entry.open ?? entry.close ?? entry.duration) !== undefined) {
      report(["windows", name, "spans"], "stands beside open; write one of the two", "key");
    }
    for (const view of zonesOf(entry, views)) checkSpans(name, entry, view, checked, [errors, warnings]);
  }
  const declared = declaredWindows(file);
  for (const [name, names] of declared) {
    if (names.length < 2 || rules.windowName.pattern.test(name)) continue;
    report(
      ["windows", names[0]!],
      `and ${names.slice(1).join(", ")} together make a window ${name}, whose name is longer than 30; declare one window with all spans`,
      "key",
    );
  }
  for (const [index, cluster] of fleet.clusters.entries()) {
    for (const window of cluster.windows) checkPulses(window, cluster.name, errors);
    checkMatched(checked, index, declared, errors);
  }
  errors.report(report);
  warnings.report(warn);
};

/** One view for each time zone that a window has, since all else of its spans is the same everywhere. */
function zonesOf(entry: WindowEntry, views: readonly View[]): View[] {
  const zones = new Map<string, View>();
  for (const view of views) {
    const values = placeholders({ ...view.entry, name: view.name });
    const zone = [entry, ...(entry.spans ?? [])]
      .map(({ timeZone = "" }) =>
        timeZone.replace(/^\{(.*)\}$/, (_, key: string) => values[key] ?? `{${key}}`),
      )
      .join(" ");
    if (!zones.has(zone)) zones.set(zone, view);
  }
  return [...zones.values()];
}

function checkSpans(
  name: string,
  entry: WindowEntry,
  view: View,
  checked: Checked,
  [errors, warnings]: readonly [Shared, Shared],
): void {
  const { report, options } = checked;
  const at = ["windows", name];
  const all: { span: Span; path: Path }[] = [];
  for (const { index, spans } of resolveSpans(entry, view)) {
    const path = index === undefined ? at : [...at, "spans", index];
    if (isFault(spans)) {
      // What is wrong by itself was left out of the file, and reported.
      if (times.some((field) => isLeftOut([...path, field], checked))) continue;
      const missing = own(index === undefined ? entry : entry.spans![index]!, spans.field) === undefined;
      report(missing ? path : [...path, spans.field], spans.message, missing ? "key" : "value");
      continue;
    }
    for (const span of spans) {
      const fault = zoneFault(span.timeZone);
      if (fault !== undefined) errors.add([...path, "timeZone"], fault, view.name);
      else {
        const clash = all.find((other) => overlap(other.span, span));
        if (clash) {
          warnings.add(
            path,
            `meets ${spanText(clash.span)}, so both are one longer span; write one`,
            view.name,
          );
        }
        for (const skipped of options.today === undefined
          ? []
          : skippedSpans(span, Date.parse(options.today)))
          warnings.add(
            path,
            `${clock(span.opens)}-${clock(span.opens + span.lasts)} does not exist in ${span.timeZone} on ${skipped}, when clocks go forward: nothing opens that day; open earlier or close later`,
            view.name,
          );
      }
      all.push({ span, path });
    }
  }
}

const times = ["open", "close", "duration"] as const;

function isLeftOut(path: Path, { file, data }: Checked): boolean {
  return valueAt(data, path) !== undefined && valueAt(file, path) === undefined;
}

function zoneFault(zone: string): string | undefined {
  const [, missing] = /^\{(.*)\}$/.exec(zone) ?? [];
  if (missing !== undefined)
    return `has the placeholder {${missing}}, and no attribute of that name; write attributes: { ${missing}: Europe/Berlin } on the cluster, or the zone itself`;
  const fault = timeZoneFault(zone);
  return fault && `${show(zone)} ${fault}`;
}

/** How many CronJobs a window needs, and whether what it fetches can be applied before it closes. */
function checkPulses({ name, spans, settle, pulses }: Window, cluster: string, errors: Shared): void {
  const at = ["windows", name];
  const short = spans.find(({ lasts }) => lasts < settle);
  if (short !== undefined) {
    errors.add(
      at,
      `is open ${short.lasts} minutes, less than the ${settle} that its sets may take (their longest timeout, or settle); open it longer, or write shorter timeouts`,
      cluster,
    );
  }
  const needed = pulses.length + 1;
  if (needed <= mostCronJobs || spans.length === 0) return;
  const fewer = fewerPulses(spans, settle);
  const way = fewer
    ? `write spans on full hours, such as ${showNames([...new Set(fewer.map(spanText))], 4)}`
    : "divide its spans among two windows";
  errors.add(at, `needs ${needed} CronJobs, and has ${mostCronJobs} at most; ${way}`, cluster);
}

/** A set whose window the cluster does not have. */
function checkMatched(
  { file, fleet, views }: Checked,
  index: number,
  declared: DeclaredWindows,
  errors: Shared,
): void {
  const [cluster, view] = [fleet.clusters[index]!, views[index]!];
  for (const { name, window } of cluster.sets) {
    const names = window === undefined ? undefined : declared.get(window);
    const missing = names?.find((each) => !hasWindow(file, [each], view));
    if (missing === undefined || own(file.windows, missing) === undefined) continue;
    errors.add(
      ["windows", missing, "match"],
      `leaves out clusters whose set ${name} is in the window; match them too, or take window off the set there`,
      cluster.name,
    );
  }
}
