import { asList, asMap, asText } from "../../values/maps.ts";
import { nearest } from "../../values/nearest.ts";
import type { Remark, SetJudgement } from "../judgement.ts";
import { isBuiltIn } from "../objects.ts";
import { type BuiltObject, objectsOf } from "../subject.ts";

/** A health check on something that the set does not apply is never passed. */
export const healthChecks: SetJudgement = {
  name: "health-check",
  severity: "warning",
  finds:
    "A health check names an object that the set does not apply, nor anything of the set may make: the set never becomes " +
    "ready. Said of a set that makes objects by other means (HelmRelease, custom resources) only where the name is nearly one of its own.",
  judge({ set, build }): Remark[] {
    const objects = objectsOf(build);
    if (build.kind !== "built" || set.spec["wait"] === true) return [];
    const makesMore = objects.some((object) => !isBuiltIn(object));
    return asList(set.spec["healthChecks"]).flatMap((entry, index): Remark[] => {
      const { kind, name, namespace } = asMap(entry);
      const [wantKind, wantName] = [asText(kind), asText(name)];
      if (wantKind === undefined || wantName === undefined) return [];
      const there = objects.some(
        (each) => each.kind === wantKind && each.name === wantName && mayBeIn(each, asText(namespace)),
      );
      if (there || mayVary([wantName, asText(namespace) ?? ""], objects)) return [];
      const near = nearestOf(objects, wantKind, wantName);
      if (near === undefined && makesMore) return [];
      const meant = near === undefined ? "" : ` (there is ${near.kind} ${near.namespace}/${near.name})`;
      return [
        {
          field: ["healthChecks", index],
          message: `names ${wantKind} ${asText(namespace) ?? ""}/${wantName}, which the set does not apply${meant}, so the set would never be ready; correct it`,
        },
      ];
    });
  },
};

/** Names with variables in them become something only later. */
function mayVary(wanted: readonly string[], objects: readonly BuiltObject[]): boolean {
  return (
    wanted.some((text) => text.includes("${")) ||
    objects.some(({ name, namespace }) => name.includes("${") || namespace.includes("${"))
  );
}

function mayBeIn({ namespace }: BuiltObject, wanted: string | undefined): boolean {
  return wanted === undefined || namespace === "" || namespace === wanted;
}

/** The object that was probably meant: of that name and another namespace or kind, or nearly of that name. */
function nearestOf(objects: readonly BuiltObject[], kind: string, name: string): BuiltObject | undefined {
  const sameKind = objects.filter((each) => each.kind === kind);
  const same =
    sameKind.find((each) => each.name === name) ??
    objects.find((each) => each.name === name && each.kind.toLowerCase() === kind.toLowerCase());
  if (same !== undefined) return same;
  const near = nearest(
    name,
    sameKind.map((each) => each.name),
    Math.min(2, Math.floor(name.length / 3)),
  );
  return sameKind.find((each) => each.name === near);
}
