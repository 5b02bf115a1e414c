import * as pulumi from "@pulumi/pulumi";
import { beforeAll, describe, expect, it } from "vitest";

import type { FluxObjects as Objects, FluxObjectsArgs } from "../../components/fluxObjects.ts";
import { bare, isSecretInput, recordResources, type Registered, valueOf } from "../support/mocks.ts";

const types = {
  repository: "kubernetes:source.toolkit.fluxcd.io/v1:GitRepository",
  bootstrap: "kubernetes:kustomize.toolkit.fluxcd.io/v1:Kustomization",
  secret: "kubernetes:core/v1:Secret",
  provider: "pulumi:providers:kubernetes",
} as const;

describe("FluxObjects", () => {
  let registered: Registered[];
  let make: (name: string, change?: Partial<FluxObjectsArgs>) => Objects;
  const find = (type: string, name: string): Registered => {
    const found = registered.filter((one) => one.type === type && one.name.startsWith(`${name}-`));
    const [first] = found;
    if (first === undefined || found.length > 1) throw new Error(`${found.length} ${type} of ${name}`);
    return first;
  };

  beforeAll(async () => {
    registered = await recordResources(2048);
    const { FluxFolder } = await import("../../components/fluxFolder.ts");
    const { FluxObjects } = await import("../../components/fluxObjects.ts");
    make = (name, change = {}) =>
      new FluxObjects(name, {
        configurationName: "edge-config",
        repository: "https://git.example.com/fleet.git",
        branch: "prod",
        access: { kind: "public" },
        fluxFolder: `clusters/${name}/flux`,
        bootstrap: {
          interval: "10m",
          retryInterval: "2m",
          timeout: "1h30m",
          prune: true,
          wait: false,
          force: false,
        },
        context: `${name}-admin`,
        folder: new FluxFolder(name, {
          repository: "https://git.example.com/fleet.git",
          branch: "main",
          folder: `clusters/${name}`,
          files: { "flux/a.yaml": "a: 1\n" },
          author: { name: "Arcflux", email: "arcflux@example.com" },
        }),
        ...change,
      });
    await valueOf(make("plain").bootstrapName);
    await valueOf(
      make("token", { access: { kind: "token", user: "git", token: pulumi.secret("s3cr3t") } }).bootstrapName,
    );
    await valueOf(
      make("ssh", {
        repository: "git@git.example.com:edge/fleet.git",
        access: { kind: "ssh", privateKey: pulumi.secret("PEM\n"), knownHosts: "host ssh-ed25519 AAAA" },
      }).bootstrapName,
    );
  });

  it("gives a public repository behind an authority of its own a secret with that alone", async () => {
    await valueOf(make("ca", { access: { kind: "public", authorities: "CA\n" } }).bootstrapName);
    const { metadata, stringData } = find(types.secret, "ca").inputs;
    expect(metadata).toEqual({ name: "edge-config-auth", namespace: "flux-system" });
    expect(bare(stringData)).toEqual({ "ca.crt": "CA\n" });
    expect(find(types.repository, "ca").inputs["spec"]).toMatchObject({
      secretRef: { name: "edge-config-auth" },
    });
  });

  it("suspends both where the fleet file says so, and else leaves that to whoever is on the cluster", async () => {
    await valueOf(make("shut", { suspend: true, fetchInterval: "3m" }).bootstrapName);
    expect(find(types.repository, "shut").inputs["spec"]).toMatchObject({ suspend: true, interval: "3m" });
    expect(find(types.bootstrap, "shut").inputs["spec"]).toMatchObject({ suspend: true, interval: "10m" });
    expect(find(types.bootstrap, "plain").inputs["spec"]).not.toHaveProperty("suspend");
  });

  it("makes the GitRepository of the branch that the cluster follows", () => {
    expect(find(types.repository, "plain").inputs).toEqual({
      apiVersion: "source.toolkit.fluxcd.io/v1",
      kind: "GitRepository",
      metadata: { name: "edge-config", namespace: "flux-system" },
      spec: {
        url: "https://git.example.com/fleet.git",
        ref: { branch: "prod" },
        interval: "10m",
        // 1h30m, which a GitRepository would refuse for its hour.
        timeout: "5400s",
      },
    });
  });

  it("makes the bootstrap Kustomization of the flux folder, called as on an Arc cluster", async () => {
    expect(find(types.bootstrap, "plain").inputs).toEqual({
      apiVersion: "kustomize.toolkit.fluxcd.io/v1",
      kind: "Kustomization",
      metadata: { name: "edge-config-bootstrap", namespace: "flux-system" },
      spec: {
        sourceRef: { kind: "GitRepository", name: "edge-config" },
        path: "./clusters/plain/flux",
        interval: "10m",
        retryInterval: "2m",
        timeout: "1h30m",
        prune: true,
        wait: false,
        force: false,
      },
    });
    expect(await valueOf(make("named").bootstrapName)).toBe("edge-config-bootstrap");
  });

  it("makes them after the committed files, so that they go before them, the Kustomization first", () => {
    const files = "arcflux-git:index:GitFiles plain-files";
    expect(find(types.repository, "plain").waitsFor).toContain(files);
    expect(find(types.bootstrap, "plain").waitsFor).toEqual(
      expect.arrayContaining([files, `${types.repository} plain-repository`]),
    );
  });

  it("uses the cluster's own context, and nothing of Azure", () => {
    expect(find(types.provider, "plain").inputs["context"]).toBe("plain-admin");
    expect(registered.filter(({ type }) => type.startsWith("azure-native:"))).toEqual([]);
  });

  it("keeps a token in a secret that the GitRepository names", () => {
    const { inputs } = find(types.secret, "token");
    expect(isSecretInput(inputs["stringData"])).toBe(true);
    expect(bare(inputs["stringData"])).toEqual({ username: "git", password: "s3cr3t" });
    expect(inputs["metadata"]).toEqual({ name: "edge-config-auth", namespace: "flux-system" });
    expect(find(types.repository, "token").inputs["spec"]).toMatchObject({
      secretRef: { name: "edge-config-auth" },
    });
    expect(find(types.repository, "plain").inputs["spec"]).not.toHaveProperty("secretRef");
  });

  it("keeps an SSH key and the host keys in it", () => {
    expect(bare(find(types.secret, "ssh").inputs["stringData"])).toEqual({
      identity: "PEM\n",
      known_hosts: "host ssh-ed25519 AAAA",
    });
  });

  it("writes the short form of an SSH address as the URL that Flux takes", () => {
    expect(find(types.repository, "ssh").inputs["spec"]).toMatchObject({
      url: "ssh://git@git.example.com/edge/fleet.git",
    });
  });

  it("refuses an SSH key without host keys, and says which config to set", () => {
    expect(() => make("bare", { access: { kind: "ssh", privateKey: pulumi.secret("PEM\n") } })).toThrow(
      /arcflux:repositoryKnownHosts is missing.*ssh-keyscan/s,
    );
  });
});
