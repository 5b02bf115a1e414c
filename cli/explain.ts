import { explainCluster, type Row } from "../fleet/explain.ts";
import type { Cluster } from "../fleet/model.ts";
import { probable } from "../values/nearest.ts";
import { selectClusters } from "../fleet/select.ts";
import { show, showNames } from "../values/show.ts";
import type { ExitCode } from "./exitCodes.ts";
import { fleetCommand, UsageError } from "./fleetCommand.ts";
import type { Terminal } from "./terminal.ts";

export interface ExplainOptions {
  readonly file: string;
  readonly json?: boolean;
}

/** Wider values are cut on a screen, and there alone. */
const widest = 48;

/** `arcflux explain`: what a cluster or one of its sets resolves to, each value with where it comes from. */
export function explain(
  cluster: string,
  set: string | undefined,
  { file, ...options }: ExplainOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const subject = { cluster, ...(set !== undefined && { set }) };
  return fleetCommand(file, options, terminal, { ...subject, values: [] }, (loaded) => {
    const [found] = selectClusters(loaded.fleet, { names: [cluster] });
    const values = explainCluster(loaded, cluster, set);
    if (values === undefined) throw new UsageError(noSuchSet(set ?? "", found!));
    return {
      document: { ...subject, values },
      print: () => terminal.out(table(values, terminal.isScreen ?? false)),
    };
  });
}

function noSuchSet(set: string, { name, sets }: Cluster): string {
  const names = sets.map((each) => each.name);
  const near = probable(set, names);
  const meant = near === undefined ? "" : ` Did you mean ${near}?`;
  return `${show(set)} is not a set of ${name}.${meant}\nSets there: ${showNames(names) || "none"}`;
}

/** Columns as wide as what is in them, but for values that are wide: the value, what states it, and where. */
function table(rows: readonly Row[], cut: boolean): string {
  const lines = rows.map(({ path, value, layer, file, line }) => [
    path,
    cut ? shortened(written(value)) : written(value),
    layer,
    file === undefined ? "" : `${file}:${line}`,
  ]);
  const widths = [0, 1, 2].map((column) => {
    const lengths = lines.map((line) => line[column]!.length);
    return Math.max(0, ...(column === 1 ? lengths.map((length) => Math.min(length, widest)) : lengths));
  });
  return lines
    .map(
      (line) =>
        `${line
          .map((text, column) => text.padEnd(widths[column] ?? 0))
          .join("  ")
          .trimEnd()}\n`,
    )
    .join("");
}

/** Text as it is where it cannot be taken for anything else; everything else as JSON, which YAML reads too. */
function written(value: Row["value"]): string {
  return typeof value === "string" && /^[\w./:@*$-][^\p{Cc}]*$/u.test(value) ? value : JSON.stringify(value);
}

function shortened(text: string): string {
  return text.length > widest ? `${text.slice(0, widest - 1)}…` : text;
}
