import type { Cluster } from "../fleet/model.ts";
import { readFleet } from "../fleet/readFleet.ts";
import { selectClusters, SelectionError } from "../fleet/select.ts";
import { renderClusterFolder } from "../flux/folder.ts";
import { exitCodes, type ExitCode } from "./exitCodes.ts";
import { plural, report } from "./report.ts";
import { json, type Terminal } from "./terminal.ts";
import { WriteError, writeFiles } from "./writeFiles.ts";

export interface RenderOptions {
  readonly cluster?: readonly string[];
  readonly out?: string;
  readonly json?: boolean;
}

/** `arcflux render`: shows the files that an update would commit, or writes them below a folder. */
export async function render(file: string, options: RenderOptions, terminal: Terminal): Promise<ExitCode> {
  const { fleet, findings } = await readFleet(file);
  if (!options.json) report(findings, terminal);
  if (!fleet) {
    if (options.json) terminal.out(json({ files: {}, findings }));
    return exitCodes.input;
  }
  try {
    const clusters = selectClusters(fleet, options.cluster ? { names: options.cluster } : {});
    const files = repositoryFiles(clusters);
    if (options.out !== undefined) {
      const written = await writeFiles(options.out, files);
      if (!options.json) {
        const rest = files.size - written;
        terminal.out(
          `${plural(written, "file") || "No file"} written below ${options.out}${rest > 0 ? `, ${rest} up to date` : ""}.\n`,
        );
      }
    }
    if (options.json) terminal.out(json({ files: Object.fromEntries(files), findings }));
    else if (options.out === undefined)
      for (const [path, text] of files) terminal.out(`--- # ${path}\n${text}`);
    return exitCodes.done;
  } catch (error) {
    if (!(error instanceof SelectionError) && !(error instanceof WriteError)) throw error;
    if (options.json) terminal.out(json({ files: {}, findings, error: error.message }));
    else terminal.err(`${error.message}\n`);
    return error instanceof SelectionError ? exitCodes.input : exitCodes.failed;
  }
}

/** Path from the root of the repository to content, cluster by cluster. */
function repositoryFiles(clusters: readonly Cluster[]): Map<string, string> {
  return new Map(
    clusters.flatMap((cluster) =>
      Object.entries(renderClusterFolder(cluster)).map(
        ([path, text]) => [`${cluster.folder}/${path}`, text] as const,
      ),
    ),
  );
}
