import { isDeepStrictEqual } from "node:util";
import type { PlainMap } from "../fleet/model.ts";
import { ownerOf } from "../flux/owner.ts";
import { type ApiObject, Declined, inParallel, type ObjectApi, type ObjectRef } from "../status/index.ts";
import { asMap } from "../values/maps.ts";
import { ApplyError } from "./applyError.ts";
import { healthOf } from "./health.ts";
import {
  type Entry,
  type Inventory,
  isOurs,
  manager,
  marked,
  readInventory,
  writeInventory,
} from "./inventory.ts";
import { inOrder, isGround, keyOf, refOf, textOf } from "./order.ts";
import type { ApplyPlan, ApplySet } from "./plan.ts";

/** A laptop asks this many things of a cluster at once. */
export const atOnce = 8;

/** Between two looks at what is not ready, in milliseconds. */
const pause = 1_000;

/** What happened to an object. */
export interface Change {
  readonly set: string;
  readonly what: "created" | "changed" | "unchanged" | "deleted";
  /** `Deployment shop/web`. */
  readonly object: string;
}

/** What came of a set. */
export interface SetOutcome {
  readonly set: string;
  /**
   * - `ready`: applied, and healthy as far as the set waits for that
   * - `late`: applied, and not healthy in time, or failed
   * - `refused`: the cluster did not take all of it
   * - `held`: not applied, since a set that it depends on is not ready
   */
  readonly state: "ready" | "late" | "refused" | "held";
  /** What is wrong, a sentence for each object or set. */
  readonly why: readonly string[];
}

export interface ApplyOutcome {
  readonly changes: readonly Change[];
  readonly sets: readonly SetOutcome[];
  /** Objects that no set has any more and that stay, each with why. */
  readonly left: readonly string[];
}

export interface ApplyWorld {
  readonly api: ObjectApi;
  readonly sleep: (milliseconds: number) => Promise<void>;
  readonly now: () => number;
  /** Called as sets come along: `2 of 5 sets are ready`. */
  readonly progress?: (text: string) => void;
}

/**
 * Applies a plan and waits for health. What goes into the inventory is written there first, so that a run that is cut off
 * leaves nothing that nobody knows of. What an earlier run made and no set has any more is deleted at the end, once
 * everything is applied. Rejects with ApplyError where nothing may be changed.
 */
export async function applyPlan(plan: ApplyPlan, world: ApplyWorld): Promise<ApplyOutcome> {
  const { api } = world;
  const before = await readInventory(api, plan.cluster);
  const there = await readAll(plan, api);
  refuseOthers(plan, there);
  await refuseUnknownKinds(plan, api);
  const wanted = inventoryOf(plan, before, there);
  await writeInventory(api, plan.cluster, joined(wanted, before));

  const changes: Change[] = [];
  const runs = new Map<string, Promise<SetOutcome>>();
  let ready = 0;
  for (const set of plan.sets) {
    const run = async (): Promise<SetOutcome> => {
      const waits = await Promise.all(set.dependsOn.map((name) => runs.get(name)!));
      const missing = waits.filter(({ state }) => state !== "ready").map((one) => one.set);
      if (missing.length > 0)
        return { set: set.name, state: "held", why: missing.map((name) => `waits for set ${name}`) };
      const outcome = await applySet(set, { cluster: plan.cluster, there, changes }, world);
      if (outcome.state === "ready") ready += 1;
      world.progress?.(`${ready} of ${plan.sets.length} sets are ready`);
      return outcome;
    };
    runs.set(set.name, run());
  }
  const sets = (await allEnded([...runs.values()])).map((outcome) => ({
    ...outcome,
    why: outcome.why.map(plan.hide),
  }));
  inPlansOrder(changes, plan);
  if (sets.some(({ state }) => state === "refused" || state === "held")) return { changes, sets, left: [] };
  const { gone, kept, left } = goingOf(plan, before, wanted);
  for (const { set, entry } of gone) {
    const removal = await removed(entry, plan.cluster, api);
    if ("stays" in removal) left.push(removal.stays);
    else if (removal.isGoing) changes.push({ set, what: "deleted", object: textOf(entry) });
  }
  const after = joined(wanted, kept);
  if (!isDeepStrictEqual(after, joined(wanted, before))) await writeInventory(api, plan.cluster, after);
  return { changes, sets, left };
}

/** What each came to, once all have ended: nothing may go on behind an error that is told. */
async function allEnded<T>(runs: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(runs);
  return Promise.all(runs);
}

/** Many are applied at once; people read them in the order of the plan. */
function inPlansOrder(changes: Change[], { sets }: ApplyPlan): void {
  const objects = sets.flatMap((set) => sorted(set).map((object) => `${set.name} ${textOf(refOf(object))}`));
  const place = new Map(objects.map((text, index) => [text, index]));
  const placeOf = ({ set, object }: Change): number => place.get(`${set} ${object}`) ?? objects.length;
  changes.sort((one, other) => placeOf(one) - placeOf(other));
}

/** Objects of a set in the order in which they are applied. */
function sorted({ objects }: ApplySet): PlainMap[] {
  return inOrder(objects.map((object) => ({ kind: refOf(object).kind, object }))).map(({ object }) => object);
}

/** Every object of a plan as it is now, by its key. */
async function readAll(plan: ApplyPlan, api: ObjectApi): Promise<Map<string, ApiObject>> {
  const refs = plan.sets.flatMap(({ objects }) => objects.map(refOf));
  const found = new Map<string, ApiObject>();
  await inParallel(refs, atOnce, async (ref) => {
    const object = await api.read(ref);
    if (object !== undefined) found.set(keyOf(ref), object);
  });
  return found;
}

/** Two tools that apply the same objects would undo each other for ever. */
function refuseOthers(plan: ApplyPlan, there: ReadonlyMap<string, ApiObject>): void {
  const faults = plan.sets.flatMap(({ objects }) =>
    objects.flatMap((object) => {
      const owner = ownerOf(there.get(keyOf(refOf(object))) ?? {});
      return owner === undefined
        ? []
        : [`${textOf(refOf(object))} belongs to Flux there (Kustomization ${owner})`];
    }),
  );
  if (faults.length > 0)
    throw new ApplyError([
      ...faults,
      "apply is for clusters without Flux. Nothing was changed; check --context.",
    ]);
}

/** A kind of Flux that no controller is there for would be taken, and nothing would ever come of it. */
async function refuseUnknownKinds(plan: ApplyPlan, api: ObjectApi): Promise<void> {
  const faults = new Set<string>();
  for (const { name, objects } of plan.sets) {
    for (const { apiVersion, kind } of objects.map(refOf)) {
      if (!/\.toolkit\.fluxcd\.io\//.test(apiVersion)) continue;
      if ((await api.kind(apiVersion, kind)) !== undefined) continue;
      faults.add(
        `Set ${name} has a ${kind}, which the cluster does not know. Install Flux's controller for it first, or leave the set out: --without ${name}`,
      );
    }
  }
  if (faults.size > 0) throw new ApplyError([...faults]);
}

/** What the plan has, by set. An object that is there and that no apply made, or others anew, is nobody's to delete. */
function inventoryOf(plan: ApplyPlan, before: Inventory, there: ReadonlyMap<string, ApiObject>): Inventory {
  const made = new Map([...before.values()].flat().map((entry) => [keyOf(entry), entry.made]));
  return new Map(
    plan.sets.map(({ name, objects, prune }) => {
      const entries = objects.map((object): Entry => {
        const ref = refOf(object);
        const key = keyOf(ref);
        const found = there.get(key);
        const isMade = found === undefined || (made.get(key) === true && isOurs(found, plan.cluster));
        return { ...ref, made: isMade, prune };
      });
      return [name, entries];
    }),
  );
}

/** One inventory over another: what only the other has comes behind. */
function joined(one: Inventory, other: Inventory): Inventory {
  const known = new Set([...one.values()].flat().map(keyOf));
  const rest = [...other].map(
    ([set, entries]) => [set, entries.filter((entry) => !known.has(keyOf(entry)))] as const,
  );
  const sets = new Map([...one].map(([set, entries]) => [set, [...entries]]));
  for (const [set, entries] of rest) {
    if (entries.length > 0) sets.set(set, [...(sets.get(set) ?? []), ...entries]);
  }
  return sets;
}

/** What goes, what stays in the inventory, and what is let go of. */
function goingOf(
  { sets, leftOut }: ApplyPlan,
  before: Inventory,
  wanted: Inventory,
): {
  readonly gone: readonly { set: string; entry: Entry }[];
  readonly kept: Inventory;
  readonly left: string[];
} {
  const known = new Set([...wanted.values()].flat().map(keyOf));
  const prunes = new Map(sets.map(({ name, prune }) => [name, prune]));
  const kept = new Map<string, Entry[]>();
  const gone: { set: string; entry: Entry }[] = [];
  const left: string[] = [];
  for (const [set, entries] of before) {
    for (const entry of inOrder(entries)) {
      if (known.has(keyOf(entry))) continue;
      const prune = prunes.get(set) ?? entry.prune;
      if (leftOut.has(set) || !prune) kept.set(set, [...(kept.get(set) ?? []), { ...entry, prune }]);
      else if (entry.made) gone.unshift({ set, entry });
      else left.push(`${textOf(entry)} was made by others, and stays`);
    }
  }
  return { gone, kept, left };
}

/** Whether an object is being deleted, or was not there; or why it stays. */
export type Removal = { readonly isGoing: boolean } | { readonly stays: string };

/** Deletes an object that an apply made, unless somebody else has made it anew, or it says that it stays. */
export async function removed(
  entry: Entry,
  cluster: string,
  api: Pick<ObjectApi, "read" | "remove">,
): Promise<Removal> {
  const object = await api.read(entry);
  if (object === undefined) return { isGoing: false };
  if (!isOurs(object, cluster)) return { stays: `${textOf(entry)} was made anew by others, and stays` };
  const { annotations, labels } = asMap(object["metadata"]);
  const marks = { ...asMap(labels), ...asMap(annotations) };
  return marks["kustomize.toolkit.fluxcd.io/prune"] === "disabled"
    ? { stays: `${textOf(entry)} is not to be pruned, as it says, and stays` }
    : { isGoing: await api.remove(entry) };
}

/** What the sets of one apply share. */
interface Run {
  readonly cluster: string;
  /** Objects as they were before, by their key. */
  readonly there: ReadonlyMap<string, ApiObject>;
  /** Learns what happens. */
  readonly changes: Change[];
}

async function applySet(set: ApplySet, run: Run, world: ApplyWorld): Promise<SetOutcome> {
  const deadline = world.now() + set.timeout;
  const objects = sorted(set);
  const ground = objects.filter((object) => isGround(refOf(object)));
  for (const part of [ground, objects.filter((object) => !ground.includes(object))]) {
    const refused = await applyAll(set.name, part, run, deadline, world);
    if (refused.length > 0) return { set: set.name, state: "refused", why: refused };
    const late = part === ground ? await untilHealthy(part.map(refOf), deadline, world) : [];
    if (late.length > 0) return { set: set.name, state: "late", why: late };
  }
  const late = await untilHealthy(set.waitsFor, deadline, world);
  return { set: set.name, state: late.length === 0 ? "ready" : "late", why: late };
}

/** Applies objects, and again what the cluster could not take yet, until time is up. */
async function applyAll(
  set: string,
  objects: readonly PlainMap[],
  { there, changes, cluster }: Run,
  deadline: number,
  { api, now, sleep }: ApplyWorld,
): Promise<string[]> {
  let open = objects;
  for (;;) {
    const again: PlainMap[] = [];
    const faults: string[] = [];
    let isFinal = false;
    await inParallel(open, atOnce, async (object) => {
      const ref = refOf(object);
      const before = there.get(keyOf(ref));
      if (before !== undefined && isOnlyMade(object)) return;
      try {
        const after = await api.apply(marked(object, cluster), manager);
        changes.push({ set, what: changeOf(before, after), object: textOf(ref) });
      } catch (error) {
        if (!(error instanceof Declined)) throw error;
        // The words about a Secret may hold what stands in it.
        const said = ref.kind === "Secret" && !error.mayPass ? "it is not valid" : error.message;
        faults.push(`${textOf(ref)} is refused: ${said}`);
        isFinal ||= !error.mayPass;
        again.push(object);
      }
    });
    if (faults.length === 0) return [];
    if (isFinal || now() > deadline) return faults;
    open = again;
    await sleep(pause);
  }
}

function isOnlyMade(object: PlainMap): boolean {
  const mark = asMap(asMap(object["metadata"])["annotations"])["kustomize.toolkit.fluxcd.io/ssa"];
  return String(mark).toLowerCase() === "ifnotpresent";
}

function changeOf(before: ApiObject | undefined, after: ApiObject): Change["what"] {
  if (before === undefined) return "created";
  const version = (object: ApiObject) => asMap(object["metadata"])["resourceVersion"];
  if (version(before) === version(after)) return "unchanged";
  return isDeepStrictEqual(meant(before), meant(after)) ? "unchanged" : "changed";
}

/** Without what controllers write while we look. */
function meant({ status: _, metadata, ...rest }: ApiObject): unknown {
  const { labels, annotations } = asMap(metadata);
  return { ...rest, labels: asMap(labels), annotations: asMap(annotations) };
}

/** Waits until objects are healthy; else what is wrong with each that is not. One that failed ends the wait. */
async function untilHealthy(
  refs: readonly ObjectRef[],
  deadline: number,
  { api, now, sleep }: ApplyWorld,
): Promise<string[]> {
  let open = refs;
  for (;;) {
    const waiting: ObjectRef[] = [];
    const why: string[] = [];
    let isOver = false;
    await inParallel(open, atOnce, async (ref) => {
      const health = healthOf(await api.read(ref));
      if (health.state === "ready") return;
      waiting.push(ref);
      why.push(`${textOf(ref)}: ${health.why}`);
      isOver ||= health.state === "failed";
    });
    if (waiting.length === 0) return [];
    if (isOver || now() > deadline) return why.sort();
    open = waiting;
    await sleep(pause);
  }
}
