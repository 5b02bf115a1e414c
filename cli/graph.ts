import { selectClusters } from "../fleet/select.ts";
import { showNames } from "../values/show.ts";
import { graphOf } from "../flux/graph.ts";
import { graphPrinters, type GraphFormat } from "../flux/graphPrinters/index.ts";
import type { ExitCode } from "./exitCodes.ts";
import { fleetCommand, UsageError } from "./fleetCommand.ts";
import type { Terminal } from "./terminal.ts";

export interface GraphOptions {
  readonly format: GraphFormat;
  readonly cluster?: readonly string[];
  readonly json?: boolean;
}

/** `arcflux graph`: what the sets of a cluster need, of each other and of everything else. */
export function graph(file: string, options: GraphOptions, terminal: Terminal): Promise<ExitCode> {
  const { format, cluster } = options;
  const asJson = options.json ?? format === "json";
  return fleetCommand(file, { json: asJson }, terminal, { graphs: [] }, ({ fleet }) => {
    const clusters = selectClusters(fleet, cluster ? { names: cluster } : {});
    if (!asJson && format === "mermaid" && clusters.length > 1) {
      throw new UsageError(
        `A Mermaid diagram is of one cluster, and there are ${clusters.length}. Name it with --cluster, such as ` +
          `--cluster ${clusters[0]!.name}, or take --format dot or json, which hold several. ` +
          `Clusters there: ${showNames(clusters.map(({ name }) => name))}`,
      );
    }
    const graphs = clusters.map(graphOf);
    return {
      document: { graphs },
      print: () => graphs.forEach((each) => terminal.out(graphPrinters[format](each))),
    };
  });
}
