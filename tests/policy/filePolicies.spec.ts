import type { ResourceValidationPolicy } from "@pulumi/policy";
import { describe, expect, it } from "vitest";

import { alertsWithHealth } from "../../policy/checks/files/alertsWithHealth.ts";
import { deletionPolicy } from "../../policy/checks/files/deletionPolicy.ts";
import { forceNeedsReason } from "../../policy/checks/files/forceNeedsReason.ts";
import { healthWithTimeout } from "../../policy/checks/files/healthWithTimeout.ts";
import { lockdownReferences } from "../../policy/checks/files/lockdownReferences.ts";
import { pinnedSources } from "../../policy/checks/files/pinnedSources.ts";
import { secureSources } from "../../policy/checks/files/secureSources.ts";
import { soundDependencies } from "../../policy/checks/files/soundDependencies.ts";
import { tenantsApart } from "../../policy/checks/files/tenantsApart.ts";
import { timeoutWithinInterval } from "../../policy/checks/files/timeoutWithinInterval.ts";
import { windowedBehindWindow } from "../../policy/checks/files/windowedBehindWindow.ts";
import { noPlainTextSecret } from "../../policy/checks/noPlainTextSecret.ts";
import { loadFleet } from "../../fleet/load.ts";
import { renderClusterFolder } from "../../flux/folder.ts";
import {
  checkResource,
  checkStack,
  configurationType,
  gitFilesType,
  goodConfiguration,
  goodFiles,
  unknown,
} from "./fixtures.ts";

/** What the program writes for a cluster with all that it can have. */
const { fleet } = loadFleet(
  `apiVersion: arcflux/v1
repository: { url: https://git.example.com/edge/fleet.git }
arc: { resourceGroup: rg-edge, location: westeurope }
agents: present
sources: { infra: { kind: GitRepository, url: self, ref: { tag: v1 } } }
windows: { nightly: { open: 0 1 * * *, close: 0 4 * * * } }
tenants: { pizza: { namespaces: [pizza] } }
alerts: { ops: { provider: { type: msteams, secretRef: { name: teams } } } }
sets:
  base: { path: ./base, source: infra }
  pos: { path: ./pos, window: nightly, dependsOn: [base] }
  menu: { path: ./menu, tenant: pizza }
stages: { prod: {} }
clusters: { edge-0: { stage: prod, sets: { base: {}, pos: {}, menu: {} } } }
`,
  "fleet.yaml",
);
const written = renderClusterFolder(fleet!.clusters[0]!);

/** A file with one object. */
interface More {
  readonly name?: string;
  readonly path?: string;
  readonly metadata?: object;
  /** Beside the spec, or in its place. */
  readonly more?: object;
}

const groups: Readonly<Record<string, string>> = {
  Kustomization: "kustomize.toolkit.fluxcd.io/v1",
  HelmRelease: "helm.toolkit.fluxcd.io/v2",
  Alert: "notification.toolkit.fluxcd.io/v1beta3",
  RoleBinding: "rbac.authorization.k8s.io/v1",
  ClusterRoleBinding: "rbac.authorization.k8s.io/v1",
  Secret: "v1",
  Receiver: "notification.toolkit.fluxcd.io/v1",
  Volume: "v1",
};

function one(
  kind: string,
  spec: object,
  { name = "one", path = `flux/${name}.yaml`, metadata, more }: More = {},
) {
  const apiVersion = groups[kind] ?? "source.toolkit.fluxcd.io/v1";
  const whole = { apiVersion, kind, metadata: { name, namespace: "flux-system", ...metadata } };
  // JSON is YAML.
  return { [path]: JSON.stringify({ ...whole, ...(more ?? { spec }) }) };
}
const set = (spec: object, more: More = {}) =>
  one("Kustomization", { interval: "10m", timeout: "5m", wait: true, ...spec }, more);
const git = (spec: object) =>
  one("GitRepository", { url: "https://git.example.com/a.git", ref: { tag: "v1" }, ...spec });
const subject = { kind: "ServiceAccount", name: "tenant-pizza", namespace: "flux-system" };
const token = `ghp_${"a1B2".repeat(9)}`;

interface Row {
  readonly policy: ResourceValidationPolicy;
  readonly settings?: object;
  /** Beside what the program writes, what passes too. */
  readonly right?: readonly Record<string, string>[];
  readonly wrong: readonly (readonly [files: Record<string, string>, said: string])[];
}

const rows: readonly Row[] = [
  {
    policy: timeoutWithinInterval,
    right: [set({ timeout: undefined }), set({ timeout: "600s" })],
    wrong: [
      [
        set({ timeout: "11m" }),
        "Kustomization 'one': spec.timeout is '11m', longer than spec.interval '10m'",
      ],
    ],
  },
  {
    policy: healthWithTimeout,
    right: [set({ wait: false, healthChecks: [{ kind: "Deployment", name: "a" }] })],
    wrong: [
      [set({ wait: false }), "spec.wait is not true and there are no spec.healthChecks; write one of them"],
      [set({ wait: undefined, healthChecks: [] }), "spec.wait is not true"],
      [set({ timeout: undefined }), "it waits for health without spec.timeout; write one, such as 5m."],
    ],
  },
  {
    policy: alertsWithHealth,
    right: [
      {
        ...set({}),
        ...one("Alert", { eventSources: [{ kind: "Kustomization", name: "*" }] }, { name: "all" }),
      },
      one("Alert", { eventSources: [{ kind: "HelmRelease", name: "*" }] }),
      one("Alert", {}),
    ],
    wrong: [
      [
        {
          ...set({ wait: false }, { name: "web" }),
          ...one("Alert", { eventSources: [{ kind: "Kustomization", name: "web" }] }),
        },
        "Alert 'one': it reports on Kustomization 'web', which has neither spec.wait nor spec.healthChecks",
      ],
      [
        {
          ...set({ wait: false }, { name: "web" }),
          ...one("Alert", { eventSources: [{ kind: "Kustomization", name: "*" }] }),
        },
        "it reports on Kustomization 'web', which has neither",
      ],
    ],
  },
  {
    policy: windowedBehindWindow,
    right: [set({ sourceRef: { name: "window-nightly.infra" } }, { path: "windows/nightly/one.yaml" })],
    wrong: [
      [
        set({ sourceRef: { name: "edge-config" } }, { path: "windows/nightly/one.yaml" }),
        "spec.sourceRef.name is 'edge-config', and window 'nightly' holds only 'window-nightly'",
      ],
      [set({}, { path: "windows/nightly/one.yaml" }), "spec.sourceRef.name is not given"],
      [
        set(
          { sourceRef: { name: "window-nightly" } },
          { metadata: { annotations: { "arcflux.io/window": "nightly" } } },
        ),
        "it is a set of window 'nightly', and does not lie in windows/nightly; run pulumi up",
      ],
    ],
  },
  {
    policy: pinnedSources,
    right: [
      git({ ref: { commit: "0".repeat(40) } }),
      git({ ref: { name: "refs/tags/v1" } }),
      git({ ref: { branch: "main", commit: "0".repeat(40) } }),
      one("OCIRepository", { url: "oci://registry.example.com/a", ref: { semver: "1.2.3" } }),
      git({ url: "https://git.example.com/edge/fleet.git", ref: { branch: "prod" } }),
      one("OCIRepository", { url: "oci://registry.example.com/a", ref: { digest: "sha256:0" } }),
    ],
    wrong: [
      [
        git({ ref: { branch: "main" } }),
        "spec.ref states no tag, commit or digest, in stage 'prod'; pin the source",
      ],
      [git({ ref: { semver: "1.x" } }), "spec.ref states no tag"],
      [git({ ref: { tag: "v1", semver: ">=1.0.0" } }), "spec.ref states no tag"],
      [git({ ref: { tag: "v1", name: "refs/heads/main" } }), "spec.ref states no tag"],
      [git({ ref: { tag: "" } }), "spec.ref states no tag"],
      [
        one("OCIRepository", { url: "oci://registry.example.com/a", ref: { tag: "latest" } }),
        "spec.ref states no tag",
      ],
      [git({ ref: undefined }), "spec.ref states no tag"],
      [
        one("OCIRepository", { url: "oci://registry.example.com/a" }),
        "OCIRepository 'one': spec.ref states no tag",
      ],
    ],
  },
  {
    policy: deletionPolicy,
    settings: { stages: ["qa"] },
    wrong: [],
  },
  {
    policy: secureSources,
    settings: { allowedHosts: ["git.example.com", "registry.example.com"] },
    right: [git({ url: "ssh://git@GIT.example.com:2222/a.git" })],
    wrong: [
      [
        git({ url: "http://git.example.com/a.git" }),
        "GitRepository 'one': spec.url is plain HTTP; write https://.",
      ],
      [
        git({ url: `https://x:${token}@git.example.com/a.git` }),
        "spec.url holds credentials; put them into a Secret",
      ],
      [
        git({ url: "https://evil.example.org/a.git" }),
        "spec.url is on host 'evil.example.org'; allowed are git.example.com",
      ],
      [
        git({ url: "https://me%3Aswordfish@git.example.com/a.git" }),
        "spec.url holds credentials; put them into a Secret",
      ],
      [git({ url: "HTTP://git.example.com/a.git" }), "spec.url is plain HTTP"],
      [git({ url: "/srv/a.git" }), "spec.url names no host; allowed are git.example.com"],
      [one("Bucket", { endpoint: "minio.local:9000" }), "spec.endpoint is on host 'minio.local'"],
      [
        one("OCIRepository", { url: "oci://registry.example.com/a", insecure: true }),
        "spec.insecure is true, which allows plain HTTP; take it out.",
      ],
    ],
  },
  {
    policy: lockdownReferences,
    right: [set({ sourceRef: { name: "a", namespace: "flux-system" } })],
    wrong: [
      [
        set({ sourceRef: { name: "a", namespace: "apps" } }),
        "spec.sourceRef.namespace is 'apps', another namespace than its own 'flux-system'",
      ],
      [
        set({ dependsOn: [{ name: "a" }, { name: "b", namespace: "apps" }] }),
        "spec.dependsOn[1].namespace is 'apps'",
      ],
      [
        one(
          "HelmRelease",
          { chart: { spec: { sourceRef: { name: "a", namespace: "flux-system" } } } },
          { metadata: { namespace: "apps" } },
        ),
        "HelmRelease 'one': spec.chart.spec.sourceRef.namespace is 'flux-system', another namespace than its own 'apps'",
      ],
      [
        one("Alert", { eventSources: [{ kind: "HelmRelease", name: "*", namespace: "apps" }] }),
        "spec.eventSources[0].namespace is 'apps'",
      ],
      [
        one("Receiver", { resources: [{ kind: "GitRepository", name: "a", namespace: "apps" }] }),
        "spec.resources[0].namespace is 'apps'",
      ],
      [
        one("HelmRelease", { chartRef: { name: "a", namespace: "apps" } }),
        "spec.chartRef.namespace is 'apps'",
      ],
    ],
  },
  {
    policy: tenantsApart,
    wrong: [
      [
        one("ClusterRoleBinding", {}, { more: { subjects: [subject] } }),
        "ClusterRoleBinding 'one': it gives tenant-pizza rights in all namespaces; bind it in namespaces of tenant 'pizza' alone.",
      ],
      [
        one("RoleBinding", {}, { more: { subjects: [subject] } }),
        "it gives tenant-pizza rights in namespace 'flux-system'; add it to tenants.pizza.namespaces, or drop it.",
      ],
      [
        one(
          "ClusterRoleBinding",
          {},
          { more: { subjects: [{ kind: "User", name: "system:serviceaccount:flux-system:tenant-pizza" }] } },
        ),
        "it gives tenant-pizza rights in all namespaces",
      ],
      [
        one(
          "RoleBinding",
          {},
          { more: { subjects: [{ kind: "Group", name: "system:serviceaccounts:flux-system" }] } },
        ),
        "it gives rights to system:serviceaccounts:flux-system, tenants' accounts among them; name one account",
      ],
      [
        set({ serviceAccountName: "tenant-pizza" }),
        "does not depend on it, so 'one' may come before its account; write tenant: pizza",
      ],
    ],
  },
  {
    policy: soundDependencies,
    right: [set({ dependsOn: [{ name: "made-elsewhere" }, { name: "x", namespace: "apps" }] })],
    wrong: [
      [
        {
          ...set({ dependsOn: [{ name: "b" }] }, { name: "a" }),
          ...set({ dependsOn: [{ name: "a" }] }, { name: "b" }),
        },
        "Kustomization 'a': spec.dependsOn closes the loop a -> b -> a, and Flux applies none of them",
      ],
      [set({ dependsOn: [{ name: "one" }] }), "spec.dependsOn closes the loop one -> one"],
    ],
  },
  {
    policy: forceNeedsReason,
    right: [set({ force: true }, { metadata: { annotations: { "arcflux.io/force-reason": "INC-4711" } } })],
    wrong: [
      [
        set({ force: true }),
        "force is true without a reason; take it out, or write the annotation arcflux.io/force-reason",
      ],
      [
        one("HelmRelease", { upgrade: { force: true } }),
        "HelmRelease 'one': spec.upgrade.force is true without a reason",
      ],
      [one("HelmRelease", { rollback: { force: true } }), "spec.rollback.force is true without a reason"],
      [
        set({}, { metadata: { labels: { "kustomize.toolkit.fluxcd.io/force": "enabled" } } }),
        "kustomize.toolkit.fluxcd.io/force is enabled without a reason",
      ],
      [
        one("Volume", {}, { metadata: { annotations: { "kustomize.toolkit.fluxcd.io/force": "enabled" } } }),
        "kustomize.toolkit.fluxcd.io/force is enabled without a reason",
      ],
      [
        set({
          patches: [
            { patch: '{"metadata":{"annotations":{"kustomize.toolkit.fluxcd.io/force":"enabled"}}}' },
          ],
        }),
        "kustomize.toolkit.fluxcd.io/force is in spec.patches without a reason",
      ],
    ],
  },
  {
    policy: noPlainTextSecret,
    right: [
      one("Secret", {}, { more: { stringData: { pin: "${pin}" } } }),
      one("Secret", {}, { more: { data: { pin: "ENC[AES256_GCM,data:x]" }, sops: { mac: "x" } } }),
      one("HelmRelease", { values: { auth: { existingSecret: "db", password: "${db}" } } }),
    ],
    wrong: [
      [
        one("Secret", {}, { more: { data: { pin: "MDA0Mg==" } } }),
        "data.pin of Secret 'one' in file 'flux/one.yaml' holds a value of a Secret in plain text",
      ],
      [
        one("HelmRelease", { values: { auth: { password: "swordfish" } } }),
        "spec.values.auth.password of HelmRelease 'one'",
      ],
      [
        one("HelmRelease", { values: { deep: [{ key: Buffer.from(token).toString("base64") }] } }),
        "spec.values.deep.0.key of HelmRelease",
      ],
    ],
  },
];

const check = (policy: ResourceValidationPolicy, files: Record<string, unknown>, settings: object) =>
  checkResource(
    policy,
    gitFilesType,
    { ...goodFiles(), delivery: { cluster: "edge-0", stage: "prod" }, files },
    settings,
  );

describe.each(rows.map((row) => [row.policy.name, row] as const))(
  "%s",
  (_, { policy, settings = {}, right = [], wrong }) => {
    it("passes what the program writes, and nothing at all", async () => {
      expect(await check(policy, written, settings)).toEqual({ violations: [] });
      expect(await check(policy, {}, settings)).toEqual({ violations: [] });
      for (const files of right)
        expect(await check(policy, files, settings), JSON.stringify(files)).toEqual({ violations: [] });
    });

    it.each([...wrong])("tells %j", async (files, said) => {
      const { violations } = await check(policy, files, settings);
      expect(violations).toEqual([expect.stringContaining(said)]);
      expect(violations[0]).toMatch(/^GitFiles 'edge-0'[,:] /);
      expect(violations.join()).not.toMatch(/swordfish|ghp_|MDA0/);
      // Another kind of resource, and what others committed, is none of ours.
      expect(await checkResource(policy, "kubernetes:core/v1:ConfigMap", { files }, settings)).toEqual({
        violations: [],
      });
    });
  },
);

describe("what Azure makes of a Flux configuration", () => {
  const of = (policy: ResourceValidationPolicy, props: object, settings: object = {}) =>
    checkResource(policy, configurationType, { ...goodConfiguration(), ...props }, settings);

  it("is a source that is fetched securely", async () => {
    const from = (url: unknown) =>
      of(secureSources, { gitRepository: { url } }, { allowedHosts: ["git.example.com"] });
    expect(await from("https://git.example.com/edge/fleet.git")).toEqual({ violations: [] });
    expect(await from(undefined)).toEqual({ violations: [] });
    expect((await from("http://git.example.org/a.git")).violations).toEqual([
      "FluxConfiguration 'edge-0': gitRepository.url is plain HTTP; write https://.",
      "FluxConfiguration 'edge-0': gitRepository.url is on host 'git.example.org'; allowed are git.example.com. Mirror it there.",
    ]);
    expect((await from(unknown)).skipped).toContain("FluxConfiguration 'edge-0'");
  });

  it("is a Kustomization that is not forced, unless an exemption says why", async () => {
    const forced = (force: unknown) => of(forceNeedsReason, { kustomizations: { bootstrap: { force } } });
    expect(await forced(false)).toEqual({ violations: [] });
    expect((await forced(true)).violations).toEqual([
      "FluxConfiguration 'edge-0': kustomizations.bootstrap.force is true; write bootstrap: { force: false } in the fleet file, or exempt the cluster with a reason.",
    ]);
    expect((await forced(unknown)).skipped).toContain("FluxConfiguration 'edge-0'");
  });
});

describe("a policy on production", () => {
  it("leaves other stages alone, whatever they are called", async () => {
    const files = git({ ref: { branch: "main" } });
    const of = (stage: string | undefined, settings = {}) =>
      checkResource(pinnedSources, gitFilesType, { ...goodFiles(), delivery: { stage }, files }, settings);
    expect((await of("dev")).violations).toEqual([]);
    expect((await of(undefined)).violations).toEqual([]);
    expect((await of("live", { stages: ["live"] })).violations).toHaveLength(1);
    expect((await of("prod", { stages: ["live"] })).violations).toEqual([]);
  });

  it("deletion-policy wants one stated that is allowed", async () => {
    const of = (spec: object, settings: object = {}) => check(deletionPolicy, set(spec), settings);
    expect((await of({})).violations).toEqual([
      expect.stringContaining("spec.deletionPolicy is not given in stage 'prod'"),
    ]);
    expect((await of({ deletionPolicy: "Orphan" })).violations).toEqual([]);
    expect((await of({ deletionPolicy: "Delete" }, { allowed: ["Orphan"] })).violations).toEqual([
      expect.stringContaining("is 'Delete' in stage 'prod'; write deletionPolicy on the set, one of Orphan."),
    ]);
  });
});

describe("sound-dependencies, over the whole folder", () => {
  const facts = { clusters: { "edge-0": { flux: "2.9", external: ["by-hand"] } } };
  const of = (files: Record<string, unknown>, settings: object = {}) =>
    checkStack(
      soundDependencies,
      [
        { type: "arcflux:index:Fleet", name: "fleet", inputs: {}, outputs: { facts } },
        { type: gitFilesType, name: "edge-0-files", inputs: { ...goodFiles(), files }, outputs: {} },
      ],
      settings,
    );

  it("tells names that no file makes, unless the fleet file or a setting says that they exist", async () => {
    expect(await of(written)).toEqual({ violations: [] });
    const files = set({
      dependsOn: [{ name: "bsae" }, { name: "by-hand" }, { name: "x", namespace: "apps" }],
    });
    expect((await of(files, { external: ["bsae"] })).violations).toEqual([]);
    expect((await of(files)).violations).toEqual([
      "GitFiles 'edge-0-files', file 'flux/one.yaml', Kustomization 'one': spec.dependsOn names 'bsae', which no committed file makes; correct it, or write {name: bsae, external: true} in the fleet file.",
    ]);
  });

  it("says nothing of them while a file is unknown, which may make them", async () => {
    const { violations, skipped } = await of({
      ...set({ dependsOn: [{ name: "bsae" }] }),
      "flux/new.yaml": unknown,
    });
    expect([violations, skipped]).toEqual([[], expect.stringContaining("flux/new.yaml")]);
  });
});
