import type { Cluster, Fleet } from "../fleet/model.ts";
import { folder } from "../values/repositoryPath.ts";
import { checkClashes } from "./clashes.ts";
import { asText } from "./documents.ts";
import type { Fault } from "./fault.ts";
import { GeneratedFiles } from "./generatedFiles.ts";
import { handWritten } from "./handWritten.ts";
import { isFluxKustomization } from "./kubernetesObject.ts";
import { checkKustomizeConfigs } from "./kustomizeConfigs.ts";
import { checkLoops } from "./loops.ts";
import type { RepositoryReader } from "./repositoryReader.ts";

/** Files of a cluster, path below its folder to content, as `renderClusterFolder` makes them. */
export type Render = (cluster: Cluster) => Readonly<Record<string, string>>;

/** What was found in the flux folders of a fleet. */
export interface FluxFolders {
  readonly faults: readonly Fault[];
  /** Folders of manifests that hand-written Kustomizations apply. */
  readonly applied: ReadonlySet<string>;
}

/** Checks what others wrote to the flux folders against what an update would write there. */
export async function checkFluxFolders(
  fleet: Fleet,
  reader: RepositoryReader,
  render: Render,
): Promise<FluxFolders> {
  const applied = new Set<string>();
  const faults = await Promise.all(
    fleet.clusters.map(async (cluster): Promise<Fault[]> => {
      const generated = new GeneratedFiles(cluster, render(cluster));
      const found = await handWritten(cluster, new Set(generated.files.keys()), reader);
      const { manifests } = found;
      const faults = [...checkKustomizeConfigs(generated, found)];
      if (manifests.length === 0) return faults;

      for (const object of manifests.flatMap(({ objects }) => objects ?? []).filter(isFluxKustomization)) {
        applied.add(folder(asText(object.spec["path"]) ?? ""));
      }
      const ours = generated.objects();
      faults.push(...checkClashes(generated, ours, manifests), ...checkLoops(generated, ours, manifests));
      for (const { path, objects } of manifests) {
        if (objects === undefined) faults.push(unreadable(cluster, path));
      }
      return faults;
    }),
  );
  return { faults: faults.flat(), applied };
}

function unreadable({ name }: Cluster, path: string): Fault {
  return {
    severity: "warning",
    path: ["clusters", name],
    message: `${path} cannot be read as YAML, so Flux would apply nothing of the flux folder; correct or remove it`,
  };
}
