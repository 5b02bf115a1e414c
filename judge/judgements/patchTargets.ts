import { ownPatches } from "../../fleet/idle.ts";
import type { ClusterSet } from "../../fleet/model.ts";
import { appsSet } from "../../fleet/resolveSets.ts";
import { asMap, asText } from "../../values/maps.ts";
import { probable } from "../../values/nearest.ts";
import type { Remark, SetJudgement } from "../judgement.ts";
import { describe } from "../objects.ts";
import { type BuiltObject, objectsOf } from "../subject.ts";

/** A patch with a target that fits nothing is passed over without a word. */
export const patchTargets: SetJudgement = {
  name: "patch-target",
  severity: "warning",
  finds:
    "A patch of a set or of an app has a `target` that fits no object of the folder: kustomize passes over it without a word.",
  judge({ cluster, set, bare }): Remark[] {
    if (bare.kind !== "built") return [];
    const objects = objectsOf(bare);
    const missing = (target: Target) => missingTarget(target, set, objects);
    const apps = set.name === appsSet ? cluster.apps : [];
    return [
      ...ownPatches(set).flatMap((patch, index): Remark[] => {
        const what = missing(asMap(asMap(patch)["target"]));
        if (what === undefined) return [];
        return [
          {
            field: ["patches", index, "target"],
            message: `fits nothing in ${set.spec.path}, so the patch would change nothing${what}; correct the target, or drop the patch`,
          },
        ];
      }),
      ...apps.flatMap(({ name, patches = [] }) =>
        patches.flatMap(({ target, patch }): Remark[] => {
          // What it takes away is in the folder no more.
          const what = patch["$patch"] === "delete" ? undefined : missing(target);
          if (what === undefined) return [];
          return [
            {
              app: name,
              message: `has a patch for ${target.kind} ${target.name}, which no manifest of its apps has, so it would change nothing${what}; correct the target, or drop the patch`,
            },
          ];
        }),
      ),
    ];
  },
};

type Target = Readonly<Record<string, unknown>>;

/** What to say of a target that fits none of the objects; undefined where it fits one, or takes all. */
function missingTarget(
  target: Target,
  { spec }: ClusterSet,
  objects: readonly BuiltObject[],
): string | undefined {
  if (Object.keys(target).length === 0) return undefined;
  // The namespace may be one that the set puts them in.
  const inTarget = target["namespace"] === spec["targetNamespace"];
  const meant = inTarget ? { ...target, namespace: undefined } : target;
  if (objects.some((object) => fits(object, meant))) return undefined;
  const near = nearestOf(target, objects);
  return near === undefined ? "" : `; there is ${describe(near)}`;
}

/** As kustomize: regular expressions over the whole, empty ones fit all; selectors by equality. */
function fits(object: BuiltObject, target: Readonly<Record<string, unknown>>): boolean {
  const version = object.apiVersion.slice(object.group === "" ? 0 : object.group.length + 1);
  const values = { ...object, version } as Readonly<Record<string, unknown>>;
  const { labels, annotations } = asMap(object.value["metadata"]);
  return (
    ["group", "version", "kind", "name", "namespace"].every((field) => {
      const pattern = asText(target[field]);
      return pattern === undefined || matches(pattern, String(values[field]));
    }) &&
    selects(asText(target["labelSelector"]), asMap(labels)) &&
    selects(asText(target["annotationSelector"]), asMap(annotations))
  );
}

function matches(pattern: string, text: string): boolean {
  // A long pattern is nothing that a target has; kustomize's engine takes linear time, this one may not.
  if (pattern === text || pattern.length > 200 || text.includes("${") || pattern.includes("${")) return true;
  try {
    return new RegExp(`^(?:${pattern})$`).test(text);
  } catch {
    return true;
  }
}

/** Only `key=value` and `key` are told; any other selector is taken to fit. */
function selects(selector: string | undefined, values: Readonly<Record<string, unknown>>): boolean {
  return (selector ?? "").split(",").every((part) => {
    const [, key, value] = /^\s*([\w./-]+)\s*(?:==?\s*([\w.-]*)\s*)?$/.exec(part) ?? [];
    if (key === undefined) return true;
    return key in values && (value === undefined || values[key] === value);
  });
}

function nearestOf(
  target: Readonly<Record<string, unknown>>,
  objects: readonly BuiltObject[],
): BuiltObject | undefined {
  const alike = objects.filter((object) =>
    fits(object, { ...target, name: undefined, namespace: undefined }),
  );
  const among = alike.length > 0 ? alike : objects;
  const name = asText(target["name"]) ?? "";
  const near = probable(
    name,
    among.map((object) => object.name),
  );
  return among.find((object) => object.name === near) ?? (alike.length === 1 ? alike[0] : undefined);
}
