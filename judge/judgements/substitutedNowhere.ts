import { asList, asMap, isMap, textsIn } from "../../values/maps.ts";
import { showNames } from "../../values/show.ts";
import type { Path } from "../../fleet/finding.ts";
import type { Remark, SetJudgement } from "../judgement.ts";
import { isKind, locate } from "../objects.ts";
import { objectsOf } from "../subject.ts";
import { substitutions } from "../substitution.ts";
import { definedFor } from "../variables.ts";

/** Fields of a set that become part of what is built, where Flux then replaces variables. */
const built = new Set([
  "patches",
  "images",
  "commonMetadata",
  "namePrefix",
  "nameSuffix",
  "targetNamespace",
  "postBuild",
]);

/** `${…}` where Flux puts nothing in. */
export const substitutedNowhere: SetJudgement = {
  name: "substituted-nowhere",
  severity: "warning",
  readsVariables: true,
  finds:
    "`${name}` in a place where Flux replaces nothing: a field of the Kustomization itself, such as `path`, or the encoded " +
    "data of a Secret that a generator makes.",
  judge: (subject): Remark[] => [
    ...Object.entries(subject.set.spec).flatMap(([field, value]): Remark[] =>
      built.has(field) ? [] : [...fieldsIn(value, [field])],
    ),
    ...encoded(subject),
  ],
};

function* fieldsIn(value: unknown, field: Path): Generator<Remark> {
  if (typeof value === "string") {
    const [name] = substitutions(value).references;
    if (name !== undefined)
      yield {
        field,
        message: `has \${${name.name}}, and Flux replaces variables in what a set applies alone, so it stays as it is; write the value`,
      };
  } else if (Array.isArray(value)) {
    for (const [index, item] of asList(value).entries()) yield* fieldsIn(item, [...field, index]);
  } else if (isMap(value)) {
    for (const [key, item] of Object.entries(value)) yield* fieldsIn(item, [...field, key]);
  }
}

/** A secretGenerator encodes what it reads, before Flux looks for variables. */
function encoded({ set, build }: Parameters<SetJudgement["judge"]>[0]): Remark[] {
  const defined = definedFor(set);
  if (defined.names.size === 0) return [];
  return objectsOf(build)
    .filter((object) => isKind(object, "", "Secret"))
    .flatMap((object): Remark[] => {
      const names = new Set<string>();
      for (const text of textsIn(Object.values(asMap(object.value["data"])))) {
        const plain = Buffer.from(text, "base64").toString("utf8");
        for (const { name } of substitutions(plain).references) if (defined.names.has(name)) names.add(name);
      }
      if (names.size === 0) return [];
      return [
        {
          message: `${locate(object)} has \${${showNames(names, 3)}} in encoded data, where Flux replaces nothing; write it under stringData in a manifest`,
        },
      ];
    });
}
