import { durationSeconds } from "../../values/duration.ts";
import { matchable, matches, own, type View } from "../layers.ts";
import type { ClusterSet, Freeze, Window, WindowJobs } from "../model.ts";
import { fluxUrl } from "../sourceUrl.ts";
import type { FleetFile } from "../schema.ts";
import type { LayerEntry } from "../schema/layer.ts";
import type { SetFields } from "../schema/set.ts";
import type { WindowEntry } from "../schema/window.ts";
import { fill, placeholders } from "../template.ts";
import { spansByHand } from "./datedOpenings.ts";
import { pulsesOf } from "./pulses.ts";
import { spansOf, type SpanFault } from "./spans.ts";

/** Image with kubectl that the jobs run, without a shell, for amd64 and arm64. Any kubectl will do. */
export const windowImage = "registry.k8s.io/kubectl:v1.34.1";

/** Folder below the cluster folder with a folder for each window, which holds the Kustomizations of its sets. */
export const windowsFolder = "windows";

/**
 * A window of the fleet file by its name, with the declared windows whose spans it has: itself, or all of those that some
 * set names together.
 */
export type DeclaredWindows = ReadonlyMap<string, readonly string[]>;

/** The name of the window of a set: the one that `window` names, or that of several together, such as `nights-weekend`. */
export function windowName(window: NonNullable<SetFields["window"]>): string {
  return typeof window === "string" ? window : [...new Set(window)].sort().join("-");
}

/** Every window of the file: the declared ones, and each list that some place of it says. */
export function declaredWindows(file: FleetFile): DeclaredWindows {
  const all = new Map(Object.keys(file.windows).map((name) => [name, [name]]));
  const add = (fields: { readonly window?: SetFields["window"] } | null | undefined) => {
    const window = fields?.window;
    if (!Array.isArray(window)) return;
    const name = windowName(window);
    if (!all.has(name)) all.set(name, [...new Set(window)].sort());
  };
  add(file.defaults);
  for (const set of Object.values(file.sets)) add(set);
  for (const section of [file.stages, file.groups, file.clusters]) {
    for (const { defaults, sets } of Object.values<LayerEntry>(section)) {
      add(defaults);
      for (const set of Object.values(sets ?? {})) add(set);
    }
  }
  return all;
}

/** A span of a declared window, resolved for one cluster, or what is wrong with it. */
export interface ResolvedSpan {
  /** Index in `spans`; undefined for a window that states open itself. */
  readonly index: number | undefined;
  readonly spans: ReturnType<typeof spansOf>;
}

/** The spans of a declared window, in the time zone that it has on a cluster. */
export function resolveSpans(entry: WindowEntry, view: View): ResolvedSpan[] {
  const values = placeholders({ ...view.entry, name: view.name });
  const zone = (text: string) => fill(text, values);
  if (entry.spans === undefined) return [{ index: undefined, spans: spansOf(entry, zone(entry.timeZone)) }];
  return entry.spans.map((span, index) => ({
    index,
    spans: spansOf(span, zone(span.timeZone ?? entry.timeZone)),
  }));
}

/** Whether a cluster has a window: one of several together is had by clusters that have them all. */
export function hasWindow(file: FleetFile, names: readonly string[], { entry }: View): boolean {
  return names.every((name) => {
    const window = own(file.windows, name);
    return window !== undefined && matches(matchable(entry), Object.entries(window.match ?? {}));
  });
}

/** The windows of a cluster, sorted by name; it has them without sets too, so that the last one goes in the window. */
export function resolveWindows(
  file: FleetFile,
  view: View,
  sets: readonly ClusterSet[],
  follows: string,
  declared: DeclaredWindows,
  today?: string,
): Window[] {
  const jobs = resolveJobs(file, view);
  return [...declared].sort(byName).flatMap(([name, names]): Window[] => {
    if (!hasWindow(file, names, view)) return [];
    const entries = names.map((each) => own(file.windows, each)!);
    const declaredSpans = entries
      .flatMap((entry) => resolveSpans(entry, view))
      .flatMap(({ spans }) => (isFault(spans) ? [] : spans));
    const byHand = entries.flatMap((entry) => spansByHand(entry, view, today));
    const spans = [...declaredSpans, ...byHand];
    const settle = settleOf(
      entries,
      sets.filter((set) => set.window === name),
    );
    const spec = { url: fluxUrl(file.repository.url), ref: { branch: follows }, interval: "24h" };
    const source = { name: windowObject(name), kind: "GitRepository", self: true, spec } as const;
    return [{ name, spans, settle, pulses: pulsesOf(spans, settle), source, jobs }];
  });
}

/** The name of all objects of a window: its GitRepository, Kustomization, service account and role. */
export function windowObject(name: string): string {
  return `window-${name}`;
}

export function isFault(spans: ReturnType<typeof spansOf>): spans is SpanFault {
  return !Array.isArray(spans);
}

/** In minutes: what the file states, else the longest timeout of the sets, else nothing. */
function settleOf(entries: readonly WindowEntry[], sets: readonly ClusterSet[]): number {
  const stated = entries.flatMap(({ settle }) => settle ?? []);
  const timeouts = sets.flatMap(({ spec }) => (typeof spec["timeout"] === "string" ? spec["timeout"] : []));
  const longest = Math.max(0, ...(stated.length > 0 ? stated : timeouts).map(durationSeconds));
  return Math.ceil(longest / 60);
}

function resolveJobs(file: FleetFile, view: View): WindowJobs {
  const layers = [file.windowJobs, ...view.holders.map(({ entry }) => entry.windowJobs)];
  return Object.assign({ image: windowImage }, ...layers) as WindowJobs;
}

/** The freeze of a cluster that holds on a day; of several, the one that ends last. */
export function resolveFreeze(file: FleetFile, { entry }: View, today: string): Freeze | undefined {
  const holding = Object.entries(file.freezes).flatMap(([name, { match, stages, ...freeze }]) => {
    const concerns =
      matches(matchable(entry), Object.entries(match ?? {})) &&
      (stages === undefined || (entry.stage !== undefined && stages.includes(entry.stage)));
    return concerns && freeze.from <= today && today <= freeze.until ? [{ name, ...freeze }] : [];
  });
  const last = holding.sort((a, b) => (a.until < b.until ? -1 : 1)).at(-1);
  return last && { ...last, liveSets: holding.some(({ liveSets }) => liveSets) };
}

function byName([one]: [string, unknown], [other]: [string, unknown]): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
