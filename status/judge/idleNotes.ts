import { isIdled } from "../../fleet/idle.ts";
import { type Cluster, namespaceOf } from "../../fleet/model.ts";
import { asList } from "../../values/maps.ts";
import { showNames } from "../../values/show.ts";
import type { FluxObject } from "../fluxObject.ts";
import type { Note } from "../model.ts";

/** Says which sets are not yet as idle on the cluster as the fleet file has them; Azure does not tell. */
export function idleNotes({ sets }: Cluster, objects: readonly FluxObject[]): Note[] {
  const running: string[] = [];
  const stopped: string[] = [];
  for (const set of sets) {
    const { name, idle = false } = set;
    const namespace = namespaceOf(set);
    const object = objects.find(
      (each) => each.kind === "Kustomization" && each.name === name && each.namespace === namespace,
    );
    if (object?.spec === undefined) continue;
    const isStopped = isIdled(asList(object.spec["patches"]));
    if (isStopped !== idle) (isStopped ? stopped : running).push(name);
  }
  const next = "Run pulumi up; a set with a window follows when that opens.";
  return [
    ...(running.length > 0
      ? [{ text: `idle in the fleet file, not on the cluster yet: ${showNames(running, 5)}`, next }]
      : []),
    ...(stopped.length > 0
      ? [{ text: `idle on the cluster, no longer in the fleet file: ${showNames(stopped, 5)}`, next }]
      : []),
  ];
}
