import * as pulumi from "@pulumi/pulumi";
import { beforeAll, expect, it } from "vitest";

import { only, recordResources, type Registered, valueOf } from "../support/mocks.ts";

const chart = { chart: "oci://registry.example.com/agents" };

let registered: Registered[];
beforeAll(async () => {
  registered = await recordResources();
});

it("takes the outputs of other resources", async () => {
  const { EdgeCluster } = await import("../../components/edgeCluster.ts");
  const cluster = new EdgeCluster("edge-1", {
    clusterName: pulumi.output("edge-1"),
    resourceGroupName: pulumi.output("rg-made-here"),
    location: pulumi.output("westeurope"),
    tags: pulumi.output({ owner: "edge" }),
    agentsChart: chart,
  });
  await valueOf(cluster.agents.urn);
  expect(only(registered, "azure-native:kubernetes:ConnectedCluster").inputs).toMatchObject({
    clusterName: "edge-1",
    resourceGroupName: "rg-made-here",
    location: "westeurope",
    tags: { owner: "edge" },
  });
});

it("names every argument that is at fault, without what a URL holds", async () => {
  const { FluxObjects } = await import("../../components/fluxObjects.ts");
  const args = {
    configurationName: "edge-config",
    repository: "https://me:s3cret@git.example.com/fleet.git",
    branch: "a b",
    access: { kind: "public" },
    fluxFolder: "../flux",
  } as const;
  let error: unknown;
  try {
    new FluxObjects("edge-1", args as unknown as ConstructorParameters<typeof FluxObjects>[1]);
  } catch (thrown) {
    error = thrown;
  }
  expect(pulumi.InputPropertiesError.isInstance(error)).toBe(true);
  const { errors, message } = error as pulumi.InputPropertiesError;
  expect(errors.map(({ propertyPath }) => propertyPath)).toEqual(["repository", "branch", "fluxFolder"]);
  expect(message).not.toContain("s3cret");
});
