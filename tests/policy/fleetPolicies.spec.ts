import type { ResourceValidationPolicy, StackValidationPolicy } from "@pulumi/policy";
import { describe, expect, it } from "vitest";

import type { FleetFacts } from "../../fleet/facts.ts";
import { exemptionsShown } from "../../policy/checks/exemptionsShown.ts";
import { minimumInterval } from "../../policy/checks/minimumInterval.ts";
import { blastRadius } from "../../policy/checks/fleet/blastRadius.ts";
import { confirmedDeletions } from "../../policy/checks/fleet/confirmedDeletions.ts";
import { fieldsFitVersion } from "../../policy/checks/fleet/fieldsFitVersion.ts";
import { freezesRespected } from "../../policy/checks/fleet/freezesRespected.ts";
import { limitsRespected } from "../../policy/checks/fleet/limitsRespected.ts";
import { promotedPins } from "../../policy/checks/fleet/promotedPins.ts";
import { protectedInProduction } from "../../policy/checks/fleet/protectedInProduction.ts";
import { stagesAlike } from "../../policy/checks/fleet/stagesAlike.ts";
import { supportedFlux } from "../../policy/checks/fleet/supportedFlux.ts";
import { withExemptions } from "../../policy/exemptions.ts";
import { checkResource, checkStack, gitFilesType, goodFiles, kustomization, unknown } from "./fixtures.ts";

const names = Array.from({ length: 20 }, (_, index) => `store-${index + 1}`);

const config = "edge-config";

/** A fleet of twenty stores in production and one in test, which nothing is wrong with. */
const good: FleetFacts = {
  clusters: {
    lab: { stage: "test", flux: "2.10", config },
    ...Object.fromEntries(names.map((name) => [name, { stage: "prod", flux: "2.9", config }])),
  },
  stages: [
    { name: "test", differs: [], unproven: [] },
    { name: "prod", after: "test", differs: [], unproven: [] },
  ],
  update: { reach: [], deletions: [], freezes: [] },
};
const update = (change: object) => ({ update: { reach: [], deletions: [], freezes: [], ...change } });
const prod = (change: object) => ({
  stages: [good.stages[0]!, { name: "prod", after: "test", differs: [], unproven: [], ...change }],
});
const freeze = {
  name: "xmas",
  until: "2027-01-06",
  reason: "Trade",
  clusters: ["store-1"],
  emergency: "INC-7",
};

type Both = ResourceValidationPolicy & StackValidationPolicy;
const check = (policy: Both, facts: unknown, settings: object = {}) =>
  checkStack(
    policy,
    [{ type: "arcflux:index:Fleet", name: "fleet", inputs: {}, outputs: { facts } }],
    settings,
  );

const rows: readonly (readonly [
  policy: Both,
  change: Partial<FleetFacts>,
  settings: object,
  said: readonly string[],
])[] = [
  [
    promotedPins,
    prod({ unproven: ["infra at tag v2"] }),
    {},
    ["stage prod is pinned to infra at tag v2, which stage test has not had; pin test to it first."],
  ],
  [
    stagesAlike,
    prod({ differs: ['sets.pos.interval: "5m" in test, "10m" in prod'] }),
    {},
    [
      'stage prod: sets.pos.interval: "5m" in test, "10m" in prod; make them alike, or name it in stages.prod.mayDiffer.',
    ],
  ],
  [
    blastRadius,
    update({
      reach: [
        { stage: "test", reached: 1, of: 1 },
        { stage: "prod", reached: 5, of: 20 },
      ],
    }),
    { maxClusters: 5 },
    [
      "the update reaches 6 clusters at once; at most 5 may be: divide it by stack config arcflux:clusters, or change one stage after the other.",
    ],
  ],
  [
    blastRadius,
    update({
      reach: [
        { stage: "test", reached: 1, of: 1 },
        { stage: "prod", reached: 6, of: 20 },
      ],
    }),
    { maxPercent: 25 },
    [
      "the update reaches 6 of 20 clusters of stage prod at once; at most 25 % may be: divide it by stack config arcflux:clusters, or change one stage after the other.",
    ],
  ],
  [
    freezesRespected,
    update({ freezes: [freeze] }),
    {},
    [
      "the update passes freeze xmas on cluster store-1 (until 2027-01-06; ARCFLUX_EMERGENCY: INC-7). Wait, or exempt the cluster for a day, with reason and person.",
    ],
  ],
  [
    limitsRespected,
    update({ limit: { most: 50, reached: 80, reason: "INC-7" } }),
    {},
    [
      'the update reaches 80 clusters at once, past limits.clustersPerUpdate 50 (ARCFLUX_ALL: INC-7). Change fewer, or exempt cluster "*" for a day, with reason and person.',
    ],
  ],
  [
    confirmedDeletions,
    update({ deletions: ["set a goes away", "set b goes away"] }),
    { most: 1 },
    [
      "the update makes 2 deletions, at most 1 may be at once: set a goes away. Take some out of removed, and make them later.",
    ],
  ],
  [
    supportedFlux,
    { clusters: { old: { flux: "2.7", config }, new: { flux: "2.8", config } } },
    {},
    ["clusters old run Flux 2.7; the oldest that will do is 2.8. Upgrade it there, and write flux.version."],
  ],
];

describe.each(rows.map((row) => [row[0].name, row] as const))("%s", (_, [policy, change, settings, said]) => {
  it("passes a fleet that is right, and a stack without one", async () => {
    expect(await check(policy, good, settings)).toEqual({ violations: [] });
    expect(await checkStack(policy, [], settings)).toEqual({ violations: [] });
  });

  it("tells what the program found, once", async () => {
    expect(await check(policy, { ...good, ...change }, settings)).toEqual({ violations: said });
  });
});

describe("blast-radius", () => {
  it("takes small stages as a whole, any share where none is said, and what nobody could look at", async () => {
    const of = (reach: object[], settings: object) =>
      check(blastRadius, { ...good, ...update({ reach }) }, settings);
    expect(await of([{ reached: 5, of: 5 }], { maxPercent: 10 })).toEqual({ violations: [] });
    expect(await of([{ stage: "prod", reached: 20, of: 20 }], {})).toEqual({ violations: [] });
    expect(await check(blastRadius, { ...good, update: undefined }, { maxClusters: 0 })).toEqual({
      violations: [],
    });
  });
});

describe("policies that join the fleet with its resources", () => {
  const stack = (files: Record<string, unknown>, facts: object = good) => [
    { type: "arcflux:index:Fleet", name: "fleet", inputs: {}, outputs: { facts } },
    { type: gitFilesType, name: "store-1-files", inputs: { ...goodFiles(), files }, outputs: {} },
  ];

  it("protected-in-production tells an unprotected cluster, unless it is on its way out", async () => {
    const said = [
      "GitFiles 'store-1-files' of cluster store-1 in stage 'prod' is not protected; set stack config arcflux:protect to true.",
    ];
    expect(await checkStack(protectedInProduction, stack({}))).toEqual({ violations: said });
    expect(await checkStack(protectedInProduction, stack({}), { stages: ["live"] })).toEqual({
      violations: [],
    });
    const install = {
      type: "arcflux-git:index:FluxInstall",
      name: "store-1-flux",
      inputs: {},
      protect: true,
    };
    const [fleet] = stack({});
    expect(await checkStack(protectedInProduction, [fleet!, install])).toEqual({ violations: [] });
    expect(
      (await checkStack(protectedInProduction, [fleet!, { ...install, protect: false }])).violations,
    ).toEqual([
      expect.stringContaining(
        "FluxInstall 'store-1-flux' of cluster store-1 in stage 'prod' is not protected",
      ),
    ]);
    const retired = { clusters: { "store-1": { stage: "prod", flux: "2.9", lifecycle: "retired" } } };
    expect(await checkStack(protectedInProduction, stack({}, { ...good, ...retired }))).toEqual({
      violations: [],
    });
    expect(await checkStack(protectedInProduction, stack({}).slice(1))).toEqual({ violations: [] });
  });

  it("fields-fit-version judges each file by the version of its cluster", async () => {
    const lines = "  interval: 10m\n  prune: true\n  sourceRef: { kind: GitRepository, name: a }\n";
    const newer = kustomization(`${lines}  buildMetadata: [originAnnotations]\n`);
    const files = { "flux/a.yaml": newer };
    expect(await checkStack(fieldsFitVersion, stack(files))).toEqual({ violations: [] });
    const old = { ...good, clusters: { "store-1": { flux: "2.7" } } };
    expect((await checkStack(fieldsFitVersion, stack(files, old))).violations).toEqual([
      expect.stringMatching(
        /^GitFiles 'store-1-files', file 'flux\/a\.yaml', Kustomization 'set-01': spec\.buildMetadata .*2\.9/,
      ),
    ]);
    const unseen = await checkStack(fieldsFitVersion, stack({ ...files, "flux/b.yaml": unknown }, old));
    expect([unseen.violations.length, unseen.skipped]).toEqual([1, expect.stringContaining("flux/b.yaml")]);
  });
});

describe("an exemption", () => {
  const now = Date.parse("2026-12-24T12:00:00Z");
  const short = {
    ...goodFiles(),
    delivery: { cluster: "store-1" },
    files: { "flux/a.yaml": kustomization("  interval: 5s\n") },
  };
  const of = (exempt: object, policy = withExemptions(minimumInterval, () => now)) =>
    checkResource(policy, gitFilesType, short, { exempt: [exempt] });
  const shown = () => checkStack(exemptionsShown, []);

  it("keeps a violation of its cluster back until its day is over, and is shown", async () => {
    expect(await of({ cluster: "store-1", until: "2026-12-24", reason: "INC-7" })).toEqual({
      violations: [],
    });
    expect((await shown()).violations).toEqual([
      "minimum-interval: cluster store-1 is exempt until 2026-12-24T23:59Z (INC-7): 1 violation left out.",
    ]);
    expect((await shown()).violations).toEqual([]);
  });

  it("is for its own cluster alone", async () => {
    const { violations } = await of({ cluster: "store-10", until: "2026-12-24", reason: "INC-7" });
    expect(violations).toEqual([expect.stringContaining("at least 60 s is needed")]);
    expect((await shown()).violations).toEqual([
      "minimum-interval: cluster store-10 is exempt until 2026-12-24T23:59Z (INC-7): no violation is left out; take it out of the policy's settings.",
    ]);
  });

  it("that is over is a violation, beside what it was for", async () => {
    const { violations } = await of({ cluster: "store-1", until: "2026-12-23", reason: "INC-7" });
    expect(violations).toEqual([
      "the exemption of cluster 'store-1' from minimum-interval ended at 2026-12-23 (INC-7); take it out of the policy's settings, or renew it with a new reason.",
      expect.stringContaining("at least 60 s is needed"),
    ]);
  });

  it.each([
    [
      "without a reason",
      { until: "2026-12-31", reason: " " },
      "has no reason; write reason: why, or a ticket.",
    ],
    [
      "without an end in sight",
      { until: "2099-12-31", reason: "INC-7" },
      "ends at 2099-12-31, in more than 366 days; write a time that is sooner.",
    ],
    [
      "until a day that no month has",
      { until: "2027-02-31", reason: "INC-7" },
      "ends at '2027-02-31', which is not a day; write one such as 2026-12-24.",
    ],
  ])("%s lets nothing pass", async (_, exempt, fault) => {
    const { violations } = await of({ cluster: "store-1", ...exempt });
    expect(violations).toEqual([
      `the exemption of cluster 'store-1' from minimum-interval ${fault}`,
      expect.stringContaining("at least 60 s is needed"),
    ]);
  });

  it.each<[string, object, string | undefined]>([
    ["for a day by a person", { until: "2026-12-25T11:00Z", by: "Ada" }, undefined],
    [
      "for longer",
      { until: "2026-12-26", by: "Ada" },
      "ends at 2026-12-26, in more than 24 hours; write a time that is sooner.",
    ],
    ["by nobody", { until: "2026-12-24" }, "does not say who has decided it; write by: NAME."],
    ["by a blank", { until: "2026-12-24", by: " " }, "does not say who has decided it; write by: NAME."],
    ["until no day", { until: "2026-13-40", by: "Ada" }, "ends at '2026-13-40', which is not a day"],
  ])("from a freeze is an emergency: %s", async (_, change, fault) => {
    const policy = withExemptions(freezesRespected, () => now);
    const settings = { exempt: [{ cluster: "store-1", reason: "INC-7", ...change }] };
    const { violations } = await check(policy, { ...good, ...update({ freezes: [freeze] }) }, settings);
    if (fault === undefined) expect(violations).toEqual([]);
    else
      expect(violations).toEqual([
        expect.stringContaining(`the exemption of cluster 'store-1' from freezes-respected ${fault}`),
        expect.stringContaining("passes freeze xmas"),
      ]);
    expect((await shown()).violations).toHaveLength(fault === undefined ? 1 : 0);
  });

  it("of what is of the fleet as a whole names all clusters, and one cluster is not enough", async () => {
    const policy = withExemptions(limitsRespected, () => now);
    const facts = { ...good, ...update({ limit: { most: 50, reached: 80, reason: "INC-7" } }) };
    const of = (cluster: string) =>
      check(policy, facts, {
        exempt: [{ cluster, until: "2026-12-25T11:00Z", reason: "INC-7", by: "Ada" }],
      });
    expect((await of("store-1")).violations).toEqual([
      expect.stringContaining("past limits.clustersPerUpdate"),
    ]);
    await shown();
    expect((await of("*")).violations).toEqual([]);
    expect((await shown()).violations).toEqual([
      "limits-respected: cluster * is exempt until 2026-12-25T11:00Z (INC-7, by Ada): 1 violation left out.",
    ]);
  });
});
