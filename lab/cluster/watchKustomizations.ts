import type { ClusterApi } from "./clusterApi.ts";
import type { KustomizationState } from "./kustomizationState.ts";
import { kustomizationState, stateLine } from "./kustomizationState.ts";
import { waitUntil } from "./waitUntil.ts";

export interface WatchOptions {
  readonly api: ClusterApi;
  /** Defaults to `flux-system`. */
  readonly namespace?: string;
  /** Words for the end that is waited for. */
  readonly what: string;
  readonly until: (states: ReadonlyMap<string, KustomizationState>) => boolean;
  /** Gets a line per Kustomization whose state has changed, and per one that is gone. */
  readonly onChange?: (line: string) => void;
  /** What has been told by earlier watches, and is not told again: line by name. */
  readonly told?: Map<string, string>;
  /** A reason to give up. */
  readonly failure?: () => Error | undefined;
}

/**
 * Watches the Kustomizations of a namespace until they are as wanted, and gives their states by name. Throws with the
 * state of each when that does not come in time.
 */
export async function watchKustomizations(
  options: WatchOptions,
): Promise<ReadonlyMap<string, KustomizationState>> {
  const { api, namespace = "flux-system", what, until, onChange = () => undefined, failure } = options;
  const told = options.told ?? new Map<string, string>();
  let states = new Map<string, KustomizationState>();
  const look = async (): Promise<boolean> => {
    const objects = await api.list("kustomize.toolkit.fluxcd.io/v1", "Kustomization", { namespace });
    states = new Map(objects.map((object) => [object.metadata.name, kustomizationState(object)]));
    for (const state of states.values()) {
      const line = stateLine(state);
      if (told.get(state.name) === line) continue;
      told.set(state.name, line);
      onChange(line);
    }
    for (const name of told.keys()) {
      if (states.has(name)) continue;
      told.delete(name);
      onChange(`${name} is gone`);
    }
    return until(states);
  };
  const instead = (): string =>
    states.size === 0
      ? `There is no Kustomization in ${namespace}.`
      : [...states.values()].map((state) => `  ${stateLine(state)}\n    ${state.message}`).join("\n");
  await waitUntil(what, look, { instead, ...(failure && { failure }) });
  return states;
}

/** Whether all of these are there, ready, and have applied a commit. */
export function allReady(
  states: ReadonlyMap<string, KustomizationState>,
  names: readonly string[],
  commit: string,
): boolean {
  return names.every((name) => {
    const state = states.get(name);
    return state?.ready === "Ready" && state.applied.endsWith(`:${commit}`);
  });
}
