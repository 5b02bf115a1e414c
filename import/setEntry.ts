import { normalFolder } from "../build/index.ts";
import { ownPrefix } from "../fleet/ownVariables.ts";
import type { FluxMinor } from "../values/fluxVersions.ts";
import { fluxNamespace } from "../fleet/model.ts";
import { setAnnotations } from "../flux/kustomization.ts";
import { checkedSpec } from "./checkedSpec.ts";
import { isMap } from "../values/maps.ts";
import type { ImportedObject } from "./documents.ts";
import { metadataOf } from "./metadata.ts";
import type { Report } from "./notTaken.ts";
import { modernSpec } from "./oldFields.ts";

/** A Kustomization on its way to a set of the fleet file. */
export interface ImportedSet {
  readonly name: string;
  /** Where that is not flux-system. */
  readonly namespace?: string;
  readonly minor: FluxMinor;
  /** Fields of the spec but sourceRef and dependsOn, by the fleet file's names. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly sourceRef: { readonly kind: string; readonly name: string; readonly namespace?: string };
  readonly dependsOn: readonly {
    readonly name: string;
    readonly namespace?: string;
    readonly readyExpr?: string;
  }[];
}

const reconcile = "kustomize.toolkit.fluxcd.io/reconcile";
const setName = /^(?=.{1,63}$)[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const generatedName = /^(source|window|alert)-|^(kustomization|bootstrap)$/;

/** Whether a set may have the name: it is a label of what the set applies, and no name of Arcflux's own. */
export function canBeSet(name: string): boolean {
  return setName.test(name) && !generatedName.test(name);
}

/** The set that renders to the same Kustomization; undefined, and noted, when there is none. */
export function setEntry(object: ImportedObject, report: Report): ImportedSet | undefined {
  const metadata = metadataOf(object, report);
  if (metadata === undefined) return undefined;
  const { name, namespace } = metadata;
  if (!setName.test(name)) {
    report(
      "metadata.name",
      "is not a name that can be a label of what the set applies; the object is left out",
      "object",
    );
    return undefined;
  }
  if (generatedName.test(name)) {
    report(
      "metadata.name",
      "is a name that Arcflux's own files have, so it is left out: keep its file in a folder that another set applies; renaming it with prune on deletes what it applied",
      "object",
    );
    return undefined;
  }
  const raw = isMap(object.value["spec"]) ? object.value["spec"] : {};
  const checked = checkedSpec(
    "Kustomization",
    withPrune(withTextVariables(modernSpec(raw, report, namespace), object, report), report),
    report,
  );
  if (checked === undefined) return undefined;

  const { sourceRef, dependsOn, suspend, path, ...spec } = checked.spec;
  const folder = folderOf(path);
  if (folder === undefined) {
    report("spec.path", "is not a folder that a fleet file can name; the object is left out", "object");
    return undefined;
  }
  const labels = withoutReconcile(metadata.labels, "labels", report);
  const marks = withoutReconcile(metadata.annotations, "annotations", report);
  const isHeld = labels.isHeld || marks.isHeld;
  const { suspension, annotations } = suspensionOf(suspend === true, isHeld, marks.rest, report);
  return {
    name,
    ...(namespace !== undefined && { namespace }),
    minor: checked.minor,
    sourceRef: from(namespace, sourceRef as ImportedSet["sourceRef"]),
    dependsOn: ((dependsOn ?? []) as ImportedSet["dependsOn"]).map((entry) => from(namespace, entry)),
    fields: {
      ...(namespace !== undefined && { namespace }),
      path: folder,
      ...spec,
      ...(suspension !== undefined && { suspend: suspension }),
      ...(Object.keys(labels.rest).length > 0 && { labels: labels.rest }),
      ...(Object.keys(annotations).length > 0 && { annotations }),
    },
  };
}

/**
 * Without the mark by which windows were once opened by hand: with it in Git, Flux never makes the set, so a fleet file
 * cannot have it. Without it the set would run at once, so it is held.
 */
function withoutReconcile(
  values: Readonly<Record<string, unknown>>,
  where: "labels" | "annotations",
  report: Report,
): { readonly rest: Readonly<Record<string, unknown>>; readonly isHeld: boolean } {
  const { [reconcile]: stated, ...rest } = values;
  if (typeof stated !== "string" || stated.toLowerCase() !== "disabled")
    return { rest: values, isHeld: false };
  report(
    `metadata.${where}.${reconcile}`,
    "keeps Flux from the set; it is left out, and the set suspended: declare a window with the times of its jobs, and write `window` in the place of `suspend`",
    "part",
  );
  return { rest, isHeld: true };
}

/** A reference as the fleet file has it: what names no namespace is in the set's own to Flux, and in flux-system to us. */
function from<T extends { readonly namespace?: string }>(own: string | undefined, reference: T): T {
  const { namespace = own, ...rest } = reference;
  return { ...rest, ...(namespace !== undefined && namespace !== fluxNamespace && { namespace }) } as T;
}

/** The folder as every spelling of it means the same to Flux; undefined for one with a backslash or a control character. */
function folderOf(path: unknown): string | undefined {
  const text = typeof path === "string" ? path : "";
  return /[\\\p{Cc}]/u.test(text) ? undefined : `./${normalFolder(text)}`;
}

/** Flux asks for the field. Where it is missing, nothing was ever deleted. */
function withPrune(spec: Record<string, unknown>, report: Report): Record<string, unknown> {
  if (spec["prune"] !== undefined && spec["prune"] !== null) return spec;
  report("spec.prune", "is missing; it is written as false, so that nothing is deleted", "decide");
  return { ...spec, prune: false };
}

/** Variables are text; a number among them is one by mistake, and stands for the text that is in the file. */
function withTextVariables(
  spec: Record<string, unknown>,
  { sourceAt }: ImportedObject,
  report: Report,
): Record<string, unknown> {
  const postBuild = spec["postBuild"];
  if (!isMap(postBuild) || !isMap(postBuild["substitute"])) return spec;
  const substitute = Object.fromEntries(
    Object.entries(postBuild["substitute"]).flatMap(([key, value]) => {
      if (key.startsWith(ownPrefix)) return [];
      if (typeof value !== "number" && typeof value !== "boolean") return [[key, value]];
      report(
        `spec.postBuild.substitute.${key}`,
        "is not text, which Flux refuses; it is written as text",
        "decide",
      );
      return [[key, sourceAt(["spec", "postBuild", "substitute", key]) ?? String(value)]];
    }),
  ) as Record<string, unknown>;
  return { ...spec, postBuild: { ...postBuild, substitute } };
}

/** A reason is asked of every suspension; our own annotations hold it where Arcflux wrote the file. */
function suspensionOf(
  suspended: boolean,
  isHeld: boolean,
  annotations: Readonly<Record<string, unknown>>,
  report: Report,
): { suspension?: Record<string, string>; annotations: Record<string, unknown> } {
  const names: Record<string, string> = { ...setAnnotations };
  const rest = Object.fromEntries(
    Object.entries(annotations).filter(([key]) => !Object.values(names).includes(key)),
  );
  if (!suspended && !isHeld) return { annotations: rest };
  const reason = annotations[setAnnotations.suspendReason];
  const until = annotations[setAnnotations.suspendUntil];
  const window = annotations[setAnnotations.window];
  if (window !== undefined) {
    report(
      "spec.suspend",
      "is what a maintenance window left; declare the window, and write it instead of suspend",
      "decide",
    );
  } else if (reason === undefined && !isHeld) {
    report("spec.suspend", "has no reason; write one in the place of the one that import made up", "decide");
  }
  return {
    suspension: {
      reason:
        typeof reason === "string" && reason !== ""
          ? reason
          : isHeld
            ? "Kept from Flux until its window is declared"
            : "Suspended when it was imported",
      ...(typeof until === "string" && { until }),
    },
    annotations: rest,
  };
}
