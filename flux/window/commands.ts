import { fluxNamespace, type Window } from "../../fleet/model.ts";
import { sourceFields } from "../source.ts";
import type { YamlMap } from "../yaml.ts";

/** Where Flux says which request it has handled, and where the request is written. */
const requestAnnotation = "reconcile.fluxcd.io/requestedAt";
const handled = "{.status.lastHandledReconcileAt}";

const resource = "gitrepositories.source.toolkit.fluxcd.io";

/** The three commands of a pulse: kubectl's arguments, without the program. */
export interface PulseCommands {
  readonly open: readonly string[];
  readonly fetch: readonly string[];
  readonly shut: readonly string[];
}

/**
 * What opens the source of a window for one fetch: open it and ask for a fetch under `request`, wait until Flux has
 * handled that, shut it. The first patch holds the whole spec, with null for what it does not state, since the source
 * takes no change from Git any more.
 */
export function pulseCommands(window: Window, source: YamlMap, request: string): PulseCommands {
  const { name } = window.source;
  const stated = source["spec"] as YamlMap;
  const spec = Object.fromEntries(sourceFields.GitRepository.map((field) => [field, stated[field] ?? null]));
  const open = {
    metadata: { annotations: { [requestAnnotation]: request } },
    spec: { ...spec, ref: wholeRef(stated["ref"]), suspend: false },
  };
  return {
    open: patch(name, open),
    fetch: [
      "wait",
      `${resource}/${name}`,
      `--namespace=${fluxNamespace}`,
      `--for=jsonpath=${handled}=${request}`,
      "--timeout=120s",
    ],
    shut: shutCommand(name),
  };
}

export function shutCommand(name: string): string[] {
  return patch(name, { spec: { suspend: true } });
}

/** A merge patch goes into maps, so that another kind of ref would stand beside the new one. */
function wholeRef(ref: YamlMap[string]): YamlMap {
  const nothing = { branch: null, tag: null, semver: null, name: null, commit: null };
  return { ...nothing, ...(ref as YamlMap) };
}

function patch(name: string, change: YamlMap): string[] {
  return [
    "patch",
    `${resource}/${name}`,
    `--namespace=${fluxNamespace}`,
    "--type=merge",
    `--patch=${JSON.stringify(change)}`,
  ];
}
