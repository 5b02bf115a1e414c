import * as pulumi from "@pulumi/pulumi";
import { beforeAll, describe, expect, it } from "vitest";

import type { FluxBootstrap as Bootstrap, FluxBootstrapArgs } from "../../components/fluxBootstrap.ts";
import type { RepositoryAccess } from "../../components/repositoryAccess.ts";
import { bare, isSecretInput, recordResources, type Registered, valueOf } from "../support/mocks.ts";

const configurationType = "azure-native:kubernetesconfiguration:FluxConfiguration";
const extensionType = "azure-native:kubernetesconfiguration:Extension";

describe("FluxBootstrap", () => {
  let registered: Registered[];
  let make: (name: string, change?: Partial<FluxBootstrapArgs>) => Bootstrap;
  const find = (type: string, name: string): Registered => {
    const found = registered.find(
      (resource) => resource.type === type && resource.name.startsWith(`${name}-`),
    );
    if (found === undefined) throw new Error(`no ${type} of ${name}`);
    return found;
  };

  beforeAll(async () => {
    registered = await recordResources(2048);
    const { FluxFolder } = await import("../../components/fluxFolder.ts");
    const { FluxBootstrap } = await import("../../components/fluxBootstrap.ts");
    make = (name, change = {}) => {
      const folder = new FluxFolder(name, {
        repository: "https://git.example.com/fleet.git",
        branch: "main",
        folder: `clusters/${name}`,
        files: { "flux/a.yaml": "a: 1\n" },
        author: { name: "Arcflux", email: "arcflux@example.com" },
      });
      return new FluxBootstrap(name, {
        clusterName: name,
        resourceGroupName: "rg-edge",
        configurationName: "edge-config",
        repository: "https://git.example.com/fleet.git",
        branch: "main",
        access: { kind: "public" },
        fluxFolder: `clusters/${name}/flux`,
        bootstrap: {
          interval: "10m",
          retryInterval: "2m",
          timeout: "1m30s",
          prune: true,
          wait: false,
          force: false,
        },
        lockdown: true,
        folder,
        ...change,
      });
    };
    await valueOf(make("plain").arcId);
    await valueOf(make("open", { lockdown: false }).arcId);
    const token: RepositoryAccess = { kind: "token", user: "git", token: pulumi.secret("s3cr3t/+") };
    await valueOf(make("token", { access: token }).bootstrapName);
    const ssh: RepositoryAccess = {
      kind: "ssh",
      privateKey: pulumi.secret("PEM\n"),
      knownHosts: "host ssh-ed25519 AAAA",
    };
    await valueOf(make("ssh", { access: ssh }).bootstrapName);
    await valueOf(make("ca", { access: { ...token, authorities: "CA\n" } }).bootstrapName);
  });

  it("gives Azure one GitRepository and the one kustomization bootstrap, every field explicit", () => {
    expect(find(configurationType, "plain").inputs).toEqual({
      clusterRp: "Microsoft.Kubernetes",
      clusterResourceName: "connectedClusters",
      resourceGroupName: "rg-edge",
      clusterName: "plain",
      fluxConfigurationName: "edge-config",
      scope: "cluster",
      namespace: "flux-system",
      sourceKind: "GitRepository",
      suspend: false,
      gitRepository: {
        url: "https://git.example.com/fleet.git",
        repositoryRef: { branch: "main" },
        syncIntervalInSeconds: 600,
        timeoutInSeconds: 90,
      },
      kustomizations: {
        bootstrap: {
          path: "./clusters/plain/flux",
          dependsOn: [],
          syncIntervalInSeconds: 600,
          retryIntervalInSeconds: 120,
          timeoutInSeconds: 90,
          prune: true,
          force: false,
          wait: false,
        },
      },
    });
  });

  it("installs the Flux extension with an identity, cluster-wide, and multi-tenancy as the fleet says", () => {
    expect(find(extensionType, "plain").inputs).toMatchObject({
      extensionName: "flux",
      extensionType: "microsoft.flux",
      identity: { type: "SystemAssigned" },
      scope: { cluster: { releaseNamespace: "flux-system" } },
      configurationSettings: { "multiTenancy.enforce": "true" },
    });
    expect(find(extensionType, "open").inputs).toMatchObject({
      configurationSettings: { "multiTenancy.enforce": "false" },
    });
  });

  it("sends a token once base64-encoded, as a secret, beside its user", () => {
    const { inputs } = find(configurationType, "token");
    expect(isSecretInput(inputs["configurationProtectedSettings"])).toBe(true);
    // printf 's3cr3t/+' | base64
    expect(bare(inputs["configurationProtectedSettings"])).toEqual({ httpsKey: "czNjcjN0Lys=" });
    expect(inputs["gitRepository"]).toMatchObject({ httpsUser: "git" });
  });

  it("sends the authorities of a private host beside the token, base64-encoded once", () => {
    const { inputs } = find(configurationType, "ca");
    // printf 'CA\n' | base64
    expect(inputs["gitRepository"]).toMatchObject({ httpsUser: "git", httpsCACert: "Q0EK" });
  });

  it("sends an SSH key as a secret, and the known hosts base64-encoded", () => {
    const { inputs } = find(configurationType, "ssh");
    // printf 'PEM\n' | base64; printf 'host ssh-ed25519 AAAA' | base64
    expect(bare(inputs["configurationProtectedSettings"])).toEqual({ sshPrivateKey: "UEVNCg==" });
    expect(isSecretInput(inputs["configurationProtectedSettings"])).toBe(true);
    expect(inputs["gitRepository"]).toMatchObject({ sshKnownHosts: "aG9zdCBzc2gtZWQyNTUxOSBBQUFB" });
  });

  it("names the bootstrap Kustomization as it is called on the cluster, and the cluster by its Azure id", async () => {
    const flux = make("named");
    expect(await valueOf(flux.bootstrapName)).toBe("edge-config-bootstrap");
    expect(await valueOf(flux.arcId)).toMatch(/\/connectedClusters\/edge-1$/);
  });
});
