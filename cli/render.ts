import type { Cluster, Fleet } from "../fleet/model.ts";
import { selectClusters } from "../fleet/select.ts";
import { renderClusterFolder } from "../flux/folder.ts";
import type { ExitCode } from "./exitCodes.ts";
import { fleetCommand } from "./fleetCommand.ts";
import { writtenText } from "./report.ts";
import type { Terminal } from "./terminal.ts";
import { writeFiles } from "./writeFiles.ts";

export interface RenderOptions {
  readonly cluster?: readonly string[];
  readonly out?: string;
  readonly json?: boolean;
}

/** `arcflux render`: shows the files that an update would commit, or writes them below a folder. */
export function render(file: string, options: RenderOptions, terminal: Terminal): Promise<ExitCode> {
  return fleetCommand(file, options, terminal, { files: {} }, async ({ fleet }) => {
    const clusters = selectClusters(fleet, options.cluster ? { names: options.cluster } : {});
    const files = repositoryFiles(clusters, fleet);
    const { out } = options;
    const written = out === undefined ? undefined : await writeFiles(out, files);
    return {
      document: { files: Object.fromEntries(files) },
      print: () => {
        if (out !== undefined && written !== undefined)
          terminal.out(`${writtenText(out, written, files.size)}\n`);
        else for (const [path, text] of files) terminal.out(document(path, text));
      },
    };
  });
}

/** A file in a stream of them. One of several documents begins with a line of its own already. */
function document(path: string, text: string): string {
  return `--- # ${path}\n${text}`;
}

/** Path from the root of the repository to content, cluster by cluster. */
function repositoryFiles(clusters: readonly Cluster[], fleet: Fleet): Map<string, string> {
  return new Map(
    clusters.flatMap((cluster) =>
      Object.entries(renderClusterFolder(cluster, fleet)).map(
        ([path, text]) => [cluster.folder === "" ? path : `${cluster.folder}/${path}`, text] as const,
      ),
    ),
  );
}
