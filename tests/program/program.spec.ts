import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import * as pulumi from "@pulumi/pulumi";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { loadStackFleet } from "../../program/stackFleet.ts";
import { readRepositoryAccess, readStackSettings } from "../../program/stackSettings.ts";
import { startArm } from "../../lab/azure/http/startArm.ts";
import { startGitServer } from "../../lab/gitServer.ts";
import { GitWorkshop } from "../support/gitWorkshop.ts";
import { recordResources, type Registered, valueOf } from "../support/mocks.ts";

const fleet = `
apiVersion: arcflux/v1
repository: { url: https://git.example.com/edge/fleet.git, branch: main, access: token }
arc: { resourceGroup: rg-edge, location: westeurope }
agents: present
sources:
  infra: { kind: GitRepository, url: self, ref: { tag: v1 } }
sets:
  infrastructure: { path: ./infrastructure, source: infra }
stages:
  prod: { branch: prod }
clusters:
  edge-main: { sets: { infrastructure: {} } }
  edge-prod: { stage: prod, sets: { infrastructure: {} } }
  edge-old: { lifecycle: retired, sets: { infrastructure: {} } }
  edge-bare: { platform: kubernetes, kubeconfig: { context: bare }, sets: { infrastructure: {} } }
`;

describe("the program", () => {
  let folder: string;
  let workshop: GitWorkshop;
  let server: Awaited<ReturnType<typeof startGitServer>>;
  let azure: Awaited<ReturnType<typeof startArm>>;
  let registered: Registered[];
  let former: Record<string, object>;
  let commit: string;
  let outputs: Record<string, Record<string, unknown>>;
  const of = (cluster: string): Registered[] =>
    registered.filter(({ name }) => name === cluster || name.startsWith(`${cluster}-`));
  const input = (cluster: string, type: string): Record<string, unknown> =>
    of(cluster).find((one) => one.type.endsWith(type))!.inputs;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "arcflux-program-"));
    workshop = new GitWorkshop();
    const repository = await workshop.repository({
      "infrastructure/base.yaml":
        "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: base, namespace: default }\n",
    });
    workshop.git(repository, "branch", "prod", "main");
    workshop.git(repository, "tag", "v1", "main");
    commit = workshop.git(repository, "rev-parse", "v1");
    server = await startGitServer({ root: workshop.folder });
    await writeFile(join(folder, "fleet.yaml"), fleet);
    pulumi.runtime.setAllConfig(
      {
        "arcflux:fleet": join(folder, "fleet.yaml"),
        "arcflux:repositoryToken": "t0ken",
        // The program looks at the repository first, and an update does not go on without it.
        "arcflux:repositoryUrl": `${server.url}/fleet.git`,
      },
      ["arcflux:repositoryToken"],
    );
    azure = await startArm({ dir: folder });
    process.env["ARCFLUX_ARM_ENDPOINT"] = azure.url;
    const known = { bootstrap: "edge-config-bootstrap" };
    former = {
      ...Object.fromEntries(
        ["edge-main", "edge-prod", "edge-old"].map((name) => [
          name,
          {
            ...known,
            arcId: `/subscriptions/s/resourceGroups/rg-edge/providers/Microsoft.Kubernetes/connectedClusters/${name}`,
          },
        ]),
      ),
      "edge-bare": known,
    };
    registered = await recordResources(2048, { clusters: former });
    const { clusters } = await import("../../index.ts");
    outputs = await valueOf(pulumi.output(clusters) as pulumi.Output<typeof outputs>);
  });
  it("puts out what tags point to, and stops where one was something else at the last update", async () => {
    expect((await import("../../index.ts")).tags).toEqual({ v1: commit });
    await recordResources(2048, { clusters: former, tags: { v1: "0".repeat(40) } });
    await expect(loadStackFleet(readStackSettings())).rejects.toThrow(
      /tag v1 of .* was 000000000000 at the last update and is .*, so edge-main, edge-prod, edge-old and 1 more may run either\. Make a new tag/,
    );
  });
  it("sends a token that nothing binds to no other host than at the last update, not even to look", async () => {
    await recordResources(2048, { clusters: former, repository: "https://git.example.com/edge/fleet.git" });
    process.env["ARCFLUX_GIT_TOKEN"] = "token-of-the-test";
    const loading = loadStackFleet(readStackSettings()).finally(
      () => delete process.env["ARCFLUX_GIT_TOKEN"],
    );
    await expect(loading).rejects.toThrow(/was at git\.example\.com: the token would go to another host/);
  });
  afterAll(async () => {
    delete process.env["ARCFLUX_ARM_ENDPOINT"];
    await azure.close();
    await server.close();
    workshop.remove();
    await rm(folder, { recursive: true, force: true });
  });

  it("has a cluster follow the branch of its stage, and commits its files to that of the repository", () => {
    expect(input("edge-prod", ":FluxConfiguration")["gitRepository"]).toMatchObject({
      repositoryRef: { branch: "prod" },
    });
    expect(input("edge-prod", ":GitFiles")["branch"]).toBe("main");
    expect(input("edge-main", ":FluxConfiguration")["gitRepository"]).toMatchObject({
      repositoryRef: { branch: "main" },
    });
  });

  it("says in the output which promotion is missing, and only there", () => {
    expect(outputs["edge-prod"]!["note"]).toMatch(/arcflux promote prod/);
    expect(outputs["edge-main"]).not.toHaveProperty("note");
  });

  it("protects what it makes, except of a retired cluster, which is otherwise the same", () => {
    const protection = (cluster: string): boolean[] => [...new Set(of(cluster).map((one) => one.protect))];
    expect(protection("edge-main")).toEqual([true]);
    expect(protection("edge-old")).toEqual([false]);
    const shape = (cluster: string): string[] =>
      of(cluster)
        .map(({ type }) => type)
        .sort();
    expect(shape("edge-old")).toEqual(shape("edge-main"));
  });

  it("makes the objects of a cluster without Azure directly, and nothing of Azure", () => {
    const types = of("edge-bare").map(({ type }) => type);
    expect(types).toContain("kubernetes:kustomize.toolkit.fluxcd.io/v1:Kustomization");
    expect(types.filter((type) => type.startsWith("azure-native:"))).toEqual([]);
    expect(input("edge-bare", ":providers:kubernetes")["context"]).toBe("bare");
    expect(outputs["edge-bare"]).toEqual({
      bootstrap: "edge-config-bootstrap",
      folder: "clusters/edge-bare",
      commit: "c0ffee",
      device: { hardware: 1, isReplaceable: true },
      inventory: { folder: "clusters/edge-bare/flux", owner: "arcflux/test/edge", serial: 1 },
    });
  });

  it("hands clusters the certificates of caFile, and no key that stands beside them", async () => {
    const caFile = join(folder, "ca.pem");
    const block = (kind: string, text: string) => `-----BEGIN ${kind}-----\n${text}\n-----END ${kind}-----\n`;
    await writeFile(caFile, `${block("PRIVATE KEY", "c2VjcmV0")}${block("CERTIFICATE", "Y2E=")}`);
    expect(readRepositoryAccess({ access: "public", caFile })).toEqual({
      kind: "public",
      authorities: block("CERTIFICATE", "Y2E="),
    });
    await writeFile(caFile, block("PRIVATE KEY", "c2VjcmV0"));
    expect(() => readRepositoryAccess({ access: "public", caFile })).toThrow("has no certificate");
    const missing = join(folder, "none.pem");
    expect(() => readRepositoryAccess({ access: "token", caFile: missing })).toThrow(
      /cannot be read \(ENOENT\)/,
    );
  });

  it("gives a source of the private repository the credentials of its cluster", () => {
    const source = (cluster: string): string =>
      (input(cluster, ":GitFiles")["files"] as Record<string, string>)["flux/source-infra.yaml"]!;
    expect(source("edge-main")).toContain("  secretRef:\n    name: edge-config-protected-parameters\n");
    expect(source("edge-bare")).toContain("  secretRef:\n    name: edge-config-auth\n");
  });
});
