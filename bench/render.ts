import { stringify } from "yaml";
import { loadFleet } from "../fleet/load.ts";
import type { Fleet } from "../fleet/model.ts";
import { validateSpec } from "../flux/crd/validate.ts";
import { renderClusterFolder } from "../flux/folder.ts";
import { renderKustomization } from "../flux/kustomization.ts";
import { pair, report } from "./measure.ts";

const toReach = 2;
const rounds = 7;

/**
 * Rendering, and validating, a fleet of so many clusters with ten sets each, against `yaml` serialising the same objects
 * and doing nothing else. Validating is everything from the text of the fleet file to its findings, graph checks and
 * Flux's own schemas among them.
 */
export async function benchRender(clusters: number): Promise<string> {
  const text = fleetText(clusters);
  const fleet = load(text);
  const objects = fleet.clusters.flatMap((cluster) =>
    cluster.sets.map((set) => plain(renderKustomization(set))),
  );
  if (objects.length !== clusters * 10)
    throw new Error(`${objects.length} sets, where ${clusters * 10} are meant.`);
  const serialise = (): Promise<number> => measured(objects.map((object) => stringify(object)));

  const rendering = await pair(
    () => measured(fleet.clusters.flatMap((cluster) => Object.values(renderClusterFolder(cluster, fleet)))),
    serialise,
    rounds,
  );
  const validating = await pair(() => measured([load(text).repository.url]), serialise, rounds);
  const size = `${clusters} clusters x 10 sets`;
  return [
    report(`Rendering ${size}`, ["arcflux", "yaml alone, same objects"], rendering, toReach),
    report(`Validating ${size}`, ["arcflux, from the text", "yaml alone, same objects"], validating, toReach),
  ].join("\n");
}

/** Uses what was made, so that no part of making it can be left out. */
function measured(texts: readonly string[]): Promise<number> {
  return Promise.resolve(texts.reduce((sum, { length }) => sum + length, 0));
}

function load(text: string): Fleet {
  const { fleet, findings } = loadFleet(text, "fleet.yaml", { validateSpec });
  if (fleet === undefined || findings.length > 0) throw new Error(JSON.stringify(findings.slice(0, 3)));
  return fleet;
}

/** As plain values without undefined fields, which `yaml` would have to look at too. */
function plain(object: object): object {
  return JSON.parse(JSON.stringify(object)) as object;
}

/** Seven sets by group, in a chain of dependencies, and three of each cluster's own. */
function fleetText(clusters: number): string {
  const shared = ["infrastructure", "monitoring", "ingress", "database", "queue", "pos", "signage"];
  const lines = [
    "apiVersion: arcflux/v1",
    "repository: { url: https://git.example.com/edge/fleet.git }",
    "arc: { resourceGroup: rg-edge, location: westeurope }",
    "agents: present",
    'windows: { nightly: { open: "0 1 * * *", close: "0 4 * * *" } }',
    "sets:",
    ...shared.map((name, index) => {
      const before = shared[index - 1];
      return `  ${name}: { path: ./apps/${name}${before === undefined ? "" : `, dependsOn: [${before}]`} }`;
    }),
    `groups: { stores: { match: { kind: store }, sets: { ${shared.map((name) => `${name}: {}`).join(", ")} } } }`,
    "clusters:",
  ];
  for (let index = 0; index < clusters; index += 1) {
    lines.push(
      `  store-${index}:`,
      "    labels: { kind: store }",
      `    variables: { site_code: ${String(index).padStart(4, "0")}, meta_productive: true }`,
      "    sets:",
      "      set-01: { dependsOn: [infrastructure], interval: 30m }",
      "      set-02: { window: nightly, healthChecks: [{ apiVersion: apps/v1, kind: Deployment, name: web, namespace: web }] }",
      "      set-03: { targetNamespace: shop, dependsOn: [set-01] }",
    );
  }
  return `${lines.join("\n")}\n`;
}
