import { describe, expect, it } from "vitest";

import { ready } from "../../policy/policies.ts";
import { checkStack, configurationType, unknown } from "./fixtures.ts";
import {
  type Change,
  fact,
  file,
  input,
  keys,
  unknownFile,
  unprotected,
  waitingForNothing,
  wholeStack,
} from "./wholeStack.ts";

/** What every policy must be seen to do, beside what its own spec shows of it. */
interface Case {
  readonly settings?: object;
  /** A violation in cluster edge-0, and what is said of it. */
  readonly wrong: readonly [change: Change, said: string];
  /** Without the field that it reads: what is said, or nothing where that is right. */
  readonly absent: readonly [change: Change, said?: string];
  /** What is not known yet, in cluster edge-1, and how the advice names it; nothing where it reads no value. */
  readonly unknown?: readonly [change: Change, named: string];
}

const flux = (kind: string, group: string, spec: object, metadata: object = {}) => ({
  apiVersion: group,
  kind,
  metadata: { name: "one", namespace: "flux-system", ...metadata },
  spec,
});
const set = (spec: object, metadata?: object) =>
  file(
    "flux/one.yaml",
    flux(
      "Kustomization",
      "kustomize.toolkit.fluxcd.io/v1",
      { interval: "10m", timeout: "5m", wait: true, deletionPolicy: "Delete", ...spec },
      metadata,
    ),
  );
const git = (spec: object) =>
  file(
    "flux/source-one.yaml",
    flux("GitRepository", "source.toolkit.fluxcd.io/v1", {
      ...{ interval: "10m", url: "https://git.example.com/a.git", ref: { tag: "v1" } },
      ...spec,
    }),
  );
const bootstrap = "kustomizations.bootstrap";
const unknownOne = [unknownFile, "file 'flux/new.yaml'"] as const;
const rule = { name: "ssh", access: "Allow", direction: "Inbound", destinationPortRange: "22" };
const unproven = { name: "prod", after: "test", differs: [], unproven: ["infra at tag v2"] };
const fleetUnknown = [fact("update", unknown), "the fleet"] as const;
const stagesUnknown = [fact("stages", unknown), "the fleet"] as const;
const freeze = { name: "xmas", until: "2027-01-06", reason: "Trade", clusters: ["edge-0"], emergency: "INC" };

const cases: Readonly<Record<string, Case>> = {
  "only-bootstrap": {
    wrong: [input("configuration", "kustomizations.pos", {}), "also holds 'pos'"],
    absent: [input("configuration", "kustomizations", undefined), "no kustomization named 'bootstrap'"],
    unknown: [input("configuration", "kustomizations", unknown), ".kustomizations"],
  },
  "bootstrap-follows-committed-folder": {
    wrong: [input("configuration", `${bootstrap}.path`, "./x"), "bootstrap.path is './x'"],
    absent: [input("configuration", `${bootstrap}.path`, undefined), "bootstrap.path is not given"],
    unknown: [input("configuration", `${bootstrap}.path`, unknown), "'edge-1-configuration'"],
  },
  "own-bootstrap-folder": {
    wrong: [input("configuration", `${bootstrap}.path`, "clusters/edge-1/flux/"), "both bootstrap from"],
    absent: [input("configuration", `${bootstrap}.path`, undefined)],
    unknown: [
      (stack) => [
        { ...{ type: configurationType, name: "edge-2-configuration" }, inputs: { gitRepository: unknown } },
        ...stack,
      ],
      "'edge-2-configuration'",
    ],
  },
  "flux-namespace": {
    wrong: [input("configuration", "namespace", "default"), "namespace is 'default'"],
    absent: [input("configuration", "scope", undefined), "scope is not given"],
    unknown: [input("configuration", "scope", unknown), "'edge-1-configuration'"],
  },
  "explicit-bootstrap-fields": {
    wrong: [input("configuration", `${bootstrap}.prune`, "true"), "bootstrap.prune is 'true'"],
    absent: [input("configuration", `${bootstrap}.prune`, undefined), "bootstrap.prune is not given"],
    unknown: [input("configuration", `${bootstrap}.wait`, unknown), ".kustomizations.bootstrap.wait"],
  },
  "explicit-create-only-fields": {
    wrong: [input("flux", "scope.cluster.releaseNamespace", "flux"), "is 'flux'; write 'flux-system'"],
    absent: [input("flux", "scope", undefined), "releaseNamespace is not given"],
    unknown: [input("flux", "scope", unknown), "'edge-1-flux'"],
  },
  "waits-for-extension": {
    wrong: [waitingForNothing, "does not depend on Extension 'edge-0-flux'"],
    absent: [input("flux", "clusterName", undefined)],
    unknown: [input("flux", "clusterName", unknown), "FluxConfiguration 'edge-1-configuration'"],
  },
  "extension-pinned-or-upgraded": {
    wrong: [input("flux", "version", "1.17.3"), "version is '1.17.3' and autoUpgradeMinorVersion is true"],
    absent: [input("flux", "autoUpgradeMinorVersion", undefined), "autoUpgradeMinorVersion is not given"],
    unknown: [input("flux", "autoUpgradeMinorVersion", unknown), "'edge-1-flux'"],
  },
  "lockdown-on": {
    wrong: [
      input("flux", "configurationSettings", { "multiTenancy.enforce": "false" }),
      "multiTenancy.enforce is 'false'",
    ],
    // Azure's own default is on.
    absent: [input("flux", "configurationSettings", undefined)],
    unknown: [input("flux", "configurationSettings", unknown), "'edge-1-flux'"],
  },
  "onboarding-key": {
    wrong: [input("connected", "agentPublicKeyCertificate", keys.short), "has 2048 bits"],
    absent: [input("key", "rsaBits", undefined), "rsaBits is 2048"],
    unknown: [input("connected", "agentPublicKeyCertificate", unknown), "'edge-1-connected'"],
  },
  "agents-stay": {
    wrong: [
      input("connected", "arcAgentProfile.agentAutoUpgrade", "Enabled"),
      "agentAutoUpgrade is 'Enabled'",
    ],
    absent: [input("connected", "arcAgentProfile", undefined), "agentAutoUpgrade is not given"],
    unknown: [input("connected", "arcAgentProfile", unknown), "'edge-1-connected'"],
  },
  "required-tags": {
    settings: { tags: ["owner"] },
    wrong: [input("connected", "tags", { Owner: "edge" }), "tags lack 'owner'"],
    absent: [input("device", "tags", undefined), "tags lack 'owner'"],
    unknown: [input("connected", "tags", unknown), "'edge-1-connected'"],
  },
  "allowed-regions": {
    settings: { regions: ["westeurope"] },
    wrong: [input("connected", "location", "East US"), "location is 'East US'"],
    absent: [input("connected", "location", undefined)],
    unknown: [input("connected", "location", unknown), "'edge-1-connected'"],
  },
  "no-open-management-port": {
    wrong: [
      input("group", "securityRules", [{ ...rule, sourceAddressPrefix: "*" }]),
      "opens 22 to the internet",
    ],
    absent: [input("group", "securityRules", undefined)],
    unknown: [input("group", "securityRules", unknown), "'edge-1-group'"],
  },
  "no-password-login": {
    wrong: [input("device", "osProfile.adminPassword", "swordfish"), "osProfile.adminPassword is given"],
    absent: [
      input("device", "osProfile.linuxConfiguration", {}),
      "disablePasswordAuthentication is not given",
    ],
    unknown: [input("device", "osProfile", unknown), "'edge-1-device'"],
  },
  "protected-settings": {
    wrong: [
      input("flux", "configurationSettings", { "git.token": "swordfish" }),
      "configurationSettings hold 'git.token'",
    ],
    absent: [input("flux", "configurationSettings", undefined)],
    unknown: [input("flux", "configurationSettings", unknown), "'edge-1-flux'"],
  },
  "minimum-interval": {
    wrong: [set({ interval: "5s" }), "spec.interval is '5s'; at least 60 s"],
    absent: [set({ interval: undefined }), "spec.interval is not given"],
    unknown: unknownOne,
  },
  "timeout-within-interval": {
    wrong: [set({ timeout: "11m" }), "spec.timeout is '11m', longer than spec.interval '10m'"],
    absent: [set({ timeout: undefined })],
    unknown: unknownOne,
  },
  "health-with-timeout": {
    wrong: [set({ wait: false }), "spec.wait is not true and there are no spec.healthChecks"],
    absent: [set({ timeout: undefined }), "it waits for health without spec.timeout"],
    unknown: unknownOne,
  },
  "alerts-with-health": {
    wrong: [
      (stack, cluster) => {
        const sources = [{ kind: "Kustomization", name: "one" }];
        const alert = flux("Alert", "notification.toolkit.fluxcd.io/v1beta3", { eventSources: sources });
        return file("flux/alert-one.yaml", alert)(set({ wait: false })(stack, cluster), cluster);
      },
      "it reports on Kustomization 'one', which has neither",
    ],
    absent: [file("flux/alert-one.yaml", flux("Alert", "notification.toolkit.fluxcd.io/v1beta3", {}))],
    unknown: unknownOne,
  },
  "windowed-behind-window": {
    wrong: [
      set({ sourceRef: { name: "window-nightly" } }, { annotations: { "arcflux.io/window": "nightly" } }),
      "does not lie in windows/nightly",
    ],
    absent: [
      file(
        "windows/nightly/one.yaml",
        flux("Kustomization", "kustomize.toolkit.fluxcd.io/v1", { interval: "10m" }),
      ),
      "spec.sourceRef.name is not given",
    ],
    unknown: unknownOne,
  },
  "pinned-sources": {
    wrong: [git({ ref: { branch: "main" } }), "spec.ref states no tag, commit or digest, in stage 'prod'"],
    absent: [git({ ref: undefined }), "spec.ref states no tag"],
    unknown: unknownOne,
  },
  "deletion-policy": {
    settings: { allowed: ["Delete", "MirrorPrune"] },
    wrong: [set({ deletionPolicy: "Orphan" }), "spec.deletionPolicy is 'Orphan'"],
    absent: [set({ deletionPolicy: undefined }), "spec.deletionPolicy is not given"],
    unknown: unknownOne,
  },
  "secure-sources": {
    wrong: [git({ url: "http://git.example.com/a.git" }), "spec.url is plain HTTP"],
    absent: [git({ url: undefined })],
    unknown: unknownOne,
  },
  "lockdown-references": {
    wrong: [set({ sourceRef: { name: "a", namespace: "apps" } }), "spec.sourceRef.namespace is 'apps'"],
    absent: [set({ sourceRef: undefined })],
    unknown: unknownOne,
  },
  "tenants-apart": {
    wrong: [set({ serviceAccountName: "tenant-pizza" }), "write tenant: pizza on the set"],
    absent: [set({ serviceAccountName: undefined })],
    unknown: unknownOne,
  },
  "sound-dependencies": {
    wrong: [set({ dependsOn: [{ name: "one" }] }), "spec.dependsOn closes the loop one -> one"],
    absent: [set({ dependsOn: undefined })],
    unknown: unknownOne,
  },
  "sound-references": {
    wrong: [
      set({ sourceRef: { kind: "OCIRepository", name: "packs" } }),
      "Kustomization 'one': spec.sourceRef names OCIRepository 'packs', which no committed file makes; correct it, or",
    ],
    absent: [set({ sourceRef: undefined })],
    unknown: [unknownFile, "GitFiles 'edge-1-files': string value at .files.flux/new.yaml"],
  },
  "force-needs-reason": {
    wrong: [set({ force: true }), "force is true without a reason"],
    absent: [set({ force: undefined })],
    unknown: unknownOne,
  },
  "no-plain-text-secret": {
    wrong: [
      set({ postBuild: { substitute: { db_password: "swordfish" } } }),
      "postBuild.substitute.db_password of Kustomization 'one'",
    ],
    absent: [set({ postBuild: undefined })],
    unknown: unknownOne,
  },
  "promoted-pins": {
    wrong: [fact("stages.1", unproven), "stage prod is pinned to infra at tag v2"],
    absent: [fact("stages", [])],
    unknown: stagesUnknown,
  },
  "stages-alike": {
    wrong: [fact("stages.1.differs", ["sets.pos.interval: 5m in test, 10m in prod"]), "stage prod: sets.pos"],
    absent: [fact("stages", [])],
    unknown: stagesUnknown,
  },
  "blast-radius": {
    settings: { maxClusters: 1 },
    wrong: [
      fact("update.reach", [{ stage: "prod", reached: 2, of: 2 }]),
      "the update reaches 2 clusters at once; at most 1",
    ],
    absent: [fact("update", undefined)],
    unknown: fleetUnknown,
  },
  "freezes-respected": {
    wrong: [fact("update.freezes", [freeze]), "the update passes freeze xmas on cluster edge-0"],
    absent: [fact("update", undefined)],
    unknown: fleetUnknown,
  },
  "limits-respected": {
    wrong: [
      fact("update.limit", { most: 1, reached: 2, reason: "INC" }),
      "the update reaches 2 clusters at once, past limits.clustersPerUpdate 1",
    ],
    absent: [fact("update", undefined)],
    unknown: fleetUnknown,
  },
  "confirmed-deletions": {
    settings: { most: 1 },
    wrong: [
      fact("update.deletions", ["set a goes", "set b goes"]),
      "the update makes 2 deletions, at most 1",
    ],
    absent: [fact("update", undefined)],
    unknown: fleetUnknown,
  },
  "protected-in-production": {
    wrong: [unprotected, "GitFiles 'edge-0-files' of cluster edge-0 in stage 'prod' is not protected"],
    absent: [fact("clusters", {})],
    unknown: [fact("clusters", unknown), ".facts.clusters"],
  },
  "supported-flux": {
    settings: { oldest: "2.9" },
    wrong: [fact("clusters.edge-0.flux", "2.7"), "clusters edge-0 run Flux 2.7"],
    absent: [fact("clusters", {})],
    unknown: [fact("clusters", unknown), "the fleet"],
  },
  "fields-fit-version": {
    wrong: [
      set({ buildMetadata: "all", prune: true, sourceRef: { kind: "GitRepository", name: "a" } }),
      "spec.buildMetadata",
    ],
    absent: [fact("clusters", {})],
    unknown: unknownOne,
  },
  "exemptions-shown": {
    // What others let pass is shown, which fleetPolicies.spec.ts has.
    settings: { exempt: [{ cluster: "edge-0", until: "2020-01-01", reason: "INC" }] },
    wrong: [(stack) => stack, "ended at 2020-01-01 (INC)"],
    absent: [(stack) => stack],
  },
};

it("each policy of the pack has its fixtures here", () => {
  expect(Object.keys(cases).sort()).toEqual(ready.map(({ name }) => name).sort());
  for (const [name, { unknown: part }] of Object.entries(cases))
    expect(part === undefined, name).toBe(name === "exemptions-shown");
});

describe.each(ready.map((policy) => [policy.name, policy] as const))("%s", (name, policy) => {
  const { settings = {}, wrong, absent, unknown: part } = cases[name]!;
  const judge = (stack: ReturnType<Change>, config = settings) => checkStack(policy, stack, config);

  it("passes what the program registers, tells what is wrong of it, and knows the absent field", async () => {
    const right = name === "exemptions-shown" ? {} : settings;
    expect(await judge(wholeStack, right)).toEqual({ violations: [] });
    const [change, said] = wrong;
    const { violations, skipped } = await judge(change(wholeStack, "edge-0"));
    expect([violations, skipped]).toEqual([[expect.stringContaining(said)], undefined]);
    expect(violations.join()).not.toContain("swordfish");
    for (const message of violations) expect(message.split(/\s+/).length, message).toBeLessThanOrEqual(40);

    const [without, words] = absent;
    const told = (await judge(without(wholeStack, "edge-0"), right)).violations;
    expect(told).toEqual(words === undefined ? [] : [expect.stringContaining(words)]);
  });

  it("tells what is known beside what is not", async () => {
    if (part === undefined) return;
    const [hide, named] = part;
    const fleetOf = (stack: ReturnType<Change>) => stack.find(({ type }) => type === "arcflux:index:Fleet");
    const isFleet = fleetOf(hide(wholeStack, "edge-1")) !== fleetOf(wholeStack);
    const both = hide(wrong[0](wholeStack, "edge-0"), "edge-1");
    const { violations, skipped } = await judge(both);
    expect(skipped).toContain(named);
    // Of the fleet nothing is known then; else the other cluster hides nothing of this one.
    expect(violations).toEqual(isFleet ? [] : [expect.stringContaining(wrong[1])]);
    if (!isFleet) expect(skipped).not.toContain("edge-0");
  });
});
