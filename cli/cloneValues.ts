import type { ClusterEntry } from "../fleet/schema/layer.ts";
import { valueAt } from "../fleet/withoutFaults.ts";
import { show, showNames } from "../values/show.ts";
import { UsageError } from "./fleetCommand.ts";
import type { Ask } from "./terminalAsk.ts";

/** What a clone says in the place of the cluster that it is made of, by path below its entry. */
export interface CloneValues {
  readonly set: readonly { readonly path: readonly string[]; readonly value: string }[];
  /** Paths of what it does not say. */
  readonly left: readonly (readonly string[])[];
}

/** Sections whose values may differ; of a bare name in `--set` each that has it. */
const sections = ["labels", "attributes", "variables"] as const;

/** What is of one cluster alone: it is said anew, or left out. */
const ownPaths = [
  ["kubeconfig", "context"],
  ["kubeconfig", "config"],
  ["arc", "name"],
  ["folder"],
  ["device", "address"],
] as const;

/** What a new cluster does not have yet, or never had. */
const leftOut = ["formerly", "hardware", "lifecycle", "recipient"] as const;

interface Value {
  readonly path: readonly string[];
  readonly text: string;
}

/**
 * The values of a clone of `from`: those that are given as `place=value`, and what is asked for: variables and attributes,
 * which have what the other cluster says for an answer, and what is of one cluster alone, which has none. Without `ask` the
 * first are copied, and the others have to be given. Throws UsageError.
 */
export async function cloneValues(
  from: string,
  entry: ClusterEntry,
  given: readonly string[],
  ask: Ask | undefined,
): Promise<CloneValues> {
  const shared = sections.flatMap((section) =>
    Object.entries(entry[section] ?? {}).map(([key, text]): Value => ({ path: [section, key], text })),
  );
  const own = ownPaths.flatMap((path) => {
    const value = valueAt(entry, path);
    const text = typeof value === "string" ? value : undefined;
    // What placeholders make differs by itself; two that are the same are an error of the fleet file.
    return text === undefined || text.includes("{") ? [] : [{ path, text }];
  });
  const answers = new Map<string, { readonly path: readonly string[]; readonly value: string }>();
  const answer = (path: readonly string[], value: string): void =>
    void answers.set(path.join("\n"), { path, value });
  for (const text of given) {
    const [, place = "", value = ""] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
    const places = [...shared, ...own].filter(({ path }) => isMeant(path, place));
    if (places.length === 0) throw new UsageError(nowhere(from, text, place, [...shared, ...own]));
    for (const { path } of places) answer(path, value);
  }
  const open = [...shared, ...own].filter(({ path }) => !answers.has(path.join("\n")));
  for (const { path, text } of open) {
    const isOwn = own.some((one) => one.path === path);
    if (!isOwn && path[0] === "labels") continue;
    if (ask === undefined) continue;
    const question = isOwn ? `${path.join(".")}, now ${text}; empty leaves it out` : path.join(".");
    answer(path, await ask(question, isOwn ? "" : text));
  }
  const missing = own.filter(({ path }) => !answers.has(path.join("\n")));
  if (missing.length > 0) throw new UsageError(ownText(from, missing));
  const left = leftOut.filter((field) => entry[field] !== undefined).map((field) => [field]);
  // A variable may be empty; what is of one cluster alone is left out then.
  const isGoing = (path: readonly string[], value: string): boolean =>
    value === "" && own.some((one) => one.path === path);
  const all = [...answers.values()];
  return {
    set: all.filter(({ path, value }) => !isGoing(path, value)),
    left: [...left, ...all.filter(({ path, value }) => isGoing(path, value)).map(({ path }) => whole(path))],
  };
}

/** Without its one required value a section is nothing: it goes as a whole. */
function whole(path: readonly string[]): readonly string[] {
  return path[0] === "kubeconfig" || path[0] === "device" ? path.slice(0, 1) : path;
}

function isMeant(path: readonly string[], place: string): boolean {
  const isShared = sections.some((section) => section === path[0]);
  return path.join(".") === place || (isShared && path[1] === place);
}

function nowhere(from: string, text: string, place: string, values: readonly Value[]): string {
  const names = values.map(({ path }) => path.join("."));
  const has = names.length === 0 ? "nothing that --set could give" : showNames(names, 8);
  return place === ""
    ? `${show(text)} is not a value for --set; write place=value, such as slot=green.`
    : `${from} has no ${place}; it has ${has}. Nothing was changed; name one of them, or edit the copy.`;
}

function ownText(from: string, missing: readonly Value[]): string {
  return missing
    .map(({ path, text }) => {
      const place = path.join(".");
      return `${place} ${show(text)} is of ${from} alone: give --set ${place}=VALUE, or --set ${place}= to leave it out.`;
    })
    .concat("Nothing was changed.")
    .join("\n");
}
