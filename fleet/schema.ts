import { z } from "zod";
import { installFields } from "./schema/install.ts";
import { limits } from "./schema/limits.ts";
import { agentsModes, platforms } from "./model.ts";
import { rules } from "./rules.ts";
import { alert } from "./schema/alert.ts";
import { bootstrap } from "./schema/bootstrap.ts";
import { must, part } from "./schema/fields.ts";
import { arc, cluster, fluxVersion, group, lockdown, stage } from "./schema/layer.ts";
import { removed } from "./schema/removal.ts";
import { repository } from "./schema/repository.ts";
import { recipient, secret } from "./schema/secrets.ts";
import { defaultFields, setFields } from "./schema/set.ts";
import { source } from "./schema/source.ts";
import { tenant } from "./schema/tenant.ts";
import { freeze, window, windowJobs } from "./schema/window.ts";
import { layoutFolder, named, text } from "./values.ts";

/*
 * The one description of the fleet file: its types, the checks of single values, and the JSON Schema for editors.
 * What needs more than one value (names that must exist, folders that must differ) is in checks/.
 */

/** What an included file may hold as well. */
export const includable = {
  sources: named(rules.sourceName, source)
    .default({})
    .meta({
      description: "Where sets may take their manifests from, besides the fleet's own repository.",
      examples: [{ infrastructure: { kind: "GitRepository", url: "self", ref: { tag: "v1.4.0" } } }],
    }),
  windows: named(rules.windowName, window)
    .default({})
    .meta({
      description: "Maintenance windows.",
      examples: [{ nightly: { open: "0 1 * * *", close: "0 4 * * *" } }],
    }),
  freezes: named(rules.layerName, freeze)
    .default({})
    .meta({
      description: "Times without changes.",
      examples: [{ xmas: { from: "2026-12-18", until: "2027-01-06", reason: "Christmas trade" } }],
    }),
  alerts: named(rules.alertName, alert).default({}).meta({ description: "Notifications." }),
  tenants: named(rules.tenantName, tenant)
    .default({})
    .meta({
      description: "Teams that work in namespaces of their own; a set is a tenant's by `tenant`.",
      examples: [{ pizza: { namespaces: ["pizza"], sources: ["pizza"] } }],
    }),
  secrets: named(rules.sourceName, secret)
    .default({})
    .meta({
      description: "Secrets of the clusters: where their values come from, and how they get there.",
      examples: [{ "till-api": { match: { kind: "store" }, keys: { token: { config: "till-token" } } } }],
    }),
  sets: named(rules.setName, setFields)
    .default({})
    .meta({
      description: "Shared sets, which stages, groups and clusters take by name.",
      examples: [{ infrastructure: { path: "./infrastructure" } }],
    }),
  stages: named(rules.layerName, stage)
    .default({})
    .meta({ description: "Stages, such as dev, test and prod." }),
  groups: named(rules.layerName, group)
    .default({})
    .meta({ description: "What clusters with some labels have in common; the later group wins." }),
  clusters: must(named(rules.clusterName, cluster), "The edge clusters, by name."),
  removed,
};
export const includableKeys = Object.keys(includable) as readonly (keyof typeof includable)[];

export const fleetFileSchema = z.strictObject({
  apiVersion: z.literal("arcflux/v1").meta({ description: "Version of this format." }),
  include: part(
    z.array(z.string().min(1)),
    "More files, relative to this one, with clusters, groups, sets and the like; * and ** stand for names.",
    ["stores/*.yaml"],
  ),
  repository: repository.meta({ description: "The GitOps repository." }),
  config: text(rules.configName)
    .default("edge-config")
    .meta({ description: "Name of the Flux configuration and of its GitRepository." }),
  platform: part(
    z.enum(platforms),
    "arc: through Azure. kubernetes: Flux runs there, and there is no Azure. none: no Flux; only `arcflux apply` takes the cluster.",
  ),
  agents: part(
    z.enum(agentsModes),
    "install: connect clusters to Azure Arc. present: they are connected already. Default: install.",
  ),
  adopt: part(
    z.boolean(),
    "Whether Flux that Azure has already on clusters with agents: present is taken over. Default: false.",
  ),
  flux: z
    .strictObject({ version: fluxVersion.default("2.7"), lockdown: lockdown.default(true), ...installFields })
    .prefault({})
    .meta({ description: "What the clusters run." }),
  windowJobs: part(windowJobs, "What the jobs of windows need to run."),
  layout: z
    .strictObject({
      cluster: layoutFolder()
        .default("clusters/{cluster}")
        .meta({
          description:
            "Folder of a cluster, from the root of the repository; {cluster} and its attributes may be used.",
          examples: ["clusters/{environment}/{slot}"],
        }),
      flux: layoutFolder([])
        .default("flux")
        .meta({ description: "Folder of generated Flux objects below it; . for the cluster folder itself." }),
      sets: layoutFolder([])
        .default("sets")
        .meta({ description: "Folder below it that holds the manifests of the cluster's own sets." }),
      apps: layoutFolder(["app"])
        .default("apps/{app}")
        .meta({ description: "Folder of an app, from the root of the repository; {app} is its name." }),
    })
    .prefault({})
    .meta({ description: "Folders of the repository." }),
  bootstrap: bootstrap.prefault({}).meta({ description: "The one Kustomization Azure knows." }),
  arc: arc.prefault({}).meta({
    description: "Azure's part; every cluster needs resourceGroup and location, from here or its own `arc`.",
  }),
  defaults: defaultFields.prefault({}).meta({ description: "Of every set." }),
  limits: part(limits, "What may happen at once."),
  recipients: z.array(recipient()).default([]).meta({
    description:
      "Public keys of age that can read every encrypted file too, such as that of an emergency key.",
  }),
  ignore: z
    .array(z.string().min(1))
    .default([])
    .meta({
      description:
        "Judgements whose warnings are not to be heard; their names stand in brackets behind them.",
      examples: [["release-version"]],
    }),
  ...includable,
});

/** A fleet file, those it includes among it, with its defaults filled in. */
export type FleetFile = z.output<typeof fleetFileSchema>;

/** The JSON Schema that editors read, as text. It takes a fleet file, and a file that one includes. */
export function fleetJsonSchema(): string {
  const { $schema, required, ...schema } = z.toJSONSchema(fleetFileSchema, { io: "input" });
  const always = (required ?? []).filter((key) => key !== "clusters");
  const whole = {
    $schema,
    $id: "https://unpkg.com/arcflux/fleet.schema.json",
    ...schema,
    anyOf: [
      { required: [...always, "clusters"] },
      // Clusters may all be in files of their own.
      { required: [...always, "include"] },
      { propertyNames: { enum: ["apiVersion", ...includableKeys] } },
    ],
    title: "Arcflux fleet file",
  };
  return `${JSON.stringify(whole, null, 2)}\n`;
}
