import type { Path } from "../finding.ts";
import { allHolders } from "../layers.ts";
import { probable } from "../../values/nearest.ts";
import { show, showNames } from "../../values/show.ts";
import { declared, type Check, type Checked } from "./report.ts";
import type { SetFields } from "../schema/set.ts";

/** Names that stand for something else in the file: sources, windows, tenants, stages, sets of alerts. */
export const checkReferences: Check = (checked) => {
  const { file, fleet, report } = checked;
  const name = nameChecker(checked);
  const windows = (path: Path, { window }: Pick<SetFields, "window">) => {
    if (!Array.isArray(window)) name([...path, "window"], window, "windows", "window");
    else
      for (const [index, one] of window.entries()) name([...path, "window", index], one, "windows", "window");
  };
  windows(["defaults"], file.defaults);
  const fields = (path: Path, set: SetFields | null | undefined) => {
    if (!set) return;
    name([...path, "source"], set.source, "sources", "source");
    windows(path, set);
    name([...path, "tenant"], set.tenant, "tenants", "tenant");
    if (set.source != null && set.sourceRef != null) {
      report([...path, "sourceRef"], "stands beside source, which says the same; write one of them", "key");
    }
  };
  for (const [set, entry] of Object.entries(file.sets)) fields(["sets", set], entry);
  for (const { path, entry } of allHolders(file)) {
    for (const set in entry.sets) fields([...path, "sets", set], entry.sets[set]);
    if (entry.defaults) windows([...path, "defaults"], entry.defaults);
    for (const source in entry.pins) name([...path, "pins", source], source, "sources", "source", "key");
  }
  for (const [cluster, { stage }] of Object.entries(file.clusters))
    name(["clusters", cluster, "stage"], stage, "stages", "stage");
  for (const [stage, { after }] of Object.entries(file.stages))
    name(["stages", stage, "after"], after, "stages", "stage");

  for (const [tenant, { sources }] of Object.entries(file.tenants))
    for (const [index, source] of (sources ?? []).entries())
      name(["tenants", tenant, "sources", index], source, "sources", "source");

  for (const [freeze, { stages }] of Object.entries(file.freezes))
    for (const [index, stage] of (stages ?? []).entries())
      name(["freezes", freeze, "stages", index], stage, "stages", "stage");

  const shared = new Set(declared(checked, "sets"));
  const taken = new Set(fleet.clusters.flatMap(({ sets }) => sets.map((set) => set.name)));
  for (const [alert, { sets }] of Object.entries(file.alerts)) {
    for (const [index, set] of (sets ?? []).entries()) {
      if (taken.has(set) || shared.has(set)) continue;
      report(["alerts", alert, "sets", index], unknownName(set, "set", taken));
    }
  }
};

function nameChecker(checked: Checked) {
  const known = new Map<string, Set<string>>();
  return (path: Path, name: string | null | undefined, section: string, kind: string, at?: "key") => {
    if (name == null) return;
    let names = known.get(section);
    if (names === undefined) known.set(section, (names = new Set(declared(checked, section))));
    if (!names.has(name)) checked.report(path, unknownName(name, kind, names), at);
  };
}

function unknownName(name: string, kind: string, names: ReadonlySet<string>): string {
  const near = probable(name, names);
  const hint = near === undefined ? "" : ` Did you mean ${near}?`;
  const there = names.size > 0 ? `, or write one of those there: ${showNames(names)}` : "";
  return `${show(name)} is not a ${kind} of the fleet file; declare it under ${kind}s${there}.${hint}`;
}
