import { afterAll, expect, it } from "vitest";

import { checkRepository, type Look } from "../../checks/checkRepository.ts";
import { openRepository } from "../../checks/openRepository.ts";
import type { ClusterUpdate, FleetFacts } from "../../fleet/facts.ts";
import type { Fleet } from "../../fleet/model.ts";
import { renderClusterFolder } from "../../flux/folder.ts";
import { factsByCluster, fleetFacts } from "../../program/fleetFacts.ts";
import { mustLoad } from "../fleet/fixture.ts";
import { GitWorkshop } from "../support/gitWorkshop.ts";

const workshop = new GitWorkshop();
afterAll(() => workshop.remove());

/** One store in test, one in production, and three that follow main, of which a freeze holds one. */
const fleet = (test: string, prod: string, interval = "10m"): Fleet =>
  mustLoad(`apiVersion: arcflux/v1
platform: kubernetes
repository: { url: https://git.example.com/edge/fleet.git }
sources: { infra: { kind: GitRepository, url: https://git.example.com/edge/infra.git, ref: { tag: v0 } } }
limits: { clustersPerUpdate: 1 }
stages:
  test: { branch: test, pins: { infra: { tag: ${test} } } }
  prod: { branch: prod, after: test, pins: { infra: { tag: ${prod} } } }
groups: { all: { match: {}, sets: { pos: { source: infra, interval: ${interval} } } } }
clusters:
  t: { stage: test, kubeconfig: { context: t } }
  p: { stage: prod, kubeconfig: { context: p } }
  a: { kubeconfig: { context: a } }
  b: { kubeconfig: { context: b } }
  c: { kubeconfig: { context: c } }
`);

const xmas = { name: "xmas", from: "2026-12-18", until: "2027-01-06", reason: "Trade", liveSets: true };

const filesOf = ({ clusters }: Fleet) =>
  Object.fromEntries(
    clusters.flatMap((cluster) =>
      Object.entries(renderClusterFolder(cluster)).map(([path, text]) => [`${cluster.folder}/${path}`, text]),
    ),
  );

const buildsNothing = () => ({
  build: (requests: readonly unknown[]) =>
    Promise.resolve(requests.map(() => ({ kind: "notJudged" as const, reason: "it is not looked at" }))),
  substitute: <T>(built: T) => Promise.resolve(built),
  close: () => Promise.resolve(),
});

it("knows of an update what it reaches and passes, and of a pin what the stage before ever had", async () => {
  const location = await workshop.repository(filesOf(fleet("v1", "v1")));
  for (const tag of ["v2", "v3"]) workshop.commit(location, filesOf(fleet(tag, "v1")), { branch: "test" });

  const see = async (wanted: Fleet, selected: readonly string[]) => {
    const clusters = wanted.clusters
      .filter(({ name }) => selected.includes(name))
      .map((cluster) => (cluster.name === "a" ? { ...cluster, freeze: xmas } : cluster));
    const part = { ...wanted, clusters };
    let seen: { facts: FleetFacts; reached: Look["reached"]; of: ClusterUpdate[] } | undefined;
    const context = { env: workshop.env, tempRoot: workshop.tempRoot };
    await openRepository({ location, branch: "main", committed: true }, context, (trees) =>
      checkRepository(part, trees, {
        ...{ extent: "deletions", emergency: "INC-7", all: "INC-8", built: { open: buildsNothing } },
        look: async (look) => {
          const facts = await fleetFacts(part, wanted.clusters, look);
          const of = [...factsByCluster(facts, part, look.reached).values()];
          seen = { facts, reached: look.reached, of };
        },
      }),
    );
    return seen!;
  };

  // A stack of a part: what it leaves out proves a pin and counts all the same, and v2 is one that test has had.
  const { facts, reached, of } = await see(fleet("v3", "v2", "20m"), ["p", "a", "b"]);
  expect(reached.map(({ name }) => name)).toEqual(["p", "a", "b"]);
  const freeze = { name: "xmas", until: "2027-01-06", reason: "Trade", clusters: ["a"], emergency: "INC-7" };
  const update = {
    reach: [{ reached: 2, of: 3 }],
    deletions: [],
    freezes: [freeze],
    limit: { most: 1, reached: 2, reason: "INC-8" },
  };
  expect(facts.update).toEqual(update);
  const prod = { name: "prod", after: "test", differs: [], unproven: [] };
  expect(facts.stages).toEqual([{ name: "test", differs: [], unproven: [] }, prod]);
  expect(of).toEqual([
    { stages: [prod], update: { ...update, freezes: [] } },
    { stages: [], update },
    { stages: [], update: { ...update, freezes: [] } },
  ]);

  const untried = await see(fleet("v3", "v4"), ["p"]);
  expect(untried.facts.stages[1]?.unproven).toEqual(["infra at tag v4"]);
  // Nothing to write is nothing to reach.
  expect((await see(fleet("v1", "v1"), ["p", "a", "b"])).facts.update).toEqual({
    ...{ reach: [], deletions: [], freezes: [] },
  });
}, 120_000);
