import { type Cluster, fluxNamespace } from "../../fleet/model.ts";
import { toleratedMisses, windowObject, windowState } from "../../fleet/window/index.ts";
import type { FluxObject } from "../fluxObject.ts";
import type { Note } from "../model.ts";

/** Windows whose jobs do not do their work: openings that nobody made use of, and a source that stayed open. */
export function windowNotes(cluster: Cluster, objects: readonly FluxObject[], now: Date): Note[] {
  return cluster.windows.flatMap((window): Note[] => {
    const name = windowObject(window.name);
    const object = objects.find(
      (each) => each.kind === "GitRepository" && each.name === name && each.namespace === fluxNamespace,
    );
    if (object === undefined) return [];
    const { suspended, suspendWrittenAt } = object;
    const writtenAt = suspendWrittenAt === undefined ? undefined : Date.parse(suspendWrittenAt);
    const { missed, leftOpen } = windowState(window, cluster, { suspended, writtenAt }, now.getTime());
    return [
      ...(missed > toleratedMisses
        ? [
            {
              text: `window ${window.name} missed ${missed} openings: its jobs do not run`,
              next: `kubectl get jobs,events --namespace ${fluxNamespace} | grep ${name}`,
            },
          ]
        : []),
      ...(leftOpen
        ? [
            {
              text: `window ${window.name} was left open by a job that was killed; one that shuts it runs every hour`,
              next: `arcflux window close ${window.name} --context <context> --reason <why>`,
            },
          ]
        : []),
    ];
  });
}
