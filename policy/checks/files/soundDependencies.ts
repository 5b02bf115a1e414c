import { dependencyLoops } from "../../../fleet/dependencyLoops.ts";
import { fluxNamespace } from "../../../fleet/model.ts";
import { asList, asMap, asText } from "../../../values/maps.ts";
import { listed, texts } from "../../about.ts";
import { folderPolicy, type PlacedObject } from "../../filePolicy.ts";

/** Loops and names that stand for nothing: Flux applies none of these sets, and says so on the cluster alone. */
export const soundDependencies = folderPolicy({
  name: "sound-dependencies",
  description:
    "Kustomizations of a cluster wait for each other without loops, and for nothing that is not there.",
  why: "Flux applies none of the sets of a loop, nor one that waits for a set or source that nobody makes.",
  configSchema: {
    properties: {
      external: texts("Kustomizations and sources that exist on the clusters without being among the files."),
    },
  },
  check: (objects, { settings, complete }) => {
    const sets = objects.filter(({ object }) => object.kind === "Kustomization" && inFlux(object.whole));
    const byName = new Map(sets.map((one) => [one.object.name, one]));
    const external = listed(settings["external"]);
    const loops = dependencyLoops(
      sets.map(({ object }) => ({ name: object.name, dependsOn: dependenciesOf(object.spec) })),
    ).map((loop) => ({
      at: byName.get(loop[0]!)!,
      fault: `spec.dependsOn closes the loop ${loop.join(" -> ")}, and Flux applies none of them; drop one of these.`,
    }));
    // What is not known yet may be what is missing.
    if (!complete) return loops;
    const dangling = sets.flatMap((at) =>
      dependenciesOf(at.object.spec)
        .filter((name) => !byName.has(name) && !external.includes(name))
        .map((name) => ({
          at,
          fault: `spec.dependsOn names '${name}', which no committed file makes; correct it, or list it under external in the settings of this policy.`,
        })),
    );
    return [...loops, ...dangling];
  },
});

function inFlux(whole: PlacedObject["object"]["whole"]): boolean {
  return (asText(asMap(whole["metadata"])["namespace"]) ?? fluxNamespace) === fluxNamespace;
}

function dependenciesOf(spec: PlacedObject["object"]["spec"]): string[] {
  return asList(spec["dependsOn"]).flatMap((one) => {
    const { name, namespace = fluxNamespace } = asMap(one);
    return namespace === fluxNamespace ? (asText(name) ?? []) : [];
  });
}
