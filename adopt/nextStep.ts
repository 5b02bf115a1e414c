import { fluxNamespace } from "../fleet/model.ts";
import { showNames } from "../values/show.ts";
import type { OldRoot, Stock } from "./stock.ts";

/** What comes next on the way of a cluster to its new bootstrap. */
export type Step =
  /** The root is told to change and delete nothing more. */
  | { readonly kind: "letGo"; readonly root: OldRoot }
  /** For a person: the update that commits the sets and makes the bootstrap. */
  | { readonly kind: "update" }
  /** For the cluster: the bootstrap applies the sets. */
  | { readonly kind: "wait"; readonly why: string }
  /** The root goes, with its source where nothing else takes that; nothing that they applied goes with them. */
  | { readonly kind: "remove"; readonly root: OldRoot }
  | { readonly kind: "done" }
  /** What cannot be done without making workloads anew, or leaving some without an owner. */
  | { readonly kind: "refused"; readonly reasons: readonly string[] };

/** The way as a whole, for the plan that is shown. */
export const steps = ["letGo", "update", "wait", "remove"] as const;

/** Fields whose change takes objects away and makes others. */
const recreating: ReadonlySet<string> = new Set([
  "path",
  "targetNamespace",
  "namePrefix",
  "nameSuffix",
  "sourceRef",
]);

/**
 * The one step that may be done now. `leave`: Kustomizations that may go on without anything that applies them. Pure, so
 * that a run that was killed is a run again.
 */
export function nextStep(stock: Stock, bootstrap: string, leave: readonly string[]): Step {
  const { root, sets } = stock;
  const ours = sets.filter(({ owner }) => owner === bootstrap);
  const isOwned = stock.bootstrap.isThere && stock.bootstrap.isReady && ours.length === sets.length;
  if (root === undefined) {
    if (isOwned) return { kind: "done" };
    return stock.bootstrap.isThere ? waiting(stock, bootstrap) : { kind: "update" };
  }
  const reasons = refusals(stock, root, bootstrap, leave);
  if (reasons.length > 0) return { kind: "refused", reasons };
  if (root.prune || !root.suspended || root.deletionPolicy === "Delete") return { kind: "letGo", root };
  if (!stock.bootstrap.isThere) return { kind: "update" };
  return isOwned ? { kind: "remove", root } : waiting(stock, bootstrap);
}

function waiting({ bootstrap: { isReady, message }, sets }: Stock, bootstrap: string): Step {
  const missing = sets.filter(({ owner }) => owner !== bootstrap).map(({ name }) => name);
  const why = isReady
    ? `${bootstrap} does not own ${showNames(missing, 5)} yet`
    : `${bootstrap} is not ready${message === "" ? "" : `: ${message}`}`;
  return { kind: "wait", why };
}

function refusals(stock: Stock, root: OldRoot, bootstrap: string, leave: readonly string[]): string[] {
  const left = stock.leftBehind.filter((name) => !leave.includes(name));
  // Of what is ours already the fleet file is the truth, and an update shows what it changes.
  const remade = stock.sets.filter(
    ({ owner, differs }) => owner !== bootstrap && differs.some((field) => recreating.has(field)),
  );
  return [
    ...(stock.byOperator
      ? [
          `flux-operator keeps Flux there and would make ${root.name} anew. Take spec.sync out of its FluxInstance first, then call again.`,
        ]
      : []),
    ...(left.length > 0
      ? [
          `${root.name} applies ${showNames(left, 5)} too, which the fleet file does not have: nothing would apply them any more. Add them, or write --leave NAME for each.`,
        ]
      : []),
    ...remade.map(
      ({ name, differs }) =>
        `${name} says something else in the fleet file than on the cluster (${differs.filter((field) => recreating.has(field)).join(", ")}), which would make its objects anew. Write what the cluster has; arcflux import does.`,
    ),
  ];
}

/** What a root is told to let go: it changes and deletes nothing more, also when it goes itself. */
export function letGoSpec({ deletionPolicy }: OldRoot): Readonly<Record<string, unknown>> {
  // Older versions of Flux refuse the field, and have no need of it.
  return { suspend: true, prune: false, ...(deletionPolicy !== undefined && { deletionPolicy: "Orphan" }) };
}

/** The commands of a step for people who do it by hand, and those that take it back. */
export function commandsOf(
  step: Step,
  cluster: { readonly context: string; readonly bootstrap: string },
): {
  readonly run: readonly string[];
  readonly undo: readonly string[];
} {
  const kubectl = `kubectl --context ${cluster.context} -n ${fluxNamespace}`;
  const patch = (name: string, spec: object): string =>
    `${kubectl} patch kustomization ${name} --type=merge -p '${JSON.stringify({ spec })}'`;
  switch (step.kind) {
    case "letGo":
      return {
        run: [patch(step.root.name, letGoSpec(step.root))],
        undo: [
          patch(step.root.name, {
            suspend: null,
            prune: step.root.prune,
            ...(step.root.deletionPolicy !== undefined && { deletionPolicy: step.root.deletionPolicy }),
          }),
        ],
      };
    case "update":
    case "wait":
      return {
        run: step.kind === "update" ? ["pulumi up"] : [`${kubectl} get kustomizations -w`],
        undo: [
          patch(cluster.bootstrap, { suspend: true, prune: false }),
          `${kubectl} delete kustomization ${cluster.bootstrap}`,
        ],
      };
    case "remove":
      return {
        run: [
          `${kubectl} delete kustomization ${step.root.name}`,
          ...(step.root.source === undefined ? [] : [`${kubectl} delete gitrepository ${step.root.source}`]),
        ],
        undo: [
          `kubectl --context ${cluster.context} apply -f gotk-sync.yaml   # of the old folder, ${step.root.path}`,
        ],
      };
    case "done":
    case "refused":
      return { run: [], undo: [] };
  }
}
