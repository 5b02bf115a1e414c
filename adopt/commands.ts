import { fluxNamespace } from "../fleet/model.ts";
import { windowObject } from "../fleet/window/index.ts";
import { letGoSpec, type Old, onCluster, sourcesOf, type Step } from "./nextStep.ts";
import { adoptedBy } from "./roots.ts";
import { type OldRoot, operatorMark } from "./stock.ts";

/** How a cluster is reached by hand. */
export interface ByHand {
  readonly context: string;
  readonly bootstrap: string;
  /** Names of the windows that sets of it have. */
  readonly windows: readonly string[];
  /** Behind Azure: what az calls it. */
  readonly arc?: { readonly name: string; readonly resourceGroup: string };
}

/** The commands of a step for people who do it by hand, and those that take it back. */
export function commandsOf(
  step: Step,
  by: ByHand,
): { readonly run: readonly string[]; readonly undo: readonly string[] } {
  switch (step.kind) {
    case "letGo":
      return { run: lettingGo(step.old, by), undo: takingBack(step.old, by) };
    case "update":
    case "wait":
      return {
        run: step.kind === "update" ? ["pulumi up"] : [`${kubectl(by, fluxNamespace)} get kustomizations -w`],
        undo: undoUpdate(by),
      };
    case "remove":
      return { run: removing(step.old, by), undo: bringingBack(step.old, by) };
    case "handBack":
      return handBack(step.old, by);
    case "done":
    case "refused":
      return { run: [], undo: [] };
  }
}

function kubectl({ context }: ByHand, namespace: string): string {
  return `kubectl --context ${context} -n ${namespace}`;
}

function az({ arc }: ByHand, verb: string, configuration: string): string {
  return `az k8s-configuration flux ${verb} -g ${arc?.resourceGroup} -c ${arc?.name} -t connectedClusters -n ${configuration}`;
}

function patch(
  by: ByHand,
  { namespace, name }: Pick<OldRoot, "namespace" | "name">,
  spec: object,
  mark?: string | null,
): string {
  const body = { ...(mark !== undefined && { metadata: { annotations: { [adoptedBy]: mark } } }), spec };
  return `${kubectl(by, namespace)} patch kustomization ${name} --type=merge -p '${JSON.stringify(body)}'`;
}

/** flux-operator leaves a FluxInstance alone, or looks after it again. */
function annotate(by: ByHand, { instance }: Pick<Old, "instance">, value: "disabled" | "enabled"): string[] {
  if (instance === undefined) return [];
  const own = kubectl(by, instance.namespace);
  return [`${own} annotate fluxinstance ${instance.name} ${operatorMark}=${value} --overwrite`];
}

function lettingGo(old: Old, by: ByHand): string[] {
  return [
    ...annotate(by, old, "disabled"),
    ...old.configurations.flatMap(({ name, pruning }) => [
      `${az(by, "update", name)} --suspend true`,
      ...pruning.map((key) => `${az(by, "kustomization update", name)} -k ${key} --prune false`),
    ]),
    ...onCluster(old).map((root) => patch(by, root, letGoSpec(root), by.bootstrap)),
  ];
}

function takingBack(old: Old, by: ByHand): string[] {
  return [
    ...onCluster(old).map((root) => {
      const { prune, deletionPolicy } = root;
      return patch(
        by,
        root,
        { suspend: null, prune, ...(deletionPolicy !== undefined && { deletionPolicy }) },
        null,
      );
    }),
    ...old.configurations.flatMap(({ name, pruning }) => [
      ...pruning.map((key) => `${az(by, "kustomization update", name)} -k ${key} --prune true`),
      `${az(by, "update", name)} --suspend false`,
    ]),
    ...annotate(by, old, "enabled"),
  ];
}

/** A bootstrap that goes unsuspended would delete the sets, with all that they applied. */
function undoUpdate(by: ByHand): string[] {
  const { bootstrap, arc, windows } = by;
  const configuration = bootstrap.replace(/-bootstrap$/, "");
  const away = (name: string): string[] => [
    patch(by, { name, namespace: fluxNamespace }, { suspend: true, prune: false }),
    `${kubectl(by, fluxNamespace)} delete kustomization ${name}`,
  ];
  const ofWindows = windows.flatMap((window) => away(windowObject(window)));
  // The bootstrap first, or it brings those of its windows back.
  return arc === undefined
    ? [...away(bootstrap), ...ofWindows]
    : [
        `${az(by, "update", configuration)} --suspend true`,
        `${az(by, "kustomization update", configuration)} -k bootstrap --prune false`,
        `${az(by, "delete", configuration)} --yes`,
        ...ofWindows,
      ];
}

function removing(old: Old, by: ByHand): string[] {
  return [
    ...sourcesOf(old).map(({ namespace, name }) => `${kubectl(by, namespace)} delete gitrepository ${name}`),
    ...onCluster(old).map(({ namespace, name }) => `${kubectl(by, namespace)} delete kustomization ${name}`),
    ...old.configurations.map(({ name }) => `${az(by, "delete", name)} --yes`),
  ];
}

function bringingBack(old: Old, by: ByHand): string[] {
  return [
    ...old.configurations.map(
      ({ name, anew }) => `${az(by, "create", name)} ${anew.join(" ")}   # with the credentials that it had`,
    ),
    // flux-operator makes what it made anew.
    ...(old.instance !== undefined ? annotate(by, old, "enabled") : bringingBackRoots(old, by)),
  ];
}

function bringingBackRoots(old: Old, by: ByHand): string[] {
  return onCluster(old).map(({ name, file }) =>
    file === undefined
      ? `kubectl --context ${by.context} apply -f FILE   # what Kustomization ${name} and its GitRepository came from`
      : `kubectl --context ${by.context} apply -f ${file}   # in a clone of the repository`,
  );
}

function handBack(old: Old, by: ByHand): { run: string[]; undo: string[] } {
  const { instance } = old;
  if (instance === undefined) return { run: [], undo: [] };
  return {
    run: [
      `${kubectl(by, instance.namespace)} patch fluxinstance ${instance.name} --type=json -p '[{"op":"remove","path":"/spec/sync"}]'   # or in the file that it comes from`,
      ...annotate(by, old, "enabled"),
    ],
    undo: [
      ...annotate(by, old, "disabled"),
      `kubectl --context ${by.context} apply -f FILE   # the FluxInstance with its spec.sync, as it was`,
    ],
  };
}
