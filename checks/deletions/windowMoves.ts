import type { Cluster } from "../../fleet/model.ts";
import type { RepositoryReader } from "../repositoryReader.ts";
import { committedSets, type CommittedSet } from "./committedSets.ts";
import type { Deletion, Remark } from "./deletion.ts";
import { endOf } from "./goingSets.ts";
import type { Applied } from "./keptSets.ts";

/** What a set outside of windows is said to come from, in `removed: [{ set: pos, from: live }]`. */
const live = "live";

/**
 * Sets that go into a window, out of one, or to another one, and windows that go with sets in them. Each ends the
 * Kustomization on the cluster at once, outside the window too, with what it applied; unless the cluster is known to have
 * applied that it leaves it.
 */
export async function windowMoves(
  cluster: Cluster,
  ours: ReadonlySet<string>,
  reader: RepositoryReader,
  { applied, tip }: { readonly applied: Applied; readonly tip: string | undefined },
): Promise<Remark[]> {
  const { gone } = await committedSets(cluster, ours, reader);
  const declared = new Map(cluster.sets.map((set) => [set.name, set]));
  const windows = new Set(cluster.windows.map(({ name }) => name));
  const ended = gone.filter(
    ({ object, window }) => declared.has(object.name) || (window !== undefined && !windows.has(window)),
  );
  const deleting = (await Promise.all(ended.map(async (set) => ((await isLet(set)) ? [] : [set])))).flat();

  const inWindow = Map.groupBy(deleting, ({ window }) =>
    window !== undefined && !windows.has(window) ? window : undefined,
  );
  return [...inWindow].flatMap(([window, sets]) =>
    window === undefined
      ? sets.map((set) => moved(set, declared.get(set.object.name)?.window, cluster.name))
      : [removedWindow(window, sets, cluster.name)],
  );

  /** Whether the cluster knows that what the set applied stays. */
  async function isLet({ object }: CommittedSet): Promise<boolean> {
    if (endOf(object).end !== "leaves") return false;
    const commit = (await reader.lastChange(object.file))?.commit ?? tip;
    return commit !== undefined && (await applied(cluster, commit)) === "yes";
  }
}

function moved({ object, window }: CommittedSet, to: string | undefined, cluster: string): Remark {
  const going: Deletion = { kind: "set", name: object.name, from: window ?? live };
  const from = window === undefined ? "" : ` out of window ${window}`;
  const into = to === undefined ? "" : ` into window ${to}`;
  return {
    cluster,
    going: [going],
    text: `moves${from}${into}: Flux ends it at once and deletes what it applied, before it comes again`,
    ways: waysTo("move it"),
  };
}

function removedWindow(window: string, sets: readonly CommittedSet[], cluster: string): Remark {
  const names = sets.map(({ object }) => object.name).join(", ");
  return {
    cluster,
    going: [{ kind: "window", name: window }],
    text: `goes away with sets in it (${names}): Flux ends them at once, not at an opening, and deletes what they applied`,
    ways: waysTo("take the window away or rename it"),
  };
}

function waysTo(act: string): string {
  return `To keep that, first commit \`deletionPolicy: Orphan\`, wait until the cluster has applied that in its window, then ${act}, and take the policy back last`;
}
