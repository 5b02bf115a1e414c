import { loadFleet } from "../fleet/load.ts";
import { validateSpec } from "../flux/crd/validate.ts";
import { fleetOf, type FleetPart } from "./fleetOf.ts";
import { fleetValue, type PlainFleet } from "./plainFleet.ts";
import { fleetBody, fleetText } from "./fleetText.ts";
import { type Note, notesOf } from "./notes.ts";
import type { NotTaken } from "./notTaken.ts";
import { ofOneRepository } from "./oneRepository.ts";
import { type Proof, proofOf } from "./proof.ts";
import { type FoundCluster, readCluster } from "./readCluster.ts";
import { repositoryOf } from "./repository.ts";
import { childrenOf } from "./takenApart.ts";
import { validated } from "./validated.ts";
import { showNames } from "../values/show.ts";

export interface ImportOptions {
  /** URL of the GitOps repository. Defaults to that of the source that the roots take. */
  readonly repositoryUrl?: string;
  /** Folder of the repository for generated files. Defaults to `fleet`. */
  readonly newFolder?: string;
}

export interface Imported {
  /** Text of a fleet file; empty where there is no cluster. */
  readonly fleetYaml: string;
  /** One line: how many clusters and sets, and how many mean the same as before. */
  readonly summary: string;
  /** Everything that the fleet file does not have, or has in another way. */
  readonly notTaken: readonly NotTaken[];
  /** The same as people read it, a note for each file. */
  readonly notes: readonly Note[];
  /** How many folders Flux cannot build, so that their clusters are missing. */
  readonly unbuilt: number;
  /** Names of clusters, of sets over all clusters, and of sources, that were taken; sorted. */
  readonly clusters: readonly string[];
  readonly sets: readonly string[];
  readonly sources: readonly string[];
  readonly proof: Proof;
}

/**
 * The fleet file of clusters that were found, which renders to objects of the same meaning, and everything that it does not
 * say, object by object and field by field.
 */
export function importClusters(
  found: readonly FoundCluster[],
  options: ImportOptions = {},
  notTaken: NotTaken[] = [],
): Imported {
  const parts = ofOneRepository(
    found.map((each): FleetPart => {
      const cluster = readCluster(each, notTaken);
      return { cluster, repository: repositoryOf(cluster, options.repositoryUrl, notTaken) };
    }),
    notTaken,
  );
  if (parts.length === 0) return { ...nothing, ...told(notTaken) };
  const clusters = parts.map(({ cluster }) => cluster);
  const byName = new Map(clusters.map((each) => [each.name, each]));
  const fileOf = (name: string, set: string): string => {
    const cluster = byName.get(name)!;
    return cluster.from.get(cluster.sets.find((each) => each.name === set)!)?.file ?? "";
  };
  const { plain, fleet, rest } = validated(fleetOf(parts, notTaken, options.newFolder), fileOf, notTaken);
  const value = fleetValue(plain);
  for (const error of rest) notTaken.push({ file: "", path: "validate", reason: error, matter: "decide" });
  const loaded = fleet && loadFleet(fleetBody(value), "fleet.yaml", { validateSpec }).fleet;
  const proof = loaded === undefined ? nothing.proof : proofOf(loaded, clusters);
  const sets = [...plain.clusters.values()].flatMap((cluster) => [...cluster.sets.keys()]);
  const sources = Object.keys(value["sources"] ?? {}).sort();
  const apart = new Map([...plain.clusters].map(([name, cluster]) => [name, childrenOf(cluster)]));
  for (const { cluster, set, fields } of proof.differ) {
    const children = apart.get(cluster)?.get(set);
    if (children !== undefined)
      notTaken.push({
        file: fileOf(cluster, set),
        path: `Kustomization ${set}`,
        reason: isApart(children),
        matter: "decide",
      });
    if (children !== undefined && fields.every((field) => apartFields.has(field))) continue;
    notTaken.push({
      file: fileOf(cluster, set),
      path: `Kustomization ${set}`,
      reason: `differs from before in ${fields.join(", ")}`,
      matter: "decide",
    });
  }
  notTaken.push(...commentsLost(found, plain.clusters, fileOf));
  const said = told(notTaken);
  const left = { sets: setsLeftOut(notTaken), folders: said.unbuilt };
  const summary = summaryOf(plain.clusters.size, sets.length, sources.length, loaded && proof, left);
  return {
    fleetYaml: fleetText(value, summary, said.notes, options.newFolder),
    summary,
    ...said,
    clusters: [...plain.clusters.keys()].sort(),
    sets: [...new Set(sets)].sort(),
    sources,
    proof,
  };
}

/** What of a set that applies others differs because they are sets of their own. */
const apartFields: ReadonlySet<string> = new Set(["spec.patches", "spec.prune"]);

const isApart = (children: readonly string[]): string => {
  const [are, them] =
    children.length === 1 ? ["is a set of its own", "it"] : ["are sets of their own", "them"];
  return `applies ${showNames(children, 3)}, which ${are} now: it leaves ${them} out by a patch, with prune: false; write prune as it was once the new bootstrap owns ${them}`;
};

const nothing: Imported = {
  fleetYaml: "",
  summary: "",
  notTaken: [],
  notes: [],
  unbuilt: 0,
  clusters: [],
  sets: [],
  sources: [],
  proof: { equal: 0, differ: [] },
};

/** Comments of the files that sets were made from, and of the lists above those. */
function commentsLost(
  found: readonly FoundCluster[],
  clusters: PlainFleet["clusters"],
  fileOf: (cluster: string, set: string) => string,
): NotTaken[] {
  const lost = new Map<string, string>();
  for (const { name, objects, inner = [], comments = new Map<string, string>() } of found) {
    const files = [...(clusters.get(name)?.sets.keys() ?? [])].map((set) => fileOf(name, set));
    if (files.length === 0) continue;
    // A file of sets that were left out goes on.
    const made = new Set(files);
    const all = [...objects, ...inner.map(({ object }) => object)];
    const staying = new Set(all.map(({ file }) => file).filter((file) => !made.has(file)));
    for (const [file, reason] of comments) if (!staying.has(file)) lost.set(file, reason);
  }
  return [...lost].map(([file, reason]) => ({ file, path: "", reason, matter: "know" }));
}

/** What is not taken, as programs and as people read it. */
function told(notTaken: readonly NotTaken[]): Pick<Imported, "notTaken" | "notes" | "unbuilt"> {
  return {
    notTaken,
    notes: notesOf(notTaken),
    unbuilt: notTaken.filter(({ matter }) => matter === "folder").length,
  };
}

/** How many Kustomizations the fleet file does not have. */
function setsLeftOut(notTaken: readonly NotTaken[]): number {
  const sets = notTaken.filter(
    ({ path, matter }) => matter === "object" && path.startsWith("Kustomization "),
  );
  return new Set(sets.map(({ file, path }) => `${file} ${path.split(": ")[0] ?? ""}`)).size;
}

function summaryOf(
  clusters: number,
  sets: number,
  sources: number,
  proof: Proof | undefined,
  left: { readonly sets: number; readonly folders: number },
): string {
  const counted = [count(clusters, "cluster"), count(sets, "set"), count(sources, "source")].join(", ");
  if (proof === undefined) return `${counted}; not compared yet: validate has errors, which stand below.`;
  const same = sets === 0 ? "" : `; ${proof.equal} of ${sets} mean the same as before`;
  const out = [
    ...(left.sets > 0 ? [`${count(left.sets, "Kustomization")} left out`] : []),
    ...(left.folders > 0 ? [`${count(left.folders, "folder")} without a build left out`] : []),
  ].join(", ");
  return `${counted}${same}${out === "" ? "" : `; ${out}`}.`;
}

function count(number: number, word: string): string {
  return number === 0 ? `no ${word}s` : `${number} ${word}${number === 1 ? "" : "s"}`;
}
