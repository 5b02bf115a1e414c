import type { ResourceValidationPolicy } from "@pulumi/policy";

import type { About } from "../about.ts";
import { calledSecret, plainTextSecret, secretsIn } from "../../values/plainTextSecret.ts";
import { checkEachKnown } from "../checkEachKnown.ts";
import { eachCommittedFile, isFlux, patchIn, type CommittedObject } from "../committedFiles.ts";
import { asMap, asText, type PlainMap } from "../plainValue.ts";
import { isArcResource, isGitFiles } from "../resourceTypes.ts";
import { SecretFinds } from "../secretFinds.ts";

interface Config {
  readonly allowedNames?: readonly string[];
}

/** What is committed is read by everyone who reads the repository, and stays in its history. */
export const noPlainTextSecret: ResourceValidationPolicy & About = {
  name: "no-plain-text-secret",
  description: "No text in committed files, and in what Azure Arc is told, is a secret in plain text.",
  why: "Whoever reads the repository or the resource reads it, and it stays in the history.",
  configSchema: {
    properties: {
      allowedNames: {
        type: "array",
        items: { type: "string" },
        default: [],
        description: "Variables that hold no secret although their name or value looks like one.",
      },
    },
  },
  validateResource: (args, report) => {
    const { type, name, props } = args;
    if (isArcResource(type)) {
      const found = new SecretFinds();
      const steps = Object.keys(props)
        // Azure keeps these to itself.
        .filter((field) => field !== "configurationProtectedSettings")
        .map((field) => ({
          about: `${field} of '${name}'`,
          check: () => {
            for (const { path, kind } of secretsIn(props[field], [field]))
              found.add(path.join("."), kind, `'${name}'`);
          },
        }));
      checkAll(steps, () => found.messages().forEach((message) => report(message)));
    }
    if (!isGitFiles(type)) return;
    const { allowedNames = [] } = args.getConfig<Config>();
    const found = new SecretFinds();
    const steps = eachCommittedFile(props, ({ path, content }) => {
      if ("fault" in content) {
        const where = `GitFiles '${name}', file '${path}'`;
        report(`${where} ${content.fault}. It cannot be searched for secrets; correct the file.`);
        return;
      }
      for (const object of content.objects) {
        for (const { field, kind } of secretsOf(object, allowedNames))
          found.add(field, kind, `${object.title} in file '${path}'`);
      }
    });
    checkAll(steps, () => found.messages().forEach((message) => report(`GitFiles '${name}': ${message}`)));
  },
};

/** Runs the steps, and reports what was found also where one met a value that is not known yet. */
function checkAll(steps: Parameters<typeof checkEachKnown>[0], tell: () => void): void {
  try {
    checkEachKnown(steps);
  } finally {
    tell();
  }
}

interface Found {
  readonly field: string;
  readonly kind: string;
}

/** Variables by name and value, every other text by its value. */
function secretsOf(object: CommittedObject, allowedNames: readonly string[]): Found[] {
  const { spec, whole } = object;
  const elsewhere = secretsIn(isFlux(object) ? withoutVariables(whole, spec) : whole);
  return [
    ...secretsByPlace(object, allowedNames),
    ...elsewhere.map(({ path, kind }) => ({ field: path.join("."), kind })),
  ];
}

/** What is a secret by where it stands, or by its name, whatever its value looks like. */
function secretsByPlace(object: CommittedObject, allowedNames: readonly string[]): Found[] {
  const { spec, whole } = object;
  const variables = (isFlux(object) && asMap(asMap(spec["postBuild"])?.["substitute"])) || {};
  const found = Object.entries(variables).flatMap(([key, value]) => {
    const kind = allowedNames.includes(key) ? undefined : plainTextSecret(key, value);
    return kind === undefined ? [] : [{ field: `postBuild.substitute.${key}`, kind }];
  });
  if (object.kind === "Secret" && object.group === "v1" && whole["sops"] === undefined)
    for (const field of ["data", "stringData"]) found.push(...plainValues(whole[field], field));
  if (object.kind === "HelmRelease") found.push(...namedIn(spec["values"], ["spec", "values"], allowedNames));
  if (object.kind === "Kustomization") found.push(...inPatches(object, allowedNames));
  return found;
}

/** Of patches that are a text: what they bring of a Secret or a release. Their texts are searched with all others. */
function inPatches({ spec, whole }: CommittedObject, allowedNames: readonly string[]): Found[] {
  const patches = spec["patches"] ?? whole["patches"];
  if (!Array.isArray(patches)) return [];
  return patches.flatMap((entry: unknown, index): Found[] => {
    const patch = asMap(entry);
    const { objects, operations } = patchIn(asText(patch?.["patch"]) ?? "");
    const found = objects.flatMap((object) => secretsByPlace(object, allowedNames));
    if (asMap(patch?.["target"])?.["kind"] === "Secret")
      for (const { path, value } of operations) found.push(...operationOn(asText(path) ?? "", value));
    return found.map(({ field, kind }) => ({ field: `patches.${index}.patch, ${field}`, kind }));
  });
}

/** `/data/token` with its value, `/data` with a map of them, or the whole Secret. */
function operationOn(path: string, value: unknown): Found[] {
  const [, field = "", key] = path.split("/");
  if (field === "") return ["data", "stringData"].flatMap((one) => plainValues(asMap(value)?.[one], one));
  if (field !== "data" && field !== "stringData") return [];
  return value === undefined ? [] : plainValues(key === undefined ? value : { [key]: value }, field);
}

/** Values of a Secret that stand there themselves. */
function plainValues(map: unknown, field: string): Found[] {
  return Object.entries(asMap(map) ?? {})
    .filter(([, value]) => !refersElsewhere(value))
    .map(([key]) => ({ field: `${field}.${key}`, kind: "a value of a Secret in plain text" }));
}

/** `${pin}` is put in on the cluster, and null takes a key away. */
function refersElsewhere(value: unknown): boolean {
  return value === "" || value === null || (typeof value === "string" && /^\s*\$\{\w+\}\s*$/.test(value));
}

/** Values of a chart by their names; charts take the name of a Secret as `existingSecret`. */
function namedIn(value: unknown, path: readonly string[], allowedNames: readonly string[]): Found[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]: [string, unknown]) => {
    const at = [...path, key];
    if (typeof inner !== "string") return namedIn(inner, at, allowedNames);
    const isNamed = !/^existing/i.test(key) && !allowedNames.includes(key) && calledSecret(key, inner);
    return isNamed ? [{ field: at.join("."), kind: "a value that its name calls a secret" }] : [];
  });
}

function withoutVariables(whole: PlainMap, spec: PlainMap): PlainMap {
  const postBuild = asMap(spec["postBuild"]);
  if (postBuild === undefined) return whole;
  return { ...whole, spec: { ...spec, postBuild: { ...postBuild, substitute: undefined } } };
}
