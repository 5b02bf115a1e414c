import type { Cluster } from "../../fleet/model.ts";
import { namespacesFile, secretsName } from "../../fleet/resolveSecrets.ts";
import { hasSecretsFolder } from "../../flux/secrets/folder.ts";
import { fullPath } from "../../values/path.ts";
import { isOurs } from "../generatedFiles.ts";
import type { RepositoryReader } from "../repositoryReader.ts";
import type { Remark } from "./deletion.ts";

/** Secrets that leave the folder of a cluster. Where the whole folder goes, its Kustomization does, which is judged as a set. */
export async function goingSecrets(
  cluster: Cluster,
  files: ReadonlyMap<string, string>,
  reader: RepositoryReader,
): Promise<Remark[]> {
  if (!hasSecretsFolder(cluster) || !cluster.bootstrap.prune) return [];
  const folder = fullPath(cluster.folder, secretsName);
  const going = ((await reader.list(folder)) ?? []).filter(
    ({ name }) =>
      /\.yaml$/.test(name) && name !== `${namespacesFile}.yaml` && !files.has(fullPath(folder, name)),
  );
  const remarks = await Promise.all(
    going.map(async ({ name }): Promise<Remark[]> => {
      if (!isOurs((await reader.read(fullPath(folder, name))) ?? "")) return [];
      return [
        {
          cluster: cluster.name,
          going: [{ kind: "secret", name: name.slice(0, -".yaml".length) }],
          text: "goes away, and Flux deletes the Secret on the cluster",
          ways: "Put it back",
        },
      ];
    }),
  );
  return remarks.flat();
}
