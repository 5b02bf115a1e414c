// The client's own description of what goes over the wire; it exports no other door to it.
import * as mappers from "@azure/arm-kubernetesconfiguration/dist-esm/src/models/mappers.js";
import { type CompositeMapper, createSerializer } from "@azure/core-client";
import * as pulumi from "@pulumi/pulumi";
import { beforeAll, expect, it } from "vitest";

import type { RepositoryAccess } from "../../components/repositoryAccess.ts";
import { putExtension } from "../../lab/azure/extension.ts";
import { putFluxConfiguration } from "../../lab/azure/fluxConfiguration.ts";
import type { Json } from "../../lab/azure/json.ts";
import { toBody } from "../../lab/providers/armBody.ts";
import { type AzureType, azureTypes } from "../../lab/providers/azureTypes.ts";
import { bare, recordResources, type Registered, valueOf } from "../support/mocks.ts";
import { pairwise } from "../support/pairwise.ts";

/* Whatever is asked of FluxBootstrap, its requests are what the official client would send, and what Azure takes. */

const token = { kind: "token", user: "git" } as const;
const options = {
  access: [
    () => ({ kind: "public" }),
    () => ({ kind: "public", authorities: "CA\n" }),
    () => ({ ...token, token: pulumi.secret("t0ken") }),
    () => ({ ...token, token: pulumi.secret("t0ken"), authorities: "CA\n" }),
    () => ({ kind: "ssh", privateKey: pulumi.secret("PEM\n") }),
    () => ({ kind: "ssh", privateKey: pulumi.secret("PEM\n"), knownHosts: "host ssh-ed25519 AAAA" }),
  ] as readonly (() => RepositoryAccess)[],
  suspend: [undefined, false, true],
  fetchInterval: [undefined, "90s", "9942h"],
  prune: [true, false],
  wait: [true, false],
  force: [true, false],
  lockdown: [true, false],
  version: [undefined, "1.24.1"],
  releaseTrain: [undefined, "Stable", "Preview"],
  controllers: [undefined, { "image-automation-controller": true, "image-reflector-controller": false }],
  resources: [undefined, { "kustomize-controller": { limits: { cpu: "2", memory: "1Gi" }, requests: {} } }],
  strictSubstitution: [undefined, true, false],
  workloadIdentity: [undefined, { clientId: "c", tenantId: "t" }],
  settings: [undefined, { "helm-controller.detectDrift": "true" }],
} as const;

const cases = pairwise(options);
let registered: Registered[];

beforeAll(async () => {
  registered = await recordResources(2048);
  const { FluxFolder } = await import("../../components/fluxFolder.ts");
  const { FluxBootstrap } = await import("../../components/fluxBootstrap.ts");
  for (const [index, one] of cases.entries()) {
    const { access, suspend, fetchInterval, prune, wait, force, lockdown, ...extension } = one;
    const read = access();
    const repository =
      read.kind === "ssh" ? "git@git.example.com:fleet.git" : "https://git.example.com/fleet.git";
    const name = `c${index}`;
    const flux = new FluxBootstrap(name, {
      ...{ clusterName: name, resourceGroupName: "rg-edge", configurationName: "edge-config", repository },
      ...{ branch: "main", access: read, fluxFolder: `clusters/${name}/flux`, lockdown, extension },
      bootstrap: { interval: "10m", retryInterval: "2m", timeout: "5m", prune, wait, force },
      ...(suspend !== undefined && { suspend }),
      ...(fetchInterval !== undefined && { fetchInterval }),
      folder: new FluxFolder(name, {
        ...{ repository, branch: "main", folder: `clusters/${name}`, files: { "flux/a.yaml": "a: 1\n" } },
        author: { name: "Arcflux", email: "arcflux@example.com" },
      }),
    });
    await valueOf(flux.bootstrapName);
  }
});

const serializer = createSerializer(mappers);
/** What was registered, as it goes over the wire; and the same by the client's model. */
function requests(
  type: AzureType,
  { inputs }: Registered,
  mapper: CompositeMapper,
): [ours: Json, theirs: Json] {
  const plain = Object.fromEntries(Object.entries(inputs).map(([key, value]) => [key, bare(value)]));
  const model = Object.fromEntries(Object.entries(plain).filter(([key]) => !type.pathInputs.includes(key)));
  return [toBody(type, plain), serializer.serialize(mapper, model) as Json];
}

it.each([
  ["Extension", mappers.Extension],
  ["FluxConfiguration", mappers.FluxConfiguration],
] as const)("every request for a %s is what the client sends, and Azure refuses none", (kind, mapper) => {
  const token = `azure-native:kubernetesconfiguration:${kind}`;
  const type = azureTypes[token]!;
  const all = registered.filter((one) => one.type === token);
  expect(all).toHaveLength(cases.length);
  expect(cases.length).toBeGreaterThan(17);
  for (const one of all) {
    const [ours, theirs] = requests(type, one, mapper);
    expect(ours).toEqual(theirs);
    const id = {
      type: type.arm,
      resourceGroup: "rg-edge",
      cluster: "c",
      name: kind === "Extension" ? "flux" : "edge-config",
    };
    const put = () =>
      kind === "Extension" ? putExtension(id, ours) : putFluxConfiguration(id, ours, undefined);
    expect(put).not.toThrow();
  }
});
