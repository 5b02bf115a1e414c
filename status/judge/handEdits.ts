import { durationSeconds } from "../../values/duration.ts";
import { type Cluster, fluxNamespace } from "../../fleet/model.ts";
import type { FluxObject } from "../fluxObject.ts";
import type { Note, Wanted } from "../model.ts";

/**
 * Fields of the two objects that Azure (or the update) made which are not what the fleet file says, `interval is 7m, not
 * 10m`, with the command that puts them back. Empty where the source does not tell the spec. The path is judged only where
 * the followed branch holds the folder: until then the cluster is rightly told of the old one.
 */
export function handEdits(
  { config, follows, fluxFolder, bootstrap, fetchInterval }: Cluster,
  wanted: Pick<Wanted, "sets">,
  objects: readonly FluxObject[],
  url: string,
): Note[] {
  const { interval, retryInterval, timeout, prune, wait, force } = bootstrap;
  const arrived = (wanted.sets?.length ?? 0) > 0;
  // A GitRepository takes no hours in `timeout`, as a Kustomization does.
  const repository = {
    ...{ url, ref: { branch: follows }, interval: fetchInterval },
    timeout: `${durationSeconds(timeout)}s`,
  };
  const kustomization = {
    ...(arrived && { path: `./${fluxFolder}` }),
    ...{ interval, retryInterval, timeout, prune, wait, force },
    sourceRef: { kind: "GitRepository", name: config },
  };
  return [
    ...editsOf("GitRepository", config, repository, objects),
    ...editsOf("Kustomization", `${config}-bootstrap`, kustomization, objects),
  ];
}

function editsOf(kind: string, name: string, wanted: Fields, objects: readonly FluxObject[]): Note[] {
  const spec = objects.find(
    (object) => object.kind === kind && object.name === name && object.namespace === fluxNamespace,
  )?.spec;
  if (spec === undefined) return [];
  const edits = differences(wanted, spec);
  if (edits.length === 0) return [];
  const changed = Object.keys(wanted).filter((key) => edits.some(({ path }) => path.split(".")[0] === key));
  const patch = { spec: Object.fromEntries(changed.map((key) => [key, wanted[key]])) };
  const listed = edits.map(({ path, found, value }) => `${path} is ${show(found)}, not ${show(value)}`);
  return [
    {
      edited: true,
      text: `${kind} ${name} is not what the fleet file says: ${listed.join("; ")}`,
      next: `kubectl patch ${kind.toLowerCase()} ${name} --namespace ${fluxNamespace} --type merge --patch '${JSON.stringify(patch)}'`,
    },
  ];
}

type Fields = Readonly<Record<string, unknown>>;

interface Difference {
  readonly path: string;
  readonly found: unknown;
  readonly value: unknown;
}

function differences(wanted: Fields, found: Fields, above = ""): Difference[] {
  return Object.entries(wanted).flatMap(([key, value]): Difference[] => {
    const [path, there] = [`${above}${key}`, found[key]];
    if (typeof value === "object" && value !== null) {
      return differences(value as Fields, (there ?? {}) as Fields, `${path}.`);
    }
    return same(there, value) ? [] : [{ path, found: there, value }];
  });
}

/** Flux leaves out what is false, and writes `10m` as `10m0s`. */
function same(found: unknown, wanted: unknown): boolean {
  if (typeof wanted === "boolean") return (found ?? false) === wanted;
  if (found === wanted) return true;
  if (typeof found !== "string" || typeof wanted !== "string") return false;
  const [one, other] = [seconds(found), seconds(wanted)];
  if (one !== undefined && other !== undefined) return one === other;
  return found.replace(/^\.\//, "") === wanted.replace(/^\.\//, "");
}

function seconds(text: string): number | undefined {
  try {
    return durationSeconds(text);
  } catch {
    return undefined;
  }
}

function show(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "not set");
}
