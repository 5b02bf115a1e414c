import { z } from "zod";
import { fluxMinors } from "../../values/fluxVersions.ts";
import { agentsModes, approvals, lifecycles, platforms, roles } from "../model.ts";
import { rules } from "../rules.ts";
import { duration, faultless, folderPath, named, text } from "../values.ts";
import { branchFault } from "../../values/branch.ts";
import { matchLabels } from "./alert.ts";
import { app } from "./app.ts";
import { connectionFields } from "./connection.ts";
import { interval, layerBootstrap } from "./bootstrap.ts";
import { device } from "./device.ts";
import { extension } from "./extension.ts";
import { field, must, part, share, sourceText } from "./fields.ts";
import { installFields } from "./install.ts";
import { ring } from "./ring.ts";
import { credentialFields } from "./credentials.ts";
import { recipient } from "./secrets.ts";
import { labels, layerDefaults, setFields } from "./set.ts";
import { pin } from "./source.ts";
import { suspension } from "./suspension.ts";
import { windowJobs } from "./window.ts";

/* What stages, groups and clusters hold: the same keys, of which the later layer wins. */

export const arc = z
  .strictObject({
    subscription: part(
      text(rules.guid),
      "Azure subscription, which cannot be changed or added later. Default: that of the login.",
    ),
    resourceGroup: part(text(rules.resourceGroup), "Azure resource group, which exists.", "rg-edge"),
    location: part(text(rules.location), "Azure region.", "westeurope"),
    tags: part(named(rules.tagKey, text(rules.tagValue)), "Azure tags; merged key by key."),
    extension: part(extension, "Settings of Azure's Flux extension; merged key by key."),
    ...connectionFields,
  })
  .meta({ id: "arc" });

/** Of one cluster alone: two cannot have one name. */
const clusterArc = arc
  .extend({
    name: part(
      text(rules.clusterName),
      "Name of the connected cluster in Azure, which cannot be changed. Defaults to `formerly`, then to the cluster's own.",
      "edge-0",
    ),
  })
  .meta({ id: "clusterArc" });

export const fluxVersion = z.enum(fluxMinors).meta({
  type: undefined,
  enum: [...fluxMinors, ...fluxMinors.map(Number)],
  description: "Version of Flux on the clusters; decides which fields exist.",
});

export const lockdown = z
  .boolean()
  .meta({ description: "Whether Flux runs with multi-tenancy lockdown, as Azure's extension does." });

const kubeconfig = z
  .strictObject({
    context: part(text(rules.kubeContext, { echo: false }), "A context of your kubeconfig."),
    config: part(
      text(rules.stackConfigKey, { echo: false }),
      "Key of a stack config secret that holds a kubeconfig.",
    ),
  })
  .refine(({ context, config }) => (context === undefined) !== (config === undefined), {
    error: "has neither or both; write one of context and config",
  })
  .meta({ id: "kubeconfig", minProperties: 1, maxProperties: 1 });

const layerFields = {
  variables: part(
    named(rules.variableName, sourceText("a variable")),
    "Replaces ${name} in the manifests of every set. Kept as written: 0042 stays 0042.",
    { site_code: "0042" },
  ),
  sets: part(
    named(rules.setName, setFields.nullable()),
    "Sets: {} takes the shared set of that name, fields are merged over it, null opts out.",
  ),
  pins: part(z.record(z.string(), pin), "Takes the place of the ref of a source, by its key in `sources`.", {
    infrastructure: { tag: "v1.4.0" },
  }),
  apps: part(
    named(rules.appName, app.nullable()),
    "Apps of the fleet that are taken, by name, with what is customised; null opts out.",
    { podinfo: {} },
  ),
  defaults: part(layerDefaults, "What differs from the fleet's `defaults`."),
  arc: part(arc, "What differs from the fleet's `arc`."),
  flux: part(
    z.strictObject({ version: fluxVersion.optional(), lockdown: lockdown.optional(), ...installFields }),
    "What differs from the fleet's `flux`.",
  ),
  bootstrap: part(layerBootstrap, "What differs from the fleet's `bootstrap`."),
  repository: part(
    z.strictObject({
      interval: part(interval, "How often the repository is fetched; whole seconds."),
      ...credentialFields,
    }),
    "What differs from the fleet's `repository`.",
  ),
  suspend: field(
    suspension,
    "Stops all that would reach the clusters: bootstrap, the fleet's repository and every other source. null lifts an inherited one.",
    { reason: "INC-4711", until: "2026-12-24" },
  ),
  idle: part(
    z.boolean(),
    "Whether what its sets run is stopped: Deployments and StatefulSets have no replicas, CronJobs are suspended, and so in HelmReleases. A set that says `idle` itself is the exception. Default: false.",
  ),
  windowJobs: part(windowJobs, "What differs from the fleet's `windowJobs`."),
  platform: part(
    z.enum(platforms),
    "arc: through Azure. kubernetes: Flux runs there, and there is no Azure. none: no Flux; only `arcflux apply` takes the cluster.",
  ),
  agents: part(
    z.enum(agentsModes),
    "install: connect the cluster to Azure Arc. present: it is connected already.",
  ),
  adopt: part(
    z.boolean(),
    "Whether Flux that Azure has already on clusters with agents: present is taken over. May stay for good.",
  ),
  kubeconfig: part(
    kubeconfig,
    "Where the credentials of the cluster come from; {cluster} and attributes may stand in it.",
  ),
};

export const stage = z
  .strictObject({
    branch: part(
      faultless(branchFault),
      "Branch that its clusters follow. Default: repository.branch.",
      "prod",
    ),
    after: part(z.string(), "Stage that a change goes through before."),
    ready: part(
      z.strictObject({
        share: part(share, "How many of its clusters must be ready. Default: 95%.", "95%"),
        failing: part(z.int().min(0), "How many of its clusters may fail. Default: 0.", 0),
      }),
      "When its clusters count as ready, since of many some are always away.",
    ),
    soak: part(
      duration(),
      "How long the stage before must have had a commit before it is promoted to this one. Default: not at all.",
      "24h",
    ),
    checks: part(
      z.array(z.string().trim().min(1, { error: "is empty; write the name of a check" })),
      "Commit statuses that the host must show as passed on a commit before it is promoted to this stage.",
      ["security-scan"],
    ),
    approval: part(
      z.enum(approvals),
      "pullRequest: a promotion to this stage opens a pull request and waits for its merge. Default: none.",
    ),
    production: part(
      z.boolean(),
      "Whether a change that reaches it needs a word before: arcflux impact ends with exit code 3. Default: false.",
    ),
    mayDiffer: part(
      z.array(z.string().min(1, { error: "is empty; write a field, such as sets.pos.interval" })),
      "Fields of this stage that may differ from those of the stage before, though promotion keeps definitions alike.",
      ["sets.pos.interval"],
    ),
    rings: part(
      z.array(ring),
      "Parts of the stage that a change reaches one after the other; each cluster is in one.",
    ),
    ...layerFields,
  })
  .meta({ id: "stage" });

export const group = z
  .strictObject({
    match: must(matchLabels, "Labels that a cluster must have, all of them; stage is the one of its stage.", {
      kind: "store",
    }),
    ...layerFields,
  })
  .meta({ id: "group" });

export const cluster = z
  .strictObject({
    stage: part(z.string(), "A key of `stages`."),
    formerly: part(
      text(rules.clusterName),
      "Name that the cluster had before: it keeps its folder, its resources and its name in Azure. May stay for good.",
      "edge-0",
    ),
    labels: part(labels, "Labels that groups, alerts and stack config `arcflux:clusters` match.", {
      kind: "store",
    }),
    attributes: part(
      named(
        rules.attributeName,
        sourceText("an attribute", {
          pattern: /^[A-Za-z0-9]([-_.A-Za-z0-9]*[A-Za-z0-9])?(\/[A-Za-z0-9]([-_.A-Za-z0-9]*[A-Za-z0-9])?)*$/,
          allowed:
            "an attribute has letters, digits, -, _ and ., a letter or digit first and last; parts of it may stand between /",
        }),
      ),
      "Values for the folders of `layout` and for `timeZone` of windows.",
      { environment: "staging", slot: "blue" },
    ),
    folder: part(
      folderPath(),
      "Its folder, from the root of the repository, where `layout.cluster` does not say it. A running cluster moves by it.",
      "clusters/tmp-mgmt",
    ),
    role: part(
      z.enum(roles),
      "management: Cluster API runs there and makes clusters. workload: a management cluster makes it. Default: workload with managedBy.",
    ),
    managedBy: part(
      text(rules.clusterName),
      "The management cluster that makes it and brings Flux to it by a pack (`arcflux pack`); itself where it manages itself. An update then writes files alone.",
      "mgmt",
    ),
    lifecycle: part(
      z.enum(lifecycles),
      "retired: the next update takes its protection off, so that it can be dropped after. lost: the same for hardware that is gone, which is asked nothing. Default: active.",
    ),
    recipient: part(
      recipient(),
      "Public key of age of the cluster, whose private key is on the cluster alone. Written by `arcflux secrets bootstrap`.",
    ),
    hardware: part(
      z.int().min(1, { error: "is less than 1; count the devices of this name, the first being 1" }),
      "Which device of this name it is. A higher number connects a replaced device anew under the same name; its files stay. Default: 1.",
      2,
    ),
    device: part(
      device,
      "Makes a simulated edge device, a virtual machine with k3s in a resource group of its own, and connects it. It costs money while it is there.",
      { address: "203.0.113.7/32" },
    ),
    ...layerFields,
    arc: part(clusterArc, "What differs from the fleet's `arc`, and the name in Azure."),
  })
  .meta({ id: "cluster" });

export type StageEntry = z.output<typeof stage>;
export type ClusterEntry = z.output<typeof cluster>;
/** What the three have in common. */
export type LayerEntry = Pick<ClusterEntry, keyof typeof layerFields>;
