import { windowObject } from "../../fleet/window/index.ts";
import { type Cluster, type ClusterSet, fluxNamespace, namespaceOf } from "../../fleet/model.ts";
import { commitOf, type FluxObject } from "../fluxObject.ts";
import type { History } from "../history.ts";
import type { PartState, SetState, Wanted } from "../model.ts";
import { hashOf, refOf, shortRevision } from "../revision.ts";
import type { Word } from "../words.ts";
import { healthOf } from "./healthOf.ts";
import { isFresh } from "./isFresh.ts";

/** What judging takes from around it. */
export interface JudgeContext {
  readonly history: History;
  readonly now: Date;
  /** Branch that generated files are committed to. */
  readonly committedTo: string;
}

type Named = Pick<ClusterSet, "name" | "window">;
type Rest = Omit<PartState, "name" | "word" | "healthy">;

/** Says how a set of a cluster fares, from what its source told of the objects there. */
export function judgeSet(
  set: ClusterSet,
  cluster: Cluster,
  wanted: Wanted,
  objects: readonly FluxObject[],
  context: JudgeContext,
): SetState {
  const find = (kind: string, name: string, namespace: string = fluxNamespace): FluxObject | undefined =>
    objects.find((object) => object.kind === kind && object.name === name && object.namespace === namespace);
  const followsTip = set.sourceRef.kind === "GitRepository" && followsRepository(set, cluster);
  const own = { followsTip, ...(set.window !== undefined && { window: set.window }) };
  const object = find("Kustomization", set.name, namespaceOf(set));
  if (object === undefined) {
    return { ...absent(set, cluster, wanted, find, context), ...own, name: set.name, healthy: false };
  }
  const health = healthOf(object);
  const because = (word: Word, rest: Rest = {}): SetState => ({ ...health, word, ...rest, ...own });

  if (set.suspension !== undefined) {
    const { reason, until } = set.suspension;
    const text = `suspended in the fleet file: ${reason}${until === undefined ? "" : `, until ${until}`}`;
    if (health.word === "suspended") {
      const { revision, since, healthy } = health;
      const known = { ...(revision !== undefined && { revision }), ...(since !== undefined && { since }) };
      return { ...{ name: set.name, word: "suspended", healthy }, ...known, ...own, reason: text };
    }
    return because(late(set, cluster, wanted, context), { reason: `${text}; that has not arrived yet` });
  }
  const shut =
    set.window !== undefined && (find("GitRepository", windowObject(set.window))?.suspended ?? true);
  if (
    health.word === "failing" &&
    shut &&
    /artifact not found|Source .*not found/i.test(health.reason ?? "")
  ) {
    return because("waiting for a window", {
      reason: `window ${set.window} is shut, and its source holds nothing until it opens`,
    });
  }
  if (health.word !== "ready") return { ...health, ...own };
  return followsTip
    ? atTip(set, cluster, wanted, object, because, context)
    : atPin(set, wanted, object, find(set.sourceRef.kind, set.sourceRef.name), because);
}

/** Whether a set takes its manifests from the tip of what the cluster follows, at once or in its window. */
function followsRepository({ sourceRef, window }: ClusterSet, { config }: Cluster): boolean {
  return sourceRef.name === config || (window !== undefined && sourceRef.name === windowObject(window));
}

/** A set whose Kustomization is not on the cluster. */
function absent(
  set: Named,
  cluster: Cluster,
  wanted: Wanted,
  find: (kind: string, name: string) => FluxObject | undefined,
  context: JudgeContext,
): { readonly word: Word; readonly reason: string; readonly next?: string } {
  if (wanted.sets !== undefined && !wanted.sets.includes(set.name)) {
    return notCommitted(cluster, context.committedTo);
  }
  if (set.window !== undefined) {
    return { word: "waiting for a window", reason: `comes at the next opening of ${set.window}` };
  }
  const bootstrap = find("Kustomization", `${cluster.config}-bootstrap`);
  const health = bootstrap && healthOf(bootstrap);
  if (health === undefined) return { word: "held back", reason: "the bootstrap is not on the cluster" };
  if (health.word === "failing" || health.word === "suspended") {
    return { word: "held back", reason: `the bootstrap is ${health.word}: ${health.reason}` };
  }
  const has = hashOf(health.revision);
  if (has !== undefined && has === wanted.commit) {
    return {
      word: "behind",
      reason: "the bootstrap applied the commit, but the Kustomization is not there",
      next: `flux reconcile kustomization ${cluster.config}-bootstrap`,
    };
  }
  return { word: late(set, cluster, wanted, context), reason: "the bootstrap has not applied it yet" };
}

/** What is said of anything that the followed branch does not hold. */
export function notCommitted(
  { follows, stage }: Pick<Cluster, "follows" | "stage">,
  committedTo: string,
): { readonly word: Word; readonly reason: string; readonly next: string } {
  return follows === committedTo
    ? { word: "behind", reason: `not committed to ${follows} yet`, next: "Run pulumi up." }
    : {
        word: "waiting for promotion",
        reason: `not on ${follows}, which the cluster follows`,
        next: `Run pulumi up if it is not on ${committedTo} yet, then ${stage === undefined ? `merge ${committedTo} into ${follows}` : `arcflux promote ${stage}`}.`,
      };
}

type Because = (word: Word, rest?: Rest) => SetState;

function atTip(
  set: ClusterSet,
  cluster: Cluster,
  wanted: Wanted,
  object: FluxObject,
  because: Because,
  context: JudgeContext,
): SetState {
  const has = commitOf(object);
  if (wanted.commit === undefined) {
    return because("not asked", { reason: `Git did not say what ${cluster.follows} holds` });
  }
  if (has !== undefined && context.history.contains(has, wanted.commit) === true) return because("ready");
  const reason = `runs ${shortRevision(object.revision) || "an unknown commit"}, not ${wanted.commit.slice(0, 7)}`;
  if (set.window !== undefined) {
    return because("waiting for a window", { reason: `${reason}, until ${set.window} opens` });
  }
  return because(late(set, cluster, wanted, context), { reason });
}

/** What is not there yet is on its way for as long as Flux may take to look. */
function late(set: Named, cluster: Cluster, wanted: Wanted, { now }: JudgeContext): "progressing" | "behind" {
  const { fetchInterval, bootstrap } = cluster;
  return isFresh(wanted.committedAt, [fetchInterval, bootstrap.timeout, intervalOf(set, cluster)], now)
    ? "progressing"
    : "behind";
}

function intervalOf({ name }: Named, { sets }: Cluster): string {
  const timeout = sets.find((set) => set.name === name)?.spec["timeout"];
  return typeof timeout === "string" ? timeout : "5m";
}

function atPin(
  set: ClusterSet,
  wanted: Wanted,
  object: FluxObject,
  source: FluxObject | undefined,
  because: Because,
): SetState {
  const { revision } = object;
  const pin = wanted.pins[set.sourceRef.name];
  const fault = pin === undefined ? undefined : pinFault(pin, revision);
  const reason =
    fault ??
    (source?.revision !== undefined && revision !== undefined && source.revision !== revision
      ? `runs ${shortRevision(revision)}, while its source holds ${shortRevision(source.revision)}`
      : undefined);
  if (reason === undefined) return because("ready");
  if (set.window !== undefined)
    return because("waiting for a window", { reason: `${reason}, until ${set.window} opens` });
  // A source of its own interval has no commit whose age would tell.
  return because("behind", {
    reason,
    next: `arcflux reconcile CLUSTER ${set.name}`,
  });
}

/** Why a revision is not the one that a pin asks for; a range is not judged. */
function pinFault(pin: Wanted["pins"][string], revision: string | undefined): string | undefined {
  const [ref, hash] = [refOf(revision), hashOf(revision)];
  const { commit, digest, tag, branch } = pin;
  const asked = [commit, typeof digest === "string" ? digest.replace(/^sha\d+:/, "") : undefined].find(
    (each) => typeof each === "string",
  );
  if (asked !== undefined) {
    return hash === undefined || hash === asked
      ? undefined
      : `runs ${shortRevision(revision)}, not ${String(asked).slice(0, 7)}`;
  }
  const name = [tag, branch].find((each) => typeof each === "string");
  if (name === undefined || ref === undefined || pin["semver"] !== undefined) return undefined;
  return ref === name ? undefined : `runs ${shortRevision(revision)}, not ${name}`;
}
