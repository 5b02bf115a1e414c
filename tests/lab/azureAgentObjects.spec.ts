import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeRelease } from "../../lab/azure/agent/agentsRelease.ts";
import { complianceOf, configurationStatus } from "../../lab/azure/agent/configurationStatus.ts";
import { goDuration, renderConfiguration } from "../../lab/azure/agent/renderConfiguration.ts";
import type { AgentConfiguration } from "../../lab/azure/http/agentProtocol.ts";
import type { Json } from "../../lab/azure/json.ts";
import type { KubernetesObject } from "../../lab/cluster/clusterApi.ts";
import { helmRelease } from "./helmRelease.ts";

/* What Azure's agents make of a configuration, and of what Flux says: plain values in and out. */

const namespace = "flux-system";

function configuration(git: Json = {}, more: Partial<AgentConfiguration> = {}): AgentConfiguration {
  return {
    name: "edge-config",
    operationId: "op-1",
    protectedKeys: [],
    properties: {
      namespace,
      gitRepository: {
        url: "https://git.example.com/fleet.git",
        repositoryRef: { branch: "main", tag: null, semver: null, commit: null },
        syncIntervalInSeconds: 600,
        timeoutInSeconds: 7200,
        ...git,
      },
      kustomizations: {
        bootstrap: {
          ...{ name: "bootstrap", path: "./a", prune: true, force: false, wait: false, dependsOn: [] },
          ...{
            syncIntervalInSeconds: 600,
            timeoutInSeconds: 5400,
            retryIntervalInSeconds: null,
            postBuild: null,
          },
        },
      },
    },
    ...more,
  };
}

describe("a configuration as objects", () => {
  const specs = (one: AgentConfiguration, lockdown = true) => {
    const { repository, kustomizations, secret } = renderConfiguration(one, { lockdown });
    return { repository: repository["spec"], kustomization: kustomizations[0]?.["spec"], secret };
  };

  it("has only what was given: no empty ref, no retry interval, no secret", () => {
    expect(specs(configuration())).toEqual({
      repository: {
        url: "https://git.example.com/fleet.git",
        interval: "10m0s",
        timeout: "7200s",
        ref: { branch: "main" },
        suspend: false,
      },
      kustomization: {
        path: "./a",
        ...{ interval: "10m0s", timeout: "1h30m0s", prune: true, force: false, wait: false, suspend: false },
        sourceRef: { kind: "GitRepository", name: "edge-config", namespace },
        serviceAccountName: "flux-applier",
      },
      secret: undefined,
    });
  });

  it("names no service account without lockdown", () => {
    expect(specs(configuration(), false).kustomization).not.toHaveProperty("serviceAccountName");
  });

  it.each([
    ["a user and a key", { httpsUser: "git" }, { httpsKey: "a2V5" }, { username: "Z2l0", password: "a2V5" }],
    ["a certificate alone", { httpsCACert: "Y2E=" }, {}, { caFile: "Y2E=" }],
    [
      "an SSH key",
      { url: "git@git.example.com:edge/fleet.git", sshKnownHosts: "aG9zdHM=" },
      { sshPrivateKey: "c3No" },
      { identity: "c3No", known_hosts: "aG9zdHM=" },
    ],
  ])("puts %s into the secret", (_what, git, settings, data) => {
    const known = { protectedKeys: Object.keys(settings), protectedSettings: settings };
    const { repository, secret } = specs(configuration(git, known));
    expect(secret?.metadata.name).toBe("edge-config-protected-parameters");
    expect(secret?.["data"]).toEqual(data);
    expect(repository).toMatchObject({ secretRef: { name: "edge-config-protected-parameters" } });
  });

  it("makes no secret of settings that are lost, and still refers to it", () => {
    const { repository, secret } = specs(
      configuration({ httpsUser: "git" }, { protectedKeys: ["httpsKey"] }),
    );
    expect(secret).toBeUndefined();
    expect(repository).toMatchObject({ secretRef: { name: "edge-config-protected-parameters" } });
  });

  it("takes a secret that is on the cluster, and writes SSH addresses as Flux takes them", () => {
    const { repository, secret } = specs(
      configuration({ url: "git@git.example.com:edge/fleet.git", localAuthRef: "mine" }),
    );
    expect(secret).toBeUndefined();
    expect(repository).toMatchObject({
      url: "ssh://git@git.example.com/edge/fleet.git",
      secretRef: { name: "mine" },
    });
  });

  it.each([
    [1, "1s"],
    [60, "1m0s"],
    [3600, "1h0m0s"],
    [35_791_394, "9942h3m14s"],
  ])("writes %i seconds as %s", (seconds, text) => expect(goDuration(seconds)).toBe(text));

  it("loses no second", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 35_791_394 }), (seconds) => {
        const [, h = "0", m = "0", s = "0"] =
          /^(?:(\d+)h)?(?:(\d+)m)?(\d+)s$/.exec(goDuration(seconds)) ?? [];
        expect(Number(h) * 3600 + Number(m) * 60 + Number(s)).toBe(seconds);
      }),
    );
  });
});

type Ready = "True" | "False" | "Unknown" | undefined;

function object(
  kind: string,
  name: string,
  { ready, spec = {}, by }: { ready?: Ready; spec?: Json; by?: string },
): KubernetesObject {
  const condition = { type: "Ready", status: ready, reason: "R", message: "M", observedGeneration: 2 };
  return {
    apiVersion: "x/v1",
    kind,
    metadata: {
      ...{ name, namespace, generation: 2 },
      ...(by !== undefined && {
        labels: {
          "kustomize.toolkit.fluxcd.io/name": by,
          "kustomize.toolkit.fluxcd.io/namespace": namespace,
        },
      }),
    },
    spec,
    status: { conditions: ready === undefined ? [] : [condition] },
  };
}

describe("the state of a configuration", () => {
  const repository = object("GitRepository", "edge-config", { ready: "True" });
  const bootstrap = object("Kustomization", "edge-config-bootstrap", { ready: "True" });
  const state = (...objects: KubernetesObject[]) =>
    configurationStatus(configuration(), [repository, bootstrap, ...objects]);

  it.each([
    ["True", "Compliant"],
    ["False", "Non-Compliant"],
    ["Unknown", "Pending"],
    [undefined, "Pending"],
  ] as const)("with a set whose Ready is %s is %s", (ready, expected) => {
    const set = object("Kustomization", "base", { ready, by: "edge-config-bootstrap" });
    expect(state(set)).toMatchObject({ complianceState: expected });
  });

  it("takes no word about an earlier generation", () => {
    const stale = object("Kustomization", "base", { ready: "True" });
    expect(complianceOf({ ...stale, metadata: { ...stale.metadata, generation: 3 } })).toBe("Pending");
  });

  it("is compliant with a set that waits for its window", () => {
    const closed = object("Kustomization", "pos", { spec: { suspend: true }, by: "edge-config-bootstrap" });
    const found = state(closed);
    expect(found).toMatchObject({ complianceState: "Compliant" });
    expect(found["statuses"]).toContainEqual(
      expect.objectContaining({ name: "pos", complianceState: "Suspended" }),
    );
  });

  it("knows what its sets have applied in turn, and nothing of others", () => {
    const found = state(
      object("HelmRelease", "app", { ready: "False", by: "base" }),
      object("Kustomization", "base", { ready: "True", by: "edge-config-bootstrap" }),
      object("Kustomization", "strange", { ready: "False", by: "other" }),
    );
    const applied = (found["statuses"] as Json[]).slice(2).map(({ name, appliedBy }) => [name, appliedBy]);
    expect(applied).toEqual([
      ["base", { name: "edge-config-bootstrap", namespace }],
      ["app", { name: "base", namespace }],
    ]);
    expect(found["complianceState"]).toBe("Non-Compliant");
  });

  it("names what of its own is missing", () => {
    expect(configurationStatus(configuration(), [repository])).toMatchObject({
      complianceState: "Non-Compliant",
      errorMessage: expect.stringContaining(
        "Kustomization edge-config-bootstrap is not on the cluster",
      ) as string,
    });
  });
});

it("reads the values of a Helm release as Helm keeps them", () => {
  const { data } = helmRelease({ resourceName: "edge-0" }) as unknown as { data: { release: string } };
  expect(decodeRelease(data.release)).toMatchObject({ config: { global: { resourceName: "edge-0" } } });
});
