import type { Builder, SourceTree } from "../build/index.ts";
import { type FoundSet, foundSets, treeWith, updateFiles } from "../checks/applied/index.ts";
import type { PinnedTrees } from "../checks/pinnedTrees.ts";
import { repositoryReader } from "../checks/repositoryReader.ts";
import { type Cluster, type Fleet, fluxNamespace, type PlainMap } from "../fleet/model.ts";
import type { ObjectRef } from "../status/index.ts";
import { secondsOf } from "../values/duration.ts";
import { isAtLeast } from "../values/fluxVersions.ts";
import { asList, asMap, asText } from "../values/maps.ts";
import { printable, showNames } from "../values/show.ts";
import { ApplyError } from "./applyError.ts";
import { HiddenValues, valuesOf } from "./hiddenValues.ts";
import { type ApplyInputs, withImages, withVariables } from "./inputs.ts";
import { keyOf, refOf, textOf } from "./order.ts";

/** A set as it is applied. */
export interface ApplySet {
  readonly name: string;
  /** Sets of the plan that have to be ready first. */
  readonly dependsOn: readonly string[];
  readonly objects: readonly PlainMap[];
  /** What has to be healthy for the set to be ready. */
  readonly waitsFor: readonly ObjectRef[];
  /** For applying and waiting, in milliseconds. */
  readonly timeout: number;
  /** Whether what leaves the set is deleted. */
  readonly prune: boolean;
}

/** What a cluster is to have; a set after those that it depends on. */
export interface ApplyPlan {
  readonly cluster: string;
  readonly sets: readonly ApplySet[];
  /** Names of sets that are left out, whose objects stay as they are, each with why. */
  readonly leftOut: ReadonlyMap<string, string>;
  /** A text without values of Secrets: what a cluster says of an object may quote them. */
  readonly hide: (text: string) => string;
}

/** The repository as the cluster would see it. */
export interface ApplySource {
  readonly tree: SourceTree;
  readonly branch: string;
  readonly pinned: PinnedTrees;
}

/** Reads an object of the namespace of Flux from the cluster. */
export type ReadObject = (ref: ObjectRef) => Promise<PlainMap | undefined>;

/** The set that holds what --secrets-from brings and no set has; no set may be called that. */
export const secretsSet = "secrets-from";

/**
 * What Flux would apply to a cluster, built as its controllers build it, without Flux's own objects. Rejects with ApplyError,
 * with every reason at once, where a part of it could not be applied.
 */
export async function planApply(
  cluster: Cluster,
  fleet: Pick<Fleet, "repository">,
  { tree, branch, pinned }: ApplySource,
  inputs: ApplyInputs,
  builder: Pick<Builder, "build" | "substitute">,
  read: ReadObject,
): Promise<ApplyPlan> {
  const own = withVariables(cluster, inputs.variables);
  const { written, removed } = await updateFiles({ clusters: [own], repository: fleet.repository }, tree);
  const generated = written.get(own) ?? new Map<string, string>();
  const updated = treeWith(tree, generated, removed);
  const place = { tree: updated, reader: repositoryReader(updated), parsed: new Map(), fills: new Map() };
  const { url } = fleet.repository;
  const found = await foundSets(own, { ...place, branch, url, pinned }, builder);
  const bootstrap = `${own.config}-bootstrap`;

  const leftOut = leftOutOf(found.sets, inputs.without);
  const faults = unknownNames(
    inputs,
    found.sets,
    found.unbuilt.map(({ set }) => set),
  );
  for (const { set, kind, message } of found.unbuilt) {
    if (inputs.without.includes(set)) leftOut.set(set, "by --without");
    else
      faults.push(
        kind === "fault"
          ? `Set ${set} does not build: ${message}. Correct it, or leave it out: --without ${set}`
          : `Set ${set} cannot be built here: ${message}. Leave it out: --without ${set}`,
      );
  }
  const taken = found.sets.filter(({ name }) => !leftOut.has(name));
  const hidden = new HiddenValues(inputs.secrets);
  const used = { images: new Set<string>(), secrets: new Set<string>() };
  const sets: ApplySet[] = [];
  for (const set of taken) {
    if (set.spec["kubeConfig"] !== undefined) {
      faults.push(`Set ${set.name} is for another cluster (kubeConfig). Leave it out: --without ${set.name}`);
      continue;
    }
    const filled = await filledIn(set, own.flux.version, { inputs, all: taken, builder, read, hidden });
    if ("faults" in filled) {
      faults.push(...filled.faults);
      continue;
    }
    const objects = filled.objects
      .filter(({ object, file }) => !isFlux(object) && !(set.name === bootstrap && generated.has(file)))
      .filter(({ object }) => !isTurnedOff(object))
      .map(({ object }) => withImages(standIn(object, inputs, used.secrets), inputs.images, used.images));
    faults.push(
      ...objects
        .filter((object) => object["sops"] !== undefined)
        .map(
          (object) =>
            `${textOf(refOf(object))} of set ${set.name} is encrypted, and only Flux can read it. Give it in the file of --secrets-from`,
        ),
    );
    sets.push(applySet(set, objects));
  }
  const rest = ownSecrets(inputs, used.secrets);
  if (rest.length > 0) sets.push({ ...applySet({ name: secretsSet, spec: {} }, rest), prune: true });
  const notThere = Object.keys(inputs.images).filter((name) => !used.images.has(name));
  if (notThere.length > 0)
    faults.push(
      `No container has an image called ${showNames(notThere)}: correct --image, or use --variable`,
    );
  const hide = (text: string): string => hidden.hide(text);
  if (faults.length > 0) throw new ApplyError(faults.map((fault) => printable(hide(fault))));
  const all = ordered(sets.filter(({ objects, prune }) => objects.length > 0 || !prune));
  return { cluster: cluster.name, sets: all, leftOut, hide };
}

function leftOutOf(sets: readonly FoundSet[], without: readonly string[]): Map<string, string> {
  return new Map(
    sets.flatMap(({ name, spec }) => {
      const why = without.includes(name) ? "by --without" : spec["suspend"] === true ? "it is suspended" : "";
      return why === "" ? [] : [[name, why] as const];
    }),
  );
}

/** Names on the command line that are nowhere: a typo would try something else than was meant. */
function unknownNames(
  { variables, without }: ApplyInputs,
  sets: readonly FoundSet[],
  unbuilt: readonly string[],
): string[] {
  const names = [...sets.map(({ name }) => name), ...unbuilt];
  const unknown = without.filter((name) => !names.includes(name));
  const texts = sets.flatMap(({ built }) => built.objects.flatMap(({ text = "" }) => [text]));
  const unused = Object.keys(variables).filter(
    (name) => !texts.some((text) => new RegExp(`\\$\\{#?${name}\\b`).test(text)),
  );
  return [
    ...(unknown.length > 0
      ? [`--without ${showNames(unknown)}: the sets there are ${showNames(names)}`]
      : []),
    ...(unused.length > 0
      ? [
          `No set uses the variable ${showNames(unused)}: correct --variable, or write \${${unused[0]!}} in a manifest`,
        ]
      : []),
  ];
}

interface Filling {
  readonly inputs: ApplyInputs;
  readonly all: readonly FoundSet[];
  readonly builder: Pick<Builder, "substitute">;
  readonly read: ReadObject;
  readonly hidden: HiddenValues;
}

/** A set with its variables put in, those of `substituteFrom` among them; or why that cannot be. */
async function filledIn(
  set: FoundSet,
  version: string,
  { inputs, all, builder, read, hidden }: Filling,
): Promise<FoundSet["built"] | { readonly faults: readonly string[] }> {
  const postBuild = asMap(set.spec["postBuild"]);
  const from = asList(postBuild["substituteFrom"]).map(asMap);
  const faults: string[] = [];
  let variables: Record<string, string> = {};
  for (const { kind, name, optional } of from) {
    const ref = { apiVersion: "v1", kind: String(kind), namespace: fluxNamespace, name: String(name) };
    const object = given(ref, inputs.secrets) ?? inSets(ref, all) ?? (await read(ref));
    if (object !== undefined) hidden.add(object);
    if (object !== undefined) variables = { ...variables, ...valuesOf(object) };
    else if (optional !== true)
      faults.push(
        `Set ${set.name} takes variables from ${textOf(ref)}, which is not there. Give it in the file of --secrets-from`,
      );
  }
  if (faults.length > 0) return { faults };
  const filled =
    from.length === 0
      ? await set.filled()
      : await builder.substitute(set.built, {
          variables: { ...variables, ...(asMap(postBuild["substitute"]) as Record<string, string>) },
          strict: isAtLeast(version, "2.9"),
          always: postBuild["substituteStrategy"] === "Always",
        });
  return filled.kind === "fault" ? { faults: [`Set ${set.name}: ${filled.message}`] } : filled;
}

/** What the file of --secrets-from has in the namespace of Flux, which may go without saying there. */
function given(ref: ObjectRef, secrets: readonly PlainMap[]): PlainMap | undefined {
  return secrets.find((one) => {
    const { kind, name, namespace = fluxNamespace } = refOf(one);
    return kind === ref.kind && name === ref.name && namespace === fluxNamespace;
  });
}

function inSets(ref: ObjectRef, sets: readonly FoundSet[]): PlainMap | undefined {
  const objects = sets.flatMap(({ built }) => built.objects.map(({ object }) => object));
  return objects.find((object) => keyOf(refOf(object)) === keyOf(ref) && object["sops"] === undefined);
}

/** The object of the file in the place of the one that Git has. */
function standIn(object: PlainMap, { secrets }: ApplyInputs, used: Set<string>): PlainMap {
  const key = keyOf(refOf(object));
  const found = secrets.find((one) => keyOf(refOf(one)) === key);
  if (found === undefined) return object;
  used.add(key);
  return found;
}

/** What the file brings that no set has, and that is not there for variables alone. */
function ownSecrets({ secrets }: ApplyInputs, used: ReadonlySet<string>): PlainMap[] {
  return secrets.filter((one) => {
    const { namespace = fluxNamespace } = refOf(one);
    return namespace !== fluxNamespace && !used.has(keyOf(refOf(one)));
  });
}

/** Objects by which Flux itself works: what they stand for is applied in their place. */
function isFlux({ apiVersion, kind }: PlainMap): boolean {
  const group = (asText(apiVersion) ?? "").split("/")[0];
  return (
    (group === "kustomize.toolkit.fluxcd.io" && kind === "Kustomization") ||
    group === "notification.toolkit.fluxcd.io" ||
    (group === "source.toolkit.fluxcd.io" && kind === "GitRepository")
  );
}

/** Flux leaves these alone. */
function isTurnedOff(object: PlainMap): boolean {
  const { annotations, labels } = asMap(object["metadata"]);
  const marks = { ...asMap(labels), ...asMap(annotations) };
  return (
    marks["kustomize.toolkit.fluxcd.io/reconcile"] === "disabled" ||
    String(marks["kustomize.toolkit.fluxcd.io/ssa"]).toLowerCase() === "ignore"
  );
}

const fiveMinutes = 300;

function applySet({ name, spec }: Pick<FoundSet, "name" | "spec">, objects: readonly PlainMap[]): ApplySet {
  const checks = asList(spec["healthChecks"]).map((check) => {
    const { apiVersion, kind, namespace, name: called } = asMap(check);
    return {
      ...{ apiVersion: asText(apiVersion) ?? "", kind: String(kind), name: String(called) },
      namespace: asText(namespace),
    };
  });
  return {
    name,
    dependsOn: asList(spec["dependsOn"]).map((one) => String(asMap(one)["name"])),
    objects,
    waitsFor: spec["wait"] === true ? objects.map(refOf) : checks,
    timeout: (secondsOf(spec["timeout"]) ?? secondsOf(spec["interval"]) ?? fiveMinutes) * 1000,
    prune: spec["prune"] === true,
  };
}

/** Sets after those that they depend on; what a set depends on and is not in the plan does not hold it up. */
function ordered(sets: readonly ApplySet[]): ApplySet[] {
  const names = new Set(sets.map(({ name }) => name));
  const done = new Map<string, ApplySet>();
  let open = sets.map((set) => ({ ...set, dependsOn: set.dependsOn.filter((name) => names.has(name)) }));
  while (open.length > 0) {
    const next = open.filter(({ dependsOn }) => dependsOn.every((name) => done.has(name)));
    if (next.length === 0)
      throw new ApplyError([
        `Sets depend on each other in a loop: ${showNames(open.map(({ name }) => name))}. Take one dependsOn out.`,
      ]);
    for (const set of next) done.set(set.name, set);
    open = open.filter(({ name }) => !done.has(name));
  }
  return [...done.values()];
}
