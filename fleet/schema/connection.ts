import { z } from "zod";
import { absolutePathFault } from "../../values/absolutePath.ts";
import { proxyUrlFault } from "../../values/proxyUrl.ts";
import type { Rule } from "../rules.ts";
import { duration, faultless, text } from "../values.ts";
import { part, word } from "./fields.ts";

/* How clusters are connected to Azure Arc: fields of `arc`. */

/** What Azure calls them; the agents tell it themselves where nothing is said. */
const distributions = [
  ...["generic", "openshift", "rancher_rke", "kind", "k3s", "minikube", "gke", "eks", "aks"],
  ...["aks_management", "aks_workload", "capz", "aks_engine", "tkg", "aks_edge_k3s", "aks_edge_k8s"],
] as const;
const infrastructures = [
  ...["generic", "azure", "aws", "gcp", "azure_stack_hci", "azure_stack_hub", "azure_stack_edge"],
  ...["vsphere", "windows_server"],
] as const;

const guid: Rule = {
  pattern: /^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/,
  allowed: "write an id of Microsoft Entra, such as 34e09817-6cbe-4d01-b1a2-e0eac5743d41",
};
const privateLinkScope: Rule = {
  pattern:
    /^\/subscriptions\/[^/]+\/resourceGroups\/[^/]+\/providers\/Microsoft\.HybridCompute\/privateLinkScopes\/[^/]+$/i,
  allowed:
    "write the id of a private link scope: /subscriptions/…/providers/Microsoft.HybridCompute/privateLinkScopes/NAME",
};
const chartVersion: Rule = {
  pattern: /^\d+\.\d+\.\d+([-+][0-9A-Za-z.+-]+)?$/,
  allowed: "write a version of the agents, such as 1.36.1",
};

const proxyUrl = () => faultless(proxyUrlFault, { echo: false });

const proxy = z.strictObject({
  http: part(proxyUrl(), "For http.", "http://proxy.plant.example:3128"),
  https: part(proxyUrl(), "For https.", "http://proxy.plant.example:3128"),
  skip: part(
    word(),
    "Hosts and networks without it. Add the cluster's own service network.",
    "10.0.0.0/8,.svc",
  ),
  caFile: part(faultless(absolutePathFault), "File of the authorities (PEM) that the proxy signs with."),
});

const chart = z
  .strictObject({
    version: part(
      text(chartVersion),
      "Version of the agents. Default: the one that Arcflux was tried with.",
      "1.36.1",
    ),
    autoUpgrade: part(
      z.boolean(),
      "Whether the agents upgrade themselves, so that no version is kept. Default: false.",
    ),
    timeout: part(duration({ least: 60, whole: true }), "How long they may take to come up. Default: 15m."),
    values: part(
      z.record(z.string(), z.unknown()),
      "More Helm values of the agents' chart, over Arcflux's own.",
    ),
  })
  .refine(({ version, autoUpgrade }) => version === undefined || autoUpgrade !== true, {
    error: "has a version and autoUpgrade: true, which would leave it; keep one of them",
  });

export const connectionFields = {
  distribution: part(z.enum(distributions), "Distribution of Kubernetes. Default: generic.", "k3s"),
  infrastructure: part(z.enum(infrastructures), "What it runs on. Default: generic.", "vsphere"),
  privateLinkScope: part(
    text(privateLinkScope),
    "Azure id of the private link scope that the agents go through.",
  ),
  azureRbac: part(
    z.strictObject({
      adminGroups: part(z.array(text(guid)), "Groups of Microsoft Entra that are cluster-admin."),
      tenantId: part(text(guid), "Tenant of these groups."),
    }),
    "Lets roles of Azure decide who may do what on the cluster.",
  ),
  proxy: part(proxy, "Proxy that the agents go through; merged field by field."),
  chart: part(chart, "Helm chart of the agents; merged field by field."),
};
