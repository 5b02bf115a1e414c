import * as pulumi from "@pulumi/pulumi";

import { branchFault } from "../values/branch.ts";
import { pathFault } from "../values/repositoryPath.ts";
import { urlFault } from "../values/repositoryUrl.ts";

/** Says what is wrong with a text, in words that follow the name of its property; undefined where it is right. */
type Rule = (text: string) => string | undefined;

/** Rules of arguments that several components take, by property. */
const rules: Readonly<Record<string, Rule>> = {
  repository: (url) => urlFault(url),
  branch: branchFault,
  // The root of the repository is a folder too.
  folder: (path) => (path === "" ? undefined : pathFault(path)),
  fluxFolder: pathFault,
};

/**
 * Judges the arguments that are known when a component is made; what is an Output is judged by the resource that takes it.
 *
 * @throws an InputPropertiesError that names every property at fault.
 */
export function checkArguments(component: string, args: object): void {
  const errors = Object.entries(args).flatMap(([propertyPath, value]: [string, unknown]) => {
    const fault = typeof value === "string" ? rules[propertyPath]?.(value) : undefined;
    return fault === undefined ? [] : [{ propertyPath, reason: `${propertyPath} ${fault}` }];
  });
  if (errors.length === 0) return;
  throw new pulumi.InputPropertiesError({
    message: `Arguments of ${component}: ${errors.map(({ reason }) => reason).join("; ")}`,
    errors,
  });
}
