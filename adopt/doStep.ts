import { fluxNamespace } from "../fleet/model.ts";
import type { ApiObject, ObjectApi } from "../status/index.ts";
import { asMap } from "../values/maps.ts";
import { letGoSpec, type Step } from "./nextStep.ts";
import { lettingGo } from "./stock.ts";

const kustomization = { apiVersion: "kustomize.toolkit.fluxcd.io/v1", kind: "Kustomization" };
const gitRepository = { apiVersion: "source.toolkit.fluxcd.io/v1", kind: "GitRepository" };

/** Does what a step does on the cluster, having looked once more that it is safe. Returns what was done, a line each. */
export async function doStep(step: Step, api: ObjectApi, bootstrap: string): Promise<string[]> {
  if (step.kind === "letGo") {
    const { name } = step.root;
    const metadata = { name, namespace: fluxNamespace, annotations: { [lettingGo]: bootstrap } };
    await api.apply({ ...kustomization, metadata, spec: letGoSpec(step.root) }, "arcflux-adopt");
    return [`${name} is suspended and deletes nothing any more.`];
  }
  if (step.kind !== "remove") return [];
  const { name, source } = step.root;
  const ref = { ...kustomization, namespace: fluxNamespace, name };
  const root = await api.read(ref);
  // Flux deletes what a Kustomization applied unless it is suspended or does not prune, and asks no second time.
  if (root !== undefined && !isSafe(root))
    throw new Error(`${name} prunes again; nothing was removed. Call again, which takes that step first.`);
  const done = [(await api.remove(ref)) ? `Kustomization ${name} is removed; what it applied stays.` : ""];
  if (source !== undefined)
    done.push(
      (await api.remove({ ...gitRepository, namespace: fluxNamespace, name: source }))
        ? `GitRepository ${source} is removed; nothing took it any more.`
        : "",
    );
  return done.filter((line) => line !== "");
}

function isSafe(root: ApiObject): boolean {
  const spec = asMap(root["spec"]);
  return spec["suspend"] === true && spec["prune"] !== true && spec["deletionPolicy"] !== "Delete";
}
