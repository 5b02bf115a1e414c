import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseAllDocuments } from "yaml";
import type { Builder } from "../../build/index.ts";
import { folderTree } from "../../checks/folderTree.ts";
import { loadFleet } from "../../fleet/load.ts";
import { validateSpec } from "../../flux/crd/validate.ts";
import { findClusters, importClusters, type NotTaken } from "../../import/index.ts";
import { filesBelow } from "../../import/filesBelow.ts";
import { applyAndPrune, type Simulated } from "./applyAndPrune.ts";

/** What an import of a public fleet comes to. */
export interface Measured {
  /** Kustomizations of Flux that stand in its files, whoever applies them. */
  readonly written: number;
  readonly clusters: number;
  /** Sets over all clusters, and those that mean the same rendered. */
  readonly sets: number;
  readonly equal: number;
  /** Kustomizations that were left out, by reason, the most frequent first. */
  readonly leftOut: ReadonlyMap<string, number>;
  readonly unbuilt: number;
  readonly validates: boolean;
  /** First line of what `validate --repo` says against it. */
  readonly refusal: string;
  readonly simulated: readonly (Simulated & { readonly cluster: string })[];
}

export async function measureFleet(root: string, folder: string, builder: Builder): Promise<Measured> {
  const tree = folderTree(root);
  const { clusters: found, notTaken, newFolder } = await findClusters(tree, folder, builder);
  const imported = importClusters(found, { newFolder }, notTaken);
  const { fleet, findings } = loadFleet(imported.fleetYaml, "fleet.yaml", { validateSpec });
  const refusal =
    imported.clusters.length === 0
      ? "no cluster"
      : (findings.find(({ severity }) => severity === "error")?.message ??
        (await refusalOf(imported.fleetYaml, root)));
  const simulated: Measured["simulated"][number][] = [];
  for (const cluster of fleet?.clusters ?? []) {
    const from = found.find(({ name }) => name === cluster.name)!;
    simulated.push({
      cluster: cluster.name,
      ...(await applyAndPrune(fleet!, cluster, from, { tree, builder })),
    });
  }
  const { equal, differ } = imported.proof;
  return {
    written: kustomizationsIn((await filesBelow(tree, folder)).files),
    clusters: imported.clusters.length,
    sets: equal + differ.length,
    equal,
    leftOut: byReason(imported.notTaken),
    unbuilt: imported.unbuilt,
    validates: refusal === "",
    refusal,
    simulated,
  };
}

/** Counted apart from what import reads, by the text of the files. */
function kustomizationsIn(files: Readonly<Record<string, string>>): number {
  let count = 0;
  for (const text of Object.values(files)) {
    if (!text.includes("kustomize.toolkit.fluxcd.io/")) continue;
    for (const document of parseAllDocuments(text, { uniqueKeys: false, logLevel: "silent" })) {
      const { apiVersion, kind } = (document.toJS({ maxAliasCount: -1 }) ?? {}) as {
        apiVersion?: unknown;
        kind?: unknown;
      };
      if (kind === "Kustomization" && String(apiVersion).startsWith("kustomize.toolkit.fluxcd.io/"))
        count += 1;
    }
  }
  return count;
}

function byReason(notTaken: readonly NotTaken[]): Map<string, number> {
  const counts = new Map<string, number>();
  const seen = new Set<string>();
  for (const { file, path, reason, matter } of notTaken) {
    if (matter !== "object" || !path.startsWith("Kustomization ")) continue;
    const [object = ""] = path.split(": ");
    if (seen.has(`${file} ${object}`)) continue;
    seen.add(`${file} ${object}`);
    // Names and values differ from one to the next; what is said does not.
    const kind = reason
      .replaceAll(/"[^"]*"/g, "…")
      .split(/[;:] /)
      .slice(0, 2)
      .join(": ");
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return new Map([...counts].sort(([, one], [, other]) => other - one));
}

/** What `validate --repo` has against a fleet file, as a user would run it; empty where it fits. */
async function refusalOf(fleetYaml: string, repository: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "arcflux-fleets-"));
  try {
    await writeFile(join(folder, "fleet.yaml"), fleetYaml);
    const cli = resolve(import.meta.dirname, "../../cli/arcflux.ts");
    return await new Promise((done) => {
      execFile(
        process.execPath,
        [cli, "validate", "--repo", resolve(repository)],
        { cwd: folder, maxBuffer: 1 << 26 },
        (error, _, err) => {
          done(error === null ? "" : (firstError(err) ?? error.message));
        },
      );
    });
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The first finding that is an error: warnings stand among them, in the order of the file. */
function firstError(text: string): string | undefined {
  const lines = text.split("\n").filter((line) => line !== "");
  return lines.find((line) => /^\S+:\d+:\d+: (?!warning: )/.test(line)) ?? lines[0];
}
