import { asList, asMap, asText, isMap } from "../../values/maps.ts";
import { probable } from "../../values/nearest.ts";
import { show } from "../../values/show.ts";
import type { Remark, SetJudgement } from "../judgement.ts";
import { type BuiltObject, objectsOf } from "../subject.ts";

/** An image that no container has is replaced nowhere, without a word. */
export const images: SetJudgement = {
  name: "image",
  severity: "warning",
  finds:
    "An entry of `images`, of the set or of the folder's kustomization.yaml, names an image that no container has: nothing " +
    "is replaced, without a word.",
  judge({ set, bare, build }): Remark[] {
    return [...ofSet(set.spec["images"], bare), ...ofFolder(build)];
  },
};

function ofSet(entries: unknown, bare: Parameters<typeof objectsOf>[0]): Remark[] {
  const wanted = asList(entries);
  if (wanted.length === 0 || bare.kind !== "built") return [];
  const there = imageNames(objectsOf(bare));
  return wanted.flatMap((entry, index): Remark[] => {
    const name = asText(asMap(entry)["name"]);
    if (name === undefined || isThere(name, there)) return [];
    return [{ field: ["images", index], message: `replaces ${nothing(name, there)}` }];
  });
}

/** What the folder itself replaced carries the new name by then. */
function ofFolder(build: Parameters<typeof objectsOf>[0]): Remark[] {
  if (build.kind !== "built" || build.config === undefined) return [];
  const { file, value } = build.config;
  const wanted = asList(value["images"]).map(asMap);
  if (wanted.length === 0) return [];
  const there = imageNames(objectsOf(build));
  return wanted.flatMap((entry): Remark[] => {
    const name = asText(entry["name"]);
    const after = asText(entry["newName"]) ?? name;
    if (name === undefined || after === undefined || isThere(after, there) || isThere(name, there)) return [];
    return [{ message: `${file}: replaces ${nothing(name, there)}` }];
  });
}

function nothing(name: string, there: ReadonlySet<string>): string {
  const near = probable(name, there);
  const meant = near === undefined ? "" : `; there is ${near}`;
  return `image ${show(name)}, which no container has, so nothing would change${meant}; correct the name, or drop the entry`;
}

function isThere(name: string, there: ReadonlySet<string>): boolean {
  return there.has(name) || name.includes("${") || [...there].some((image) => image.includes("${"));
}

/** Names of all images in pod specs, without tag and digest. */
function imageNames(objects: readonly BuiltObject[]): Set<string> {
  const names = new Set<string>();
  const walk = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(walk);
    else if (isMap(value)) {
      for (const key of ["containers", "initContainers"]) {
        for (const container of asList(value[key])) {
          const image = asText(asMap(container)["image"]);
          if (image !== undefined) names.add(withoutTag(image));
        }
      }
      Object.values(value).forEach(walk);
    }
  };
  for (const { value } of objects) walk(value);
  return names;
}

function withoutTag(image: string): string {
  return image.replace(/@.*$/, "").replace(/:[^/:]*$/, "");
}
