import type { ResourceValidationPolicy } from "@pulumi/policy";

import type { About } from "../about.ts";
import { calledSecret, plainTextSecret, secretsIn } from "../../values/plainTextSecret.ts";
import { checkEachKnown } from "../checkEachKnown.ts";
import { eachCommittedFile, isFlux, type CommittedObject } from "../committedFiles.ts";
import { asMap, type PlainMap } from "../plainValue.ts";
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
    const steps = eachCommittedFile(props, (path, content) => {
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

/** Variables by name and value, every other text by its value. */
function secretsOf(
  object: CommittedObject,
  allowedNames: readonly string[],
): { readonly field: string; readonly kind: string }[] {
  const { spec, whole } = object;
  const variables = (isFlux(object) && asMap(asMap(spec["postBuild"])?.["substitute"])) || {};
  const found = Object.entries(variables).flatMap(([key, value]) => {
    const kind = allowedNames.includes(key) ? undefined : plainTextSecret(key, value);
    return kind === undefined ? [] : [{ field: `postBuild.substitute.${key}`, kind }];
  });
  if (object.kind === "Secret" && object.group === "v1" && whole["sops"] === undefined) {
    for (const field of ["data", "stringData"])
      for (const [key, value] of Object.entries(asMap(whole[field]) ?? {}))
        if (!refersElsewhere(value))
          found.push({ field: `${field}.${key}`, kind: "a value of a Secret in plain text" });
  }
  if (object.kind === "HelmRelease") found.push(...namedIn(spec["values"], ["spec", "values"], allowedNames));
  const elsewhere = secretsIn(isFlux(object) ? withoutVariables(whole, spec) : whole);
  return [...found, ...elsewhere.map(({ path, kind }) => ({ field: path.join("."), kind }))];
}

/** `${pin}` is put in on the cluster. */
function refersElsewhere(value: unknown): boolean {
  return value === "" || (typeof value === "string" && /^\s*\$\{\w+\}\s*$/.test(value));
}

/** Values of a chart by their names; charts take the name of a Secret as `existingSecret`. */
function namedIn(
  value: unknown,
  path: readonly string[],
  allowedNames: readonly string[],
): { readonly field: string; readonly kind: string }[] {
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
