import { printable, showSome } from "../values/show.ts";
import type { FoundInAzure } from "./azure.ts";
import type { OnCluster } from "./cluster.ts";

/** Commands that take over what is there, as messages print them. */
const takeOver =
  "`npm run --silent arcflux -- existing > existing.json`, then `pulumi import --file existing.json --protect=false --generate-code=false`";

/** What of Azure stands in the way of an update that would create it anew, each said once for all clusters. */
export function azureRefusals(
  found: ReadonlyMap<string, FoundInAzure>,
  isConnecting: (cluster: string) => boolean,
): string[] {
  const all = [...found];
  const namesOf = (is: (one: FoundInAzure, name: string) => boolean): string[] =>
    all.filter(([name, one]) => is(one, name)).map(([name]) => name);
  const connected = namesOf((_, name) => isConnecting(name));
  const foreign = namesOf(({ configuration }) => configuration?.isOurs === false);
  const taken = namesOf(
    (one, name) =>
      !isConnecting(name) &&
      one.overlap === undefined &&
      (one.extension !== undefined || one.configuration?.isOurs === true),
  );
  return [
    ...overlaps(all),
    ...said(
      connected,
      "connected to Azure already, and not by this stack. Nothing was changed. Write `agents: present` for what runs there, and preview again.",
      "be",
    ),
    ...said(
      foreign,
      "a Flux configuration of the name in `config` in Azure, with other content. Nothing was changed. Write another `config`, in a fleet file of its own where other clusters have theirs.",
    ),
    ...said(
      taken,
      `Flux in Azure already, which this stack does not know. Nothing was changed. Write \`adopt: true\` to take it over, or do so by hand: ${takeOver}.`,
    ),
  ];
}

/** What on clusters stands in the way. */
export function clusterRefusals(found: ReadonlyMap<string, OnCluster>): string[] {
  const all = [...found].flatMap(([cluster, { objects }]) =>
    objects.slice(0, 1).map((one) => ({ cluster, ...one })),
  );
  const alike = Map.groupBy(all, ({ kind, name, owner }) => `${kind} ${name} of ${owner}`);
  return [
    ...overlaps([...found]),
    ...[...alike].flatMap(([what, clusters]) =>
      said(
        clusters.map(({ cluster }) => cluster),
        `${printable(what)} already. Nothing was changed. Write another \`config\` in the fleet file; leave the old objects until the new bootstrap owns the sets.`,
      ),
    ),
  ];
}

/** What already runs and would have two owners, each said once for all clusters. */
function overlaps(found: readonly (readonly [string, { readonly overlap?: string }])[]): string[] {
  const doubled = found.filter(([, { overlap }]) => overlap !== undefined);
  return [...Map.groupBy(doubled, ([, { overlap }]) => overlap!)].flatMap(([what, clusters]) =>
    said(
      clusters.map(([name]) => name),
      `${printable(what)}. Nothing was changed. Run \`arcflux adopt ${clusters[0]![0]}\`, which lets go of it first.`,
    ),
  );
}

function said(clusters: readonly string[], what: string, verb: "have" | "be" = "have"): string[] {
  if (clusters.length === 0) return [];
  const many = clusters.length > 1;
  const word = verb === "be" ? (many ? "are" : "is") : many ? "have" : "has";
  return [`${showSome(clusters)} ${word} ${what}`];
}
