import { generateKeyPairSync } from "node:crypto";

import { loadFleet } from "../../fleet/load.ts";
import { renderClusterFolder } from "../../flux/folder.ts";
import { trialResources } from "../../program/trialResources.ts";
import { type StackResource, unknown } from "./fixtures.ts";

const clusters = ["edge-0", "edge-1"];

/** Two clusters in production with all that a cluster can have. */
const { fleet, findings } = loadFleet(
  `apiVersion: arcflux/v1
repository: { url: https://git.example.com/edge/fleet.git }
arc: { resourceGroup: rg-edge, location: westeurope, tags: { owner: edge } }
flux: { version: "2.9" }
defaults: { deletionPolicy: MirrorPrune }
sources: { infra: { kind: GitRepository, url: https://git.example.com/edge/infra.git, ref: { tag: v1 } } }
windows: { nightly: { open: 0 1 * * *, close: 0 4 * * * } }
tenants: { pizza: { namespaces: [pizza] } }
alerts: { ops: { provider: { type: msteams, secretRef: { name: teams } } } }
sets:
  base: { path: ./base, source: infra }
  pos: { path: ./pos, window: nightly, dependsOn: [base] }
  menu: { path: ./menu, tenant: pizza }
  web: { path: ./web, dependsOn: [base] }
stages: { prod: {} }
clusters:
${clusters.map((name) => `  ${name}: { stage: prod, kubeconfig: { context: ${name} }, variables: { site_code: 0042 }, sets: { base: {}, pos: {}, menu: {}, web: {} } }`).join("\n")}
`,
  "fleet.yaml",
);
if (fleet === undefined) throw new Error(findings.map(({ message }) => message).join("\n"));

const facts = {
  clusters: Object.fromEntries(
    clusters.map((name) => [name, { stage: "prod", flux: "2.9", config: "edge-config" }]),
  ),
  stages: [
    { name: "test", differs: [], unproven: [] },
    { name: "prod", after: "test", differs: [], unproven: [] },
  ],
  update: { reach: [], deletions: [], freezes: [] },
};

const key = (modulusLength: number) =>
  generateKeyPairSync("rsa", { modulusLength }).publicKey.export({ format: "der", type: "pkcs1" });

export const keys = { good: key(4096).toString("base64"), short: key(2048).toString("base64") };

/** What a device brings, and what others put beside the fleet. */
const devices = clusters.flatMap((name): StackResource[] => [
  {
    type: "azure-native:compute:VirtualMachine",
    name: `${name}-device`,
    inputs: {
      location: "westeurope",
      tags: { owner: "edge" },
      osProfile: { linuxConfiguration: { disablePasswordAuthentication: true, ssh: { publicKeys: [] } } },
    },
  },
  {
    type: "azure-native:network:NetworkSecurityGroup",
    name: `${name}-group`,
    inputs: {
      location: "westeurope",
      tags: { owner: "edge" },
      securityRules: [
        {
          ...{ name: "ssh", access: "Allow", direction: "Inbound" },
          ...{ sourceAddressPrefix: "10.0.0.0/8", destinationPortRange: "22" },
        },
      ],
    },
  },
]);

const nameOf = (urn: string): string => urn.split("::").at(-1) ?? "";

const made = await trialResources(fleet, facts);

/** What the program registers for the fleet and its devices, with what only Azure can answer filled in. */
export const wholeStack: readonly StackResource[] = [
  ...made.map(({ type, name, inputs, outputs, protect, waitsFor }): StackResource => ({
    ...{ type, name, protect, dependsOn: waitsFor.map(nameOf) },
    inputs: {
      ...inputs,
      ...(type.endsWith(":ConnectedCluster") && {
        agentPublicKeyCertificate: keys.good,
        arcAgentProfile: { agentAutoUpgrade: "Disabled" },
      }),
    },
    ...(outputs && { outputs }),
  })),
  ...devices,
];

/** The files that are committed for a cluster. */
export const written = renderClusterFolder(fleet.clusters[0]!);

/** A way to another stack: of one resource, whose name is the cluster's with this behind it. */
export type Change = (stack: readonly StackResource[], cluster: string) => readonly StackResource[];

const changed =
  (suffix: string, change: (resource: StackResource) => StackResource): Change =>
  (stack, cluster) => {
    const name = suffix === "fleet" ? suffix : `${cluster}-${suffix}`;
    if (!stack.some((one) => one.name === name)) throw new Error(`There is no ${name}.`);
    return stack.map((one) => (one.name === name ? change(one) : one));
  };

type Tree = Record<string, unknown>;

function put(tree: Tree, [first = "", ...rest]: readonly string[], value: unknown): Tree {
  const copy: Tree = Array.isArray(tree) ? ([...(tree as unknown[])] as unknown as Tree) : { ...tree };
  copy[first] = rest.length === 0 ? value : put((copy[first] ?? {}) as Tree, rest, value);
  return copy;
}

/** Another value at a path of the inputs, `undefined` for none. */
export const input = (suffix: string, path: string, value: unknown): Change =>
  changed(suffix, (one) => ({ ...one, inputs: put(one.inputs ?? {}, path.split("."), value) }));

/** The same of the facts of the fleet. */
export const fact = (path: string, value: unknown): Change =>
  changed("fleet", (one) => ({
    ...one,
    outputs: put(one.outputs ?? {}, ["facts", ...path.split(".")], value),
  }));

export const unprotected = changed("files", (one) => ({ ...one, protect: false }));

export const waitingForNothing = changed("configuration", (one) => ({ ...one, dependsOn: [] }));

/** Another file among those committed, an object as JSON, which is YAML; or one that is not known yet. */
export const file = (path: string, content: object | string | undefined): Change =>
  changed("files", (one) => {
    const files = { ...(one.inputs?.["files"] as Tree) };
    files[path] = typeof content === "object" ? JSON.stringify(content) : content;
    if (content === undefined) delete files[path];
    return { ...one, inputs: { ...one.inputs, files } };
  });

export const unknownFile = file("flux/new.yaml", unknown);
