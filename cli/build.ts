import { clusterState, hideValues, type AppliedSet } from "../checks/applied/index.ts";
import type { Cluster } from "../fleet/model.ts";
import { selectClusters } from "../fleet/select.ts";
import { toYaml } from "../flux/yaml.ts";
import { asMap } from "../values/maps.ts";
import { probable } from "../values/nearest.ts";
import { show, showNames } from "../values/show.ts";
import { exitCodes, type ExitCode } from "./exitCodes.ts";
import { fleetCommand, UsageError } from "./fleetCommand.ts";
import type { Terminal } from "./terminal.ts";
import { seen } from "./verdict.ts";

export interface BuildOptions {
  readonly file: string;
  readonly repo?: string;
  readonly variables?: boolean;
  readonly json?: boolean;
  readonly ignore?: readonly string[];
}

/**
 * `arcflux build`: what Flux will apply to a cluster once the update is there: every object of every set, with variables
 * put in. Values of Secrets are hidden.
 */
export function build(
  name: string,
  set: string | undefined,
  { file, repo, ignore, variables = false, ...options }: BuildOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  return fleetCommand(file, options, terminal, { cluster: name, sets: [], unbuilt: [] }, async (loaded) => {
    const { fleet } = loaded;
    const [cluster] = selectClusters(fleet, { names: [name] });
    const { follows } = cluster!;
    const { url } = fleet.repository;
    const { findings, value: state } = await seen(
      loaded,
      { repo, ignore, terminal },
      ({ after, pinned, builder }) =>
        clusterState(cluster!, { tree: after(follows), branch: follows, url, pinned }, builder),
    );
    const sets = state.sets.filter((each) => set === undefined || each.name === set);
    const unbuilt = state.unbuilt.filter((each) => set === undefined || each.set === set);
    if (set !== undefined && sets.length + unbuilt.length === 0) {
      throw new UsageError(
        noSuchSet(set, cluster!, [...state.sets, ...state.unbuilt.map((each) => ({ name: each.set }))]),
      );
    }
    return {
      document: {
        cluster: name,
        sets: sets.map(({ name, spec, objects }) => ({
          name,
          ...(variables && { variables: variablesIn(spec) }),
          objects: objects.map(({ object, file }) => ({ file, object: hideValues(object) })),
        })),
        unbuilt,
      },
      print: () => {
        for (const each of sets) printSet(each, variables, terminal);
        for (const each of unbuilt)
          terminal.err(
            `set ${each.set} ${each.kind === "fault" ? "does not build" : "was not looked at"}: ${each.message}\n`,
          );
      },
      findings,
      code: unbuilt.some(({ kind }) => kind === "fault") ? exitCodes.failed : exitCodes.done,
    };
  });
}

function printSet({ name, spec, objects }: AppliedSet, variables: boolean, terminal: Terminal): void {
  if (variables) {
    const defined = Object.entries(variablesIn(spec)).map(
      ([key, value]) => `${key}=${JSON.stringify(value)}`,
    );
    terminal.out(`# set ${name}, variables: ${defined.join(" ") || "none"}\n`);
  }
  for (const { object, file } of objects)
    terminal.out(`---\n${toYaml(hideValues(object), `set ${name}, from ${file}`)}`);
}

function variablesIn(spec: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return asMap(asMap(spec["postBuild"])["substitute"]);
}

function noSuchSet(set: string, { name }: Cluster, sets: readonly { readonly name: string }[]): string {
  const names = sets.map((each) => each.name);
  const near = probable(set, names);
  const meant = near === undefined ? "" : ` Did you mean ${near}?`;
  return `${show(set)} is not a set of ${name}.${meant}\nSets there: ${showNames(names) || "none"}`;
}
