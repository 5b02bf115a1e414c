import type { Fault } from "./fault.ts";
import type { GeneratedFiles } from "./generatedFiles.ts";
import type { HandWritten } from "./handWritten.ts";
import { describe, identity, type KubernetesObject } from "./kubernetesObject.ts";

/** Errors for objects of hand-written manifests that something else defines too: a set, Azure, or another such manifest. */
export function checkClashes(
  generated: GeneratedFiles,
  ours: readonly KubernetesObject[],
  manifests: readonly HandWritten[],
): Fault[] {
  const owners = new Map(ours.map((object) => [identity(object), object]));
  const faults: Fault[] = [];
  for (const object of manifests.flatMap(({ objects }) => objects ?? [])) {
    const key = identity(object);
    const owner = owners.get(key);
    if (owner === undefined) owners.set(key, object);
    else faults.push(clash(generated, object, owner));
  }
  return faults;
}

function clash(generated: GeneratedFiles, object: KubernetesObject, owner: KubernetesObject): Fault {
  const cluster = ["clusters", generated.cluster.name];
  const what = `${object.file} defines ${describe(object)}`;
  if (owner.file === "") {
    return {
      severity: "error",
      path: cluster,
      message: `${what}, which the Flux configuration in Azure makes; take it out of the file, or name it otherwise`,
    };
  }
  if (!generated.files.has(owner.file)) {
    const message =
      owner.file === object.file
        ? `${what} twice, so Flux would apply nothing of the flux folder; take one of them out`
        : `${what}, and so does ${owner.file}, so Flux would apply nothing of the flux folder; take one of them out`;
    return { severity: "error", path: cluster, message };
  }
  return {
    severity: "error",
    path: generated.origin(owner.file),
    message: `${what}, and so would ${owner.file}; take it out of the hand-written file, or name one of them otherwise`,
  };
}
