import { dependencyLoops } from "../fleet/dependencyLoops.ts";
import type { Fault } from "./fault.ts";
import type { GeneratedFiles } from "./generatedFiles.ts";
import type { HandWritten } from "./handWritten.ts";
import { dependencies, isFluxKustomization, type KubernetesObject } from "./kubernetesObject.ts";

/** Errors for loops of dependsOn that hand-written Kustomizations take part in. Loops of sets alone are the fleet file's. */
export function checkLoops(
  generated: GeneratedFiles,
  ours: readonly KubernetesObject[],
  manifests: readonly HandWritten[],
): Fault[] {
  const byHand = manifests.flatMap(({ objects }) => objects ?? []).filter(isFluxKustomization);
  if (byHand.length === 0) return [];
  const files = new Map(byHand.map((object) => [key(object), object.file]));
  const all = [...ours.filter(isFluxKustomization), ...byHand];
  const loops = dependencyLoops(
    all.map((object) => ({ name: key(object), dependsOn: dependencies(object) })),
  );
  return loops.flatMap((loop): Fault[] => {
    const written = [...new Set(loop.flatMap((name) => files.get(name) ?? []))];
    if (written.length === 0) return [];
    // The set that waits for the hand-written one is where the fleet file can change it.
    const set = loop.find((name, index) => !files.has(name) && files.has(loop[index + 1] ?? ""));
    const { cluster } = generated;
    const way = loop.map((name) => name.replace("flux-system/", "")).join(" -> ");
    return [
      {
        severity: "error",
        path:
          set === undefined
            ? ["clusters", cluster.name]
            : ["clusters", cluster.name, "sets", set.slice(set.indexOf("/") + 1), "dependsOn"],
        message:
          `dependsOn loop: ${way}, closed by ${written.join(", ")}; each would wait for the others for ever, ` +
          "so take one dependency out",
      },
    ];
  });
}

function key({ namespace, name }: KubernetesObject): string {
  return `${namespace}/${name}`;
}
