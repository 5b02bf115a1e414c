import { type Cluster, fluxNamespace } from "../../fleet/model.ts";
import { toleratedMisses, windowObject } from "../../fleet/window/index.ts";
import type { FluxObject } from "../fluxObject.ts";
import type { Note, WindowStatus } from "../model.ts";

/** Windows whose jobs do not do their work: openings that nobody made use of, and a source that stayed open. */
export function windowNotes(windows: readonly WindowStatus[]): Note[] {
  return windows.flatMap(({ name, missed = 0, leftOpen = false }): Note[] => [
    ...(missed > toleratedMisses
      ? [
          {
            text: `window ${name} missed ${missed} openings: its jobs do not run`,
            next: `kubectl get jobs,events --namespace ${fluxNamespace} | grep ${windowObject(name)}`,
          },
        ]
      : []),
    ...(leftOpen
      ? [
          {
            text: `window ${name} was left open by a job that was killed; one that shuts it runs every hour`,
            next: `arcflux window close ${name} --context <context> --reason <why>`,
          },
        ]
      : []),
  ]);
}

/** Sources of windows that the fleet file no longer has: Flux 2.7 leaves them behind, shut. */
export function removedWindows({ windows }: Cluster, objects: readonly FluxObject[]): Note[] {
  const declared = new Set(windows.map(({ name }) => windowObject(name)));
  return objects
    .filter(({ kind, name, namespace, suspended }) => {
      const ofWindow = kind === "GitRepository" && namespace === fluxNamespace && name.startsWith("window-");
      return ofWindow && suspended && !declared.has(name);
    })
    .map(({ name }) => ({
      text: `${name} is left of a window that the fleet file no longer has`,
      next: `kubectl delete gitrepository ${name} --namespace ${fluxNamespace}`,
    }));
}
