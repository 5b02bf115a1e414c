import type { Step, Stock } from "../adopt/index.ts";
import { showNames } from "../values/show.ts";
import { plural } from "./report.ts";
import type { Terminal } from "./terminal.ts";

/** What a call of `arcflux adopt` found and did. */
export interface Adoption {
  /** Of the cluster. */
  readonly name: string;
  /** Name of its bootstrap Kustomization. */
  readonly bootstrap: string;
  /** Where the controllers come from. */
  readonly flux: string;
  readonly stock: Stock;
  readonly step: Step;
  readonly did: readonly string[];
  readonly isDryRun: boolean;
  /** Whether an update would be refused. */
  readonly isBlocked: boolean;
  /** Commands that do the step by hand, and those that take it back. */
  readonly run: readonly string[];
  readonly undo: readonly string[];
}

/** Prints what is on the cluster, what comes next, and what was done. */
export function printAdoption(
  { name, bootstrap, flux, stock, step, did, isDryRun, isBlocked, run, undo }: Adoption,
  terminal: Terminal,
): void {
  const say = (line: string): void => terminal.out(`${line}\n`);
  for (const line of stockLines(stock, { bootstrap, flux })) say(line);
  if (step.kind === "refused") {
    for (const reason of step.reasons) terminal.err(`${reason}\n`);
    return;
  }
  if (isBlocked) {
    say(`Nothing was done: an update of ${name} would be refused. Mend what is wrong, and call again.`);
    return;
  }
  say("");
  say(`Next: ${nextText(step, name, bootstrap)}`);
  for (const line of did) say(line);
  if (did.length === 0 && run.length > 0 && (isDryRun || step.kind !== "wait"))
    for (const line of run) say(`  ${line}`);
  if (undo.length > 0) say(`To take it back:`);
  for (const line of undo) say(`  ${line}`);
  if (step.kind === "letGo" && did.length > 0) say(`Call arcflux adopt ${name} again for the step after.`);
}

function stockLines(
  { goes, configurations, sets, alone, bootstrap }: Stock,
  by: { readonly bootstrap: string; readonly flux: string },
): string[] {
  const ours = sets.filter(({ owner, wanted }) => owner === wanted);
  const missing = sets.filter(({ isThere, from }) => !isThere && from === undefined).map((set) => set.name);
  const changed = sets.filter(({ owner, wanted, differs }) => owner !== wanted && differs.length > 0);
  const moves = sets.flatMap(({ name, from }) => (from === undefined ? [] : [`${from} to ${name}`]));
  return [
    by.flux === "nobody" ? "No Flux runs there." : `Flux comes from ${fluxText[by.flux] ?? by.flux}.`,
    ...(goes.length === 0 ? ["No other root is left on the cluster."] : []),
    ...goes.map(
      ({ name, path, suspended, prune, configuration }) =>
        `${name} applies ${path}${suspended ? ", suspended" : ""}${prune ? ", with prune" : ", without prune"}` +
        `${configuration === undefined ? "" : `; Azure's configuration ${configuration} makes it`}.`,
    ),
    ...(goes.length === 0
      ? configurations.map(({ name }) => `Azure has the configuration ${name} still.`)
      : []),
    ...(moves.length > 0 ? [`Workloads move: ${showNames(moves, 5)}.`] : []),
    `${by.bootstrap}: ${bootstrap.isThere ? (bootstrap.isReady ? "ready" : "not ready") : "not there yet"}; it owns ${ours.length} of ${plural(sets.length, "set") || "no sets"}.`,
    ...(missing.length > 0 ? [`New on the cluster: ${showNames(missing, 5)}.`] : []),
    ...changed.map((set) => `${set.name} changes when the bootstrap takes it: ${set.differs.join(", ")}.`),
    ...(alone.length > 0
      ? [`The old root also applies ${showNames(alone, 5)}: that stays, and nothing applies it any more.`]
      : []),
  ];
}

const fluxText: Readonly<Record<string, string>> = {
  extension: "Azure's extension, which stays",
  "flux-operator": "flux-operator, which stays",
  "flux bootstrap": "flux bootstrap or flux install; the controllers stay",
};

function nextText(step: Exclude<Step, { kind: "refused" }>, name: string, bootstrap: string): string {
  switch (step.kind) {
    case "letGo":
      return `suspend ${whatGoes(step.old)} and switch prune off, so that nothing that was applied is deleted when it goes.`;
    case "update":
      return `run the update, which commits the sets of ${name} and makes ${bootstrap}. Then call this again.`;
    case "wait":
      return `wait: ${step.why}. Call this again.`;
    case "remove":
      return `remove ${whatGoes(step.old)}; what was applied stays. It is done with --yes.`;
    case "handBack":
      return `take spec.sync out of the FluxInstance, or flux-operator makes the old root anew, and let it go on.`;
    case "done":
      return `nothing. ${bootstrap} owns every set of ${name}; the old files may go from the repository.`;
  }
}

function whatGoes({ goes, configurations }: Pick<Stock, "goes" | "configurations">): string {
  return showNames(
    [
      ...configurations.map((each) => `Azure's configuration ${each.name}`),
      ...goes.flatMap(({ name, source, configuration }) =>
        configuration === undefined
          ? [name, ...(source === undefined ? [] : [`GitRepository ${source.name}`])]
          : [],
      ),
    ],
    5,
  );
}
