import { z } from "zod";
import { branchFault } from "./branchName.ts";
import type { Path } from "./finding.ts";
import { accessKinds, agentsModes } from "./model.ts";
import { urlFault } from "./repositoryUrl.ts";
import { rules } from "./rules.ts";
import { show } from "./show.ts";
import { duration, faultless, folderPath, layoutFolder, named, text } from "./values.ts";

/*
 * The one description of the fleet file: its types, the checks of single values, and the JSON Schema for editors.
 * What needs more than one value (names that must exist, folders that must differ) is in checks/.
 */

/** Versions of Flux whose API is known here. */
export const fluxVersions = ["2.7", "2.8", "2.9", "2.10"] as const;

/** Values that are text from the source whatever they look like: variables, and `2.10`, which is no number. */
const textPaths = ["clusters.*.variables.*", "flux.version", "clusters.*.flux.version"].map((path) =>
  path.split("."),
);

export function isText(path: Path): boolean {
  return textPaths.some(
    (text) =>
      text.length === path.length && text.every((part, index) => part === "*" || part === path[index]),
  );
}

const labels = named(rules.labelKey, text(rules.labelValue));
const annotations = named(rules.labelKey, z.string());

/** Timing that a set and `defaults` share. Each default of Arcflux is written once, in `defaults` below. */
const timing = {
  interval: duration({ least: 60 }).meta({
    description: "How often Flux compares the cluster with Git.",
    examples: ["10m"],
  }),
  retryInterval: duration().meta({
    description: "How soon Flux tries again after a failure.",
    examples: ["2m"],
  }),
  timeout: duration().meta({ description: "How long applying and waiting may take.", examples: ["5m"] }),
  prune: z.boolean().meta({ description: "Whether what leaves Git is deleted from the cluster." }),
  wait: z.boolean().meta({ description: "Whether the set is ready only when all it applied is." }),
};

const shareable = {
  force: z
    .boolean()
    .meta({ description: "Whether an object is made anew when a change to it is refused." })
    .optional(),
  targetNamespace: text(rules.namespace)
    .meta({ description: "Namespace that everything in the set is put in." })
    .optional(),
  labels: labels.meta({ description: "Labels of the Kustomization." }).optional(),
  annotations: annotations.meta({ description: "Annotations of the Kustomization." }).optional(),
};

const optionalTiming = z.object(timing).partial().shape;

const setFields = z.strictObject({
  path: folderPath()
    .meta({
      description:
        "Folder of manifests, from the root of the repository. Default: the set's folder below the cluster's.",
      examples: ["./infrastructure"],
    })
    .optional(),
  dependsOn: z
    .array(z.string())
    .meta({
      description: "Sets of the same cluster that must be ready first.",
      examples: [["infrastructure"]],
    })
    .optional(),
  ...optionalTiming,
  ...shareable,
});

const clusterDefaults = z.strictObject({ ...optionalTiming, ...shareable });

const defaults = z.strictObject({
  interval: timing.interval.default("10m"),
  retryInterval: timing.retryInterval.default("2m"),
  timeout: timing.timeout.default("5m"),
  prune: timing.prune.default(true),
  wait: timing.wait.default(true),
  ...shareable,
});

const arc = z.strictObject({
  resourceGroup: text(rules.resourceGroup)
    .meta({ description: "Azure resource group, which exists.", examples: ["rg-edge"] })
    .optional(),
  location: text(rules.location)
    .meta({ description: "Azure region.", examples: ["westeurope"] })
    .optional(),
  tags: named(rules.tagKey, text(rules.tagValue))
    .meta({ description: "Azure tags; a cluster's are added to the fleet's." })
    .optional(),
});

const fluxVersion = z.enum(fluxVersions).meta({
  type: undefined,
  enum: [...fluxVersions, ...fluxVersions.map(Number)],
  description: "Version of Flux on the clusters; decides which fields exist.",
});
const lockdown = z
  .boolean()
  .meta({ description: "Whether Flux runs with multi-tenancy lockdown, as Azure's extension does." });

const kubeconfig = z
  .strictObject({
    context: text(rules.kubeContext, { echo: false })
      .meta({ description: "A context of your kubeconfig." })
      .optional(),
    config: text(rules.stackConfigKey, { echo: false })
      .meta({ description: "Key of a stack config secret that holds a kubeconfig." })
      .optional(),
  })
  .refine(({ context, config }) => (context === undefined) !== (config === undefined), {
    error: "has neither or both; write one of context and config",
  })
  .meta({
    minProperties: 1,
    maxProperties: 1,
    description: "Where the credentials of the cluster come from, while it is connected to Azure.",
  });

const cluster = z.strictObject({
  labels: labels
    .meta({ description: "Labels that select clusters.", examples: [{ kind: "store" }] })
    .optional(),
  variables: named(
    rules.variableName,
    z
      .string({
        error: ({ input }) =>
          `${show(input)} is not allowed; a variable is text, a number or true or false, "" when empty`,
      })
      .meta({ type: ["string", "number", "boolean"] }),
  )
    .meta({
      description: "Replaces ${name} in the manifests of every set. Kept as written: 0042 stays 0042.",
      examples: [{ site_code: "0042" }],
    })
    .optional(),
  sets: named(rules.setName, setFields.nullable())
    .meta({
      description:
        "Sets of this cluster: {} takes the shared set of that name, fields are merged over it, null opts out.",
    })
    .optional(),
  arc: arc.meta({ description: "What differs from the fleet's `arc`." }).optional(),
  defaults: clusterDefaults.meta({ description: "What differs from the fleet's `defaults`." }).optional(),
  flux: z
    .strictObject({ version: fluxVersion.optional(), lockdown: lockdown.optional() })
    .meta({ description: "What differs from the fleet's `flux`." })
    .optional(),
  kubeconfig: kubeconfig.optional(),
  agents: z
    .enum(agentsModes)
    .default("install")
    .meta({ description: "install: connect the cluster to Azure Arc. present: it is connected already." }),
});

const bootstrapDuration = duration({ least: 1, whole: true });

export const fleetFileSchema = z.strictObject({
  apiVersion: z.literal("arcflux/v1").meta({ description: "Version of this format." }),
  repository: z
    .strictObject({
      url: faultless(urlFault, { echo: false }).meta({
        description: "The GitOps repository that clusters fetch, without credentials.",
        examples: ["https://git.example.com/edge/fleet.git"],
      }),
      branch: faultless(branchFault)
        .default("main")
        .meta({ description: "Branch that generated files are committed to." }),
      access: z
        .enum(accessKinds)
        .default("public")
        .meta({ description: "How clusters read the repository." }),
      commit: z
        .strictObject({
          name: text(rules.commitName).default("Arcflux").meta({ description: "Author's name." }),
          email: text(rules.commitEmail)
            .default("arcflux@localhost.invalid")
            .meta({ description: "Author's address." }),
        })
        .prefault({})
        .meta({ description: "Author of generated commits." }),
    })
    .meta({ description: "The GitOps repository." }),
  config: text(rules.configName)
    .default("edge-config")
    .meta({ description: "Name of the Flux configuration and of its GitRepository." }),
  flux: z
    .strictObject({ version: fluxVersion.default("2.7"), lockdown: lockdown.default(true) })
    .prefault({})
    .meta({ description: "What the clusters run." }),
  layout: z
    .strictObject({
      cluster: layoutFolder(["cluster"])
        .default("clusters/{cluster}")
        .meta({ description: "Folder of a cluster, from the root of the repository." }),
      flux: layoutFolder([])
        .default("flux")
        .meta({ description: "Folder of generated Flux objects below it; . for the cluster folder itself." }),
      sets: layoutFolder([])
        .default("sets")
        .meta({ description: "Folder below it that holds the manifests of the cluster's own sets." }),
    })
    .prefault({})
    .meta({ description: "Folders of the repository." }),
  bootstrap: z
    .strictObject({
      interval: duration({ least: 60, whole: true })
        .default("10m")
        .meta({ description: "How often the flux folder is compared with the cluster; whole seconds." }),
      retryInterval: bootstrapDuration
        .default("2m")
        .meta({ description: "How soon it is tried again after a failure; whole seconds." }),
      timeout: bootstrapDuration
        .default("5m")
        .meta({ description: "How long applying the flux folder may take; whole seconds." }),
      prune: z
        .boolean()
        .default(true)
        .meta({ description: "Whether a set that leaves the fleet file is deleted from the cluster." }),
      wait: z
        .boolean()
        .default(false)
        .meta({ description: "Whether the bootstrap is ready only when every set is." }),
      force: z
        .boolean()
        .default(false)
        .meta({ description: "Whether an object is made anew when a change to it is refused." }),
    })
    .prefault({})
    .meta({ description: "The one Kustomization Azure knows." }),
  arc: arc.prefault({}).meta({
    description: "Azure's part; every cluster needs resourceGroup and location, from here or its own `arc`.",
  }),
  defaults: defaults.prefault({}).meta({ description: "Of every set." }),
  sets: named(rules.setName, setFields)
    .default({})
    .meta({
      description: "Shared sets, which clusters take by name.",
      examples: [{ infrastructure: { path: "./infrastructure" } }],
    }),
  clusters: named(rules.clusterName, cluster).meta({ description: "The edge clusters, by name." }),
});

/** A fleet file with its defaults filled in. */
export type FleetFile = z.output<typeof fleetFileSchema>;
export type ClusterEntry = FleetFile["clusters"][string];
/** Fields of a set as one layer states them. */
export type SetFields = z.output<typeof setFields>;

/** The JSON Schema that editors read, as text. */
export function fleetJsonSchema(): string {
  const schema = z.toJSONSchema(fleetFileSchema, { io: "input" });
  return `${JSON.stringify({ ...schema, title: "Arcflux fleet file" }, null, 2)}\n`;
}
