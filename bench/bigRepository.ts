import { spawn } from "node:child_process";
import { once } from "node:events";
import { createBareRepository } from "../lab/createBareRepository.ts";

/**
 * Makes a bare repository with `clusters` x `filesEach` small files, below one folder for each cluster. The files
 * differ, and compress as manifests do.
 */
export async function makeBigRepository(path: string, clusters: number, filesEach: number): Promise<void> {
  await createBareRepository(path);
  const child = spawn("git", ["--git-dir", path, "fast-import", "--quiet"], {
    stdio: ["pipe", "inherit", "inherit"],
  });
  const write = async (text: string): Promise<void> => {
    if (!child.stdin.write(text)) await once(child.stdin, "drain");
  };
  await write(
    "commit refs/heads/main\ncommitter Bench <bench@example.com> 1700000000 +0000\ndata 5\nBench\n",
  );
  for (let cluster = 0; cluster < clusters; cluster += 1) {
    const lines: string[] = [];
    for (let file = 0; file < filesEach; file += 1) {
      const content = manifest(cluster, file);
      lines.push(
        `M 100644 inline clusters/edge-${String(cluster).padStart(5, "0")}/flux/set-${String(file).padStart(2, "0")}.yaml\n` +
          `data ${content.length}\n${content}\n`,
      );
    }
    await write(lines.join(""));
  }
  child.stdin.end();
  const [code] = (await once(child, "close")) as [number];
  if (code !== 0) throw new Error(`git fast-import ended with ${code}`);
}

/** A Kustomization with a few words of its own, so that no two are the same. */
function manifest(cluster: number, file: number): string {
  const own = ((cluster * 7919 + file * 104729) % 1_000_003).toString(36);
  return [
    "apiVersion: kustomize.toolkit.fluxcd.io/v1",
    "kind: Kustomization",
    "metadata:",
    `  name: set-${file}`,
    "  namespace: flux-system",
    "spec:",
    `  path: ./clusters/edge-${cluster}/sets/${own}`,
    "  interval: 10m",
    "  prune: true",
    "  postBuild: { substitute: { site: " + `"${own}${cluster}" } }`,
    "",
  ].join("\n");
}
