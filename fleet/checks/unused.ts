import { didYouMean, Speller } from "../../values/nearest.ts";
import { show, showNames } from "../../values/show.ts";
import type { Path } from "../finding.ts";
import { matchable, matches } from "../layers.ts";
import { heldEntries, mapOf, namesGiven } from "./given.ts";
import { misspelt } from "./misspelt.ts";
import { declared, type Check, type Checked } from "./report.ts";

type Labels = Readonly<Record<string, string>>;

/** What is declared and taken by nothing, or matches nothing: most often a name that was misspelt elsewhere. */
export const checkUnused: Check = (checked) => {
  // Without clusters nothing is used, which is a finding of its own.
  if (checked.fleet.clusters.length === 0) return;
  checkMatches(checked);
  checkSharedSets(checked);
  checkWindows(checked);
};

/** Groups and alerts that no cluster has the labels of, and alerts that then find no set to report on. */
function checkMatches({ file, fleet, warn }: Checked): void {
  const labels = fleet.clusters.map(matchable);
  const hints = new LabelHints(labels);
  const matchesNone = (path: Path, match: Labels) => {
    const wanted = Object.entries(match);
    if (labels.some((own) => matches(own, wanted))) return false;
    const shown = show(wanted.map(([key, value]) => `${key}: ${value}`).join(", "));
    warn(
      [...path, "match"],
      `matches no cluster: none has the labels ${shown}; correct the labels or drop the ${path[0] === "groups" ? "group" : "alert"}.${hints.of(match)}`,
    );
    return true;
  };
  for (const [name, { match }] of Object.entries(file.groups)) matchesNone(["groups", name], match);
  const reporting = new Set(fleet.clusters.flatMap(({ alerts }) => alerts.map((alert) => alert.name)));
  for (const [name, { match = {}, sets }] of Object.entries(file.alerts)) {
    if (reporting.has(name) || matchesNone(["alerts", name], match)) continue;
    const what = sets === undefined ? "any set" : showNames(sets, 5);
    warn(
      ["alerts", name],
      `reports on nothing, since no cluster that it is for has ${what}; correct it or drop it`,
      "key",
    );
  }
}

/** Says how the first label that no cluster has was probably meant. */
class LabelHints {
  readonly #values = new Map<string, Set<string>>();

  constructor(labels: readonly Labels[]) {
    for (const own of labels) {
      for (const [key, value] of Object.entries(own)) {
        const there = this.#values.get(key);
        if (there) there.add(value);
        else this.#values.set(key, new Set([value]));
      }
    }
  }

  of(match: Labels): string {
    const [key = "", value = ""] =
      Object.entries(match).find(([key, value]) => !this.#values.get(key)?.has(value)) ?? [];
    const nearKey = this.#values.has(key) ? key : new Speller(this.#values.keys()).probable(key);
    const values = this.#values.get(nearKey ?? "");
    if (nearKey === undefined || values === undefined) return "";
    const near = values.has(value) ? value : new Speller(values).probable(value);
    return near === undefined
      ? ` Values of ${nearKey} there: ${showNames(values, 5)}`
      : didYouMean(`${nearKey}: ${near}`);
  }
}

/** Shared sets that no entry takes, but for those whose name an entry has nearly: that is said at the entry. */
function checkSharedSets(checked: Checked): void {
  const given = namesGiven(checked.data, "sets");
  for (const { meant } of misspelt(checked)) given.add(meant);
  for (const name of declared(checked, "sets")) {
    if (given.has(name)) continue;
    const message = "is a shared set that nothing takes; give it to a group or cluster, or drop it";
    checked.warn(["sets", name], message, "key");
  }
}

function checkWindows(checked: Checked): void {
  const { data, warn } = checked;
  const taken = new Set<unknown>();
  const take = (fields: unknown) => {
    for (const name of [mapOf(fields)["window"]].flat()) taken.add(name);
  };
  take(mapOf(data)["defaults"]);
  for (const set of Object.values(mapOf(mapOf(data)["sets"]))) take(set);
  for (const { value } of heldEntries(data, "sets")) take(value);
  for (const part of ["stages", "groups", "clusters"])
    for (const holder of Object.values(mapOf(mapOf(data)[part]))) take(mapOf(holder)["defaults"]);
  for (const name of declared(checked, "windows")) {
    if (taken.has(name)) continue;
    warn(["windows", name], "is a window that no set is bound to; write it on a set, or drop it", "key");
  }
}
