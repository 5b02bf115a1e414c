import { loadFleet } from "../../fleet/load.ts";
import type { Cluster } from "../../fleet/model.ts";
import { pageData, type PageData, type PageSources } from "../../page/index.ts";
import type { ClusterState, Word } from "../../status/index.ts";

const commits = { old: "a".repeat(40), new: "b".repeat(40) };
export const [oldCommit, newCommit] = [commits.old, commits.new];

/** A fleet file of two stages: the clusters of each are numbered, and have labels by region. */
export function twoStages(each: number): string {
  const clusters = ["dev", "prod"].flatMap((stage) =>
    Array.from({ length: each }, (_, index) => {
      const region = ["north", "south", "west"][index % 3];
      return `  ${stage}-${index + 1}: { agents: present, stage: ${stage}, labels: { region: ${region} } }`;
    }),
  );
  return `apiVersion: arcflux/v1
repository: { url: https://git.example.com/edge/fleet.git }
arc: { resourceGroup: rg-edge, location: westeurope }
windows:
  nightly: { open: "0 1 * * *", close: "0 4 * * *" }
sets:
  infrastructure: { path: ./infrastructure }
  pos: { path: ./apps/pos, dependsOn: [infrastructure] }
stages:
  dev: { branch: dev, sets: { infrastructure: {}, pos: { interval: 5m } } }
  prod: { branch: prod, after: dev, sets: { infrastructure: {}, pos: { window: nightly } } }
clusters:
${clusters.join("\n")}
`;
}

type Told = Partial<Pick<ClusterState, "word" | "idle" | "reason" | "notes" | "windows">> & {
  readonly pos?: Word;
  readonly why?: string;
};

/** What a page shows of that fleet, where each cluster is as `told` says; ready unless it says otherwise. */
export function pageOf(text: string, told: (cluster: Cluster, index: number) => Told = () => ({})): PageData {
  const { fleet, finding } = loadFleet(text, "fleet.yaml");
  if (fleet === undefined) throw new Error("The fixture is wrong.");
  const states = fleet.clusters.map((cluster, index): ClusterState => {
    const { word = "ready", idle, reason, notes = [], windows = [], ...more } = told(cluster, index);
    const { pos = word, why = reason } = more;
    const commit = cluster.stage === "dev" ? newCommit : oldCommit;
    return {
      cluster: cluster.name,
      stage: cluster.stage!,
      word,
      ...(idle === true && { idle }),
      ...(reason !== undefined && { reason }),
      wanted: { branch: cluster.follows, commit, committedAt: "2026-11-28T10:00:00Z", pins: {} },
      runs: { bootstrap: `main@sha1:${commit}`, sets: `main@sha1:${commit}` },
      sets: cluster.sets.map(({ name }) => ({
        name,
        word: name === "pos" ? pos : "ready",
        ...(name === "pos" && why !== undefined && { reason: why }),
        healthy: name !== "pos" || pos === "ready",
        followsTip: true,
        revision: `main@sha1:${commit}`,
      })),
      others: [],
      notes,
      windows,
      source: "azure",
      asOf: "2026-11-29T06:00:00Z",
    };
  });
  const event = (commit: string, kind: "promotion" | "update", more: object) => ({
    ...{ time: "2026-11-28T10:00:00Z", commit, kind, person: "Ada", subject: "pos 1.5.0", changed: [] },
    ...more,
  });
  const history: PageSources["history"] = [
    {
      track: { name: "dev", branch: "dev" },
      events: [
        event(newCommit, "update", {}),
        event(oldCommit, "update", { time: "2026-11-27T10:00:00Z", subject: "pos 1.4.0" }),
      ],
      more: false,
    },
    {
      track: { name: "prod", branch: "prod", before: "dev" },
      events: [event("c".repeat(40), "promotion", { from: oldCommit, time: "2026-11-28T08:00:00Z" })],
      more: false,
    },
  ];
  const runs = new Map([
    [
      "dev-1",
      [{ time: "2026-11-28T10:05:00Z", sets: newCommit, state: "ready", source: "azure", notReady: [] }],
    ],
  ]);
  return pageData({
    fleet,
    clusters: fleet.clusters,
    finding,
    status: { states, faults: [], asOf: "2026-11-29T06:00:00Z" },
    history,
    record: { branch: "arcflux-record", runs },
  });
}
