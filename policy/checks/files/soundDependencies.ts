import type { ResourceValidationPolicy, StackValidationPolicy } from "@pulumi/policy";

import { dependencyLoops } from "../../../fleet/dependencyLoops.ts";
import { fluxNamespace, kustomizationName } from "../../../fleet/model.ts";
import { asList, asMap, asText } from "../../../values/maps.ts";
import { type About, listed, texts } from "../../about.ts";
import { checkClusterFolders } from "../../clusterFolders.ts";
import { type CommittedObject, namespaceOf } from "../../committedFiles.ts";
import { folderPolicy } from "../../filePolicy.ts";
import { rememberInputs } from "../../registeredInputs.ts";
import type { PlainMap } from "../../plainValue.ts";

const loops = folderPolicy({
  name: "sound-dependencies",
  description:
    "Kustomizations of a cluster wait for each other without loops, and for nothing that is not there.",
  why: "Flux applies none of the sets of a loop, nor one that waits for a set that nobody makes.",
  configSchema: {
    properties: {
      external: texts("Kustomizations that exist on clusters, beside those that the fleet file marks so."),
    },
  },
  check: (objects) => {
    const sets = objects.filter(({ object }) => isSet(object));
    const byName = new Map(sets.map((one) => [nameOf(one.object), one]));
    return dependencyLoops(
      sets.map(({ object }) => ({ name: nameOf(object), dependsOn: dependenciesOf(object) })),
    ).map((loop) => ({
      at: byName.get(loop[0]!)!,
      fault: `spec.dependsOn closes the loop ${loop.join(" -> ")}, and Flux applies none of them; drop one of these.`,
    }));
  },
});

/** Loops in each cluster's files, and with what the fleet file marks as external, names that stand for nothing. */
export const soundDependencies: ResourceValidationPolicy & StackValidationPolicy & About = {
  ...loops,
  validateResource: (args, report) => {
    void rememberInputs(args, report);
    loops.validateResource(args, report);
  },
  validateStack: (args, report) => {
    const settings = listed(args.getConfig<PlainMap>()["external"]);
    checkClusterFolders(args.resources, report, (objects, facts) => {
      const sets = objects.filter(({ object }) => isSet(object));
      const known = new Set([
        ...sets.map(({ object }) => nameOf(object)),
        ...settings,
        ...(facts?.external ?? []),
      ]);
      return sets.flatMap((at) =>
        dependenciesOf(at.object)
          .filter((name) => !known.has(name))
          .map((name) => ({
            at,
            fault: `spec.dependsOn names '${name}', which no committed file makes; correct it, or write {name: ${name}, external: true} in the fleet file.`,
          })),
      );
    });
  },
};

function isSet({ kind }: CommittedObject): boolean {
  return kind === "Kustomization";
}

function nameOf({ name, whole }: CommittedObject): string {
  return kustomizationName(name, namespaceOf(whole));
}

/** What it waits for of what is committed for the cluster; another namespace, where no set of ours is, is others'. */
function dependenciesOf({ spec, whole }: CommittedObject): string[] {
  const own = namespaceOf(whole);
  return asList(spec["dependsOn"]).flatMap((one) => {
    const { name, namespace } = asMap(one);
    const where = asText(namespace) ?? own;
    return where === fluxNamespace || where === own ? kustomizationName(asText(name) ?? "", where) : [];
  });
}
