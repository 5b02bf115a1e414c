import { showNames } from "../values/show.ts";
import type { OldRoot, Stock, StockedSet } from "./stock.ts";

/** What an old bootstrap consists of: on the cluster, and in Azure. */
export type Old = Pick<Stock, "goes" | "configurations" | "instance">;

/** What comes next on the way of a cluster to its new bootstrap. */
export type Step =
  /** What goes is told to change and delete nothing more. */
  | { readonly kind: "letGo"; readonly old: Old }
  /** For a person: the update that commits the sets and makes the bootstrap. */
  | { readonly kind: "update" }
  /** For the cluster: it hears of something, or applies the sets. */
  | { readonly kind: "wait"; readonly why: string }
  /** What goes is removed, with a source that nothing else takes; nothing that was applied goes with it. */
  | { readonly kind: "remove"; readonly old: Old }
  /** For a person: flux-operator is told to make no root any more, and goes on with the rest. */
  | { readonly kind: "handBack"; readonly old: Old }
  | { readonly kind: "done" }
  /** What cannot be done without making workloads anew, or leaving some without an owner. */
  | { readonly kind: "refused"; readonly reasons: readonly string[] };

/** Fields whose change takes objects away and makes others. */
const recreating = ["path", "targetNamespace", "namePrefix", "nameSuffix"];

/**
 * The one step that may be done now. `leave`: Kustomizations that may go on without anything that applies them, and objects
 * that stay without. Pure, so that a run that was killed is a run again.
 */
export function nextStep(stock: Stock, bootstrap: string, leave: readonly string[]): Step {
  const { goes, configurations, instance, sets } = stock;
  const old = { goes, configurations, ...(instance && { instance }) };
  const missing = sets.filter(({ owner, wanted }) => owner !== wanted);
  const isOwned = stock.bootstrap.isThere && stock.bootstrap.isReady && missing.length === 0;
  if (goes.length + configurations.length === 0) {
    if (!isOwned) return stock.bootstrap.isThere ? waiting(stock, bootstrap, missing) : { kind: "update" };
    return instance?.isPaused === true ? { kind: "handBack", old } : { kind: "done" };
  }
  const reasons = refusals(stock, leave);
  if (reasons.length > 0) return { kind: "refused", reasons };
  const holding = goes.filter((one) => !isLetGo(one));
  const isPaused = instance === undefined || instance.isPaused;
  const inAzure = configurations.every(({ suspended, pruning }) => suspended && pruning.length === 0);
  if (!isPaused || !inAzure || onCluster({ goes: holding }).length > 0) return { kind: "letGo", old };
  if (holding.length > 0)
    return {
      kind: "wait",
      why: `the cluster has not heard from Azure yet that ${namesOf(holding)} is suspended`,
    };
  if (!stock.bootstrap.isThere) return { kind: "update" };
  const unowned = stock.unowned.filter((one) => !leave.includes(one));
  if (!isOwned) return waiting(stock, bootstrap, missing);
  if (unowned.length > 0)
    return {
      kind: "wait",
      why: `no set applies ${showNames(unowned, 5)} yet, which ${namesOf(goes)} did; write --leave NAME for what may stay without`,
    };
  return { kind: "remove", old };
}

/** Whether a Kustomization changes and deletes nothing any more, also when it goes itself. */
function isLetGo({ prune, suspended, deletionPolicy }: OldRoot): boolean {
  return suspended && !prune && deletionPolicy !== "Delete";
}

function waiting(
  { bootstrap: { isReady, message } }: Stock,
  bootstrap: string,
  missing: readonly StockedSet[],
): Step {
  if (!isReady)
    return { kind: "wait", why: `${bootstrap} is not ready${message === "" ? "" : `: ${message}`}` };
  const locked = missing.filter(({ isLocked }) => isLocked).map(({ name }) => name);
  const shut = missing.filter(({ window, isLocked }) => window !== undefined && !isLocked);
  const others = missing.filter(({ window, isLocked }) => window === undefined && !isLocked);
  const why = [
    ...(others.length > 0 ? [`${bootstrap} does not own ${namesOf(others)} yet`] : []),
    ...(shut.length > 0
      ? [
          `${namesOf(shut)} comes when window ${showNames(new Set(shut.map(({ window }) => window!)))} opens (arcflux window open)`,
        ]
      : []),
    ...(locked.length > 0
      ? [
          `${showNames(locked, 5)} has the label kustomize.toolkit.fluxcd.io/reconcile: disabled on the cluster, so Flux leaves it alone; take the label off`,
        ]
      : []),
  ];
  return { kind: "wait", why: why.join("; ") };
}

function refusals(stock: Stock, leave: readonly string[]): string[] {
  const left = stock.leftBehind.filter((name) => !leave.includes(name));
  // Of what is ours already the fleet file is the truth, and an update shows what it changes.
  const remade = stock.sets.flatMap(({ name, owner, wanted, from, differs }) => {
    const fields = differs.filter((field) =>
      [...recreating, ...(from === undefined ? ["sourceRef"] : [])].includes(field),
    );
    return (owner === wanted && from === undefined) || fields.length === 0 ? [] : [{ name, fields }];
  });
  const made = stock.sets.filter(({ madeBy }) => madeBy !== undefined);
  const who = namesOf(stock.goes);
  return [
    ...(left.length > 0
      ? [
          `${who} applies ${showNames(left, 5)} too, which the fleet file does not have: nothing would apply them any more. Add them, or write --leave NAME for each.`,
        ]
      : []),
    ...(stock.unknown.length > 0
      ? [
          `Azure's configuration ${showNames(stock.configurations.map(({ name }) => name))} has ${showNames(stock.unknown, 5)} too, which the fleet file does not have, and they go with it. Add them as sets with the same path first.`,
        ]
      : []),
    ...[...Map.groupBy(made, ({ madeBy }) => madeBy!)].map(
      ([configuration, sets]) =>
        `Azure's configuration ${configuration} makes ${namesOf(sets)} itself, and deletes them when it goes. Write these sets under another name, such as ${sets[0]!.name.replace(`${configuration}-`, "")}, without namespace; adopt knows them by their paths.`,
    ),
    ...[...Map.groupBy(remade, ({ fields }) => fields.join(", "))].map(
      ([fields, sets]) =>
        `${namesOf(sets)}: the fleet file and the cluster differ in ${fields}, which would make the objects anew. Write what the cluster has; arcflux import does.`,
    ),
  ];
}

function namesOf(all: readonly { readonly name: string }[]): string {
  return showNames(
    all.map(({ name }) => name),
    5,
  );
}

/** What goes and is the cluster's own: what a configuration in Azure makes is told there. */
export function onCluster({ goes }: Pick<Old, "goes">): readonly OldRoot[] {
  return goes.filter(({ configuration }) => configuration === undefined);
}

/** GitRepositories that go with it, each once. */
export function sourcesOf(
  old: Pick<Old, "goes">,
): readonly { readonly namespace: string; readonly name: string }[] {
  const all = onCluster(old).flatMap(({ source }) => source ?? []);
  return [...new Map(all.map((source) => [`${source.namespace}/${source.name}`, source])).values()];
}

/** What a root is told to let go: it changes and deletes nothing more, also when it goes itself. */
export function letGoSpec({ deletionPolicy }: OldRoot): Readonly<Record<string, unknown>> {
  // Older versions of Flux refuse the field, and have no need of it.
  return { suspend: true, prune: false, ...(deletionPolicy !== undefined && { deletionPolicy: "Orphan" }) };
}
