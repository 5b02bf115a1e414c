import { fluxNamespace } from "../fleet/model.ts";
import { letGoSpec, type Old, onCluster, type Step } from "./nextStep.ts";
import { type OldRoot, operatorMark } from "./stock.ts";

/** How a cluster is reached by hand. */
export interface ByHand {
  readonly context: string;
  readonly bootstrap: string;
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

function patch(by: ByHand, { namespace, name }: Pick<OldRoot, "namespace" | "name">, spec: object): string {
  return `${kubectl(by, namespace)} patch kustomization ${name} --type=merge -p '${JSON.stringify({ spec })}'`;
}

function lettingGo(old: Old, by: ByHand): string[] {
  const { instance, configurations } = old;
  return [
    ...(instance === undefined
      ? []
      : [
          `${kubectl(by, instance.namespace)} annotate fluxinstance ${instance.name} ${operatorMark}=disabled --overwrite`,
        ]),
    ...configurations.flatMap(({ name, pruning }) => [
      `${az(by, "update", name)} --suspend true`,
      ...pruning.map((key) => `${az(by, "kustomization update", name)} -k ${key} --prune false`),
    ]),
    ...onCluster(old).map((root) => patch(by, root, letGoSpec(root))),
  ];
}

function takingBack(old: Old, by: ByHand): string[] {
  const { instance, configurations } = old;
  return [
    ...onCluster(old).map((root) =>
      patch(by, root, {
        suspend: null,
        prune: root.prune,
        ...(root.deletionPolicy !== undefined && { deletionPolicy: root.deletionPolicy }),
      }),
    ),
    ...configurations.flatMap(({ name, pruning }) => [
      ...pruning.map((key) => `${az(by, "kustomization update", name)} -k ${key} --prune true`),
      `${az(by, "update", name)} --suspend false`,
    ]),
    ...(instance === undefined
      ? []
      : [
          `${kubectl(by, instance.namespace)} annotate fluxinstance ${instance.name} ${operatorMark}=enabled --overwrite`,
        ]),
  ];
}

/** A bootstrap that goes unsuspended would delete the sets, with all that they applied. */
function undoUpdate(by: ByHand): string[] {
  const { bootstrap, arc } = by;
  const root = { name: bootstrap, namespace: fluxNamespace };
  const configuration = bootstrap.replace(/-bootstrap$/, "");
  return arc === undefined
    ? [
        patch(by, root, { suspend: true, prune: false }),
        `${kubectl(by, fluxNamespace)} delete kustomization ${bootstrap}`,
      ]
    : [
        `${az(by, "update", configuration)} --suspend true`,
        `${az(by, "kustomization update", configuration)} -k bootstrap --prune false`,
        `${az(by, "delete", configuration)} --yes`,
      ];
}

function removing(old: Old, by: ByHand): string[] {
  return [
    ...onCluster(old).flatMap(({ namespace, name, source }) => [
      `${kubectl(by, namespace)} delete kustomization ${name}`,
      ...(source === undefined ? [] : [`${kubectl(by, namespace)} delete gitrepository ${source}`]),
    ]),
    ...old.configurations.map(({ name }) => `${az(by, "delete", name)} --yes`),
  ];
}

function bringingBack(old: Old, by: ByHand): string[] {
  return [
    ...onCluster(old).map(
      ({ path }) => `kubectl --context ${by.context} apply -f gotk-sync.yaml   # of the old folder, ${path}`,
    ),
    ...old.configurations.map(
      ({ name, namespace }) => `${az(by, "create", name)} --namespace ${namespace} …   # as it was made`,
    ),
  ];
}

function handBack({ instance }: Old, by: ByHand): { run: string[]; undo: string[] } {
  if (instance === undefined) return { run: [], undo: [] };
  const own = kubectl(by, instance.namespace);
  return {
    run: [
      `${own} patch fluxinstance ${instance.name} --type=json -p '[{"op":"remove","path":"/spec/sync"}]'   # or in the file that it comes from`,
      `${own} annotate fluxinstance ${instance.name} ${operatorMark}=enabled --overwrite`,
    ],
    undo: [],
  };
}
