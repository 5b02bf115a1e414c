import type { FaultList } from "./armError.ts";
import { flag, requiredText, seconds, textMap } from "./fieldRules.ts";
import type { Json } from "./json.ts";
import { asObject, isObject, show } from "./json.ts";

/** What both names of a Flux configuration must look like. */
export const fluxName = /^(?=.{1,63}$)[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

/** The rules on `kustomizations`: at least one, each with a path, siblings only in dependsOn. */
export function checkKustomizations(faults: FaultList, configuration: string, value: unknown): void {
  const at = "properties.kustomizations";
  const all = asObject(value);
  const names = Object.keys(all).filter((name) => all[name] !== null);
  if (names.length === 0) faults.add(at, "At least one kustomization is required.", "MissingProperty");
  for (const name of names) {
    const here = `${at}.${name}`;
    if (!fluxName.test(name)) {
      faults.add(here, "A kustomization name has 1 to 63 lower-case letters, digits, '-' and '.'.");
    }
    if (configuration.length + name.length > 62) {
      const length = configuration.length + name.length;
      faults.add(
        here,
        `The names of configuration and kustomization have ${length} characters; 62 are allowed.`,
      );
    }
    if (!isObject(all[name])) {
      faults.add(here, "A kustomization is an object.");
      continue;
    }
    checkOne(faults, here, name, all[name], names);
  }
}

function checkOne(
  faults: FaultList,
  at: string,
  name: string,
  spec: Json,
  siblings: readonly string[],
): void {
  requiredText(faults, `${at}.path`, spec["path"]);
  for (const field of ["timeoutInSeconds", "syncIntervalInSeconds", "retryIntervalInSeconds"]) {
    seconds(faults, `${at}.${field}`, spec[field]);
  }
  for (const field of ["prune", "force", "wait"]) flag(faults, `${at}.${field}`, spec[field]);
  const dependsOn = Array.isArray(spec["dependsOn"]) ? (spec["dependsOn"] as unknown[]) : [];
  for (const other of dependsOn) {
    if (other === name) faults.add(`${at}.dependsOn`, "A kustomization cannot depend on itself.");
    else if (typeof other !== "string" || !siblings.includes(other)) {
      faults.add(`${at}.dependsOn`, `${show(other)} is not a kustomization of this configuration.`);
    }
  }
  textMap(faults, `${at}.postBuild.substitute`, asObject(spec["postBuild"])["substitute"]);
}

/** The kustomizations as Azure returns them: with its own defaults for every field left out, and their names. */
export function completeKustomizations(value: unknown): Json {
  const complete: Json = {};
  for (const [name, spec] of Object.entries(asObject(value))) {
    if (spec === null) continue;
    complete[name] = {
      dependsOn: [],
      timeoutInSeconds: 600,
      syncIntervalInSeconds: 600,
      retryIntervalInSeconds: null,
      prune: false,
      force: false,
      wait: true,
      postBuild: null,
      ...asObject(spec),
      name,
    };
  }
  return complete;
}
