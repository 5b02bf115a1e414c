import { rmSync } from "node:fs";
import path from "node:path";
import { readJson, writeJsonAtomic } from "../atomicFile.ts";
import type { Json } from "../azure/json.ts";
import { asObject } from "../azure/json.ts";
import { AgentConnection } from "../azure/agent/agentConnection.ts";
import { readHelmChart } from "./helmChart.ts";
import { kubeconfigContext } from "./kubeconfigContext.ts";
import { redactValues } from "./redactValues.ts";
import { noteSecret, refuseExisting, secretFaults, secretId, secretType } from "./secretObject.ts";
import { releaseFaults, releaseType } from "./releaseFaults.ts";
import type { Outcome, ResourceCall, StandIn } from "./standIn.ts";
import type { ValuePath } from "./values.ts";
import { isUnplugged } from "../unplugged.ts";
import { unknownValue } from "./values.ts";

/**
 * The kubernetes provider without a cluster: Helm releases and Secrets are checked and noted in
 * `DIR/kubernetes/<context>/<namespace>/<name>.json`, Secrets without their values and with `secret.` before the name. One process serves the providers of all clusters; a call belongs
 * to the one that configured its connection.
 */
export function kubernetesStandIn(dir: string, armUrl?: string): StandIn {
  const contexts = new Map<string, string>();
  const skipping = new Set<string>();

  const refuseUnplugged = (call: ResourceCall): void => {
    const context = contexts.get(call.peer) ?? "";
    if (isUnplugged(dir, context))
      throw new Error(`configured Kubernetes cluster is unreachable: ${context} is in unplugged.json`);
  };

  const fileOf = (call: ResourceCall, id: string): string => {
    const context = contexts.get(call.peer);
    if (context === undefined) throw new Error("The connection was not configured. Run the command again.");
    const [namespace = "default", name = ""] = id.split("/");
    const file = call.type === secretType ? `secret.${name}.json` : `${name}.json`;
    return path.join(dir, "kubernetes", encodeURIComponent(context), namespace, file);
  };

  const install = (call: ResourceCall, id: string, inputs: Json, secrets: readonly ValuePath[]): Outcome => {
    const file = fileOf(call, id);
    const [namespace = "", name = ""] = id.split("/");
    const chart = readHelmChart(String(inputs["chart"]));
    const revision = Number(asObject(readJson(file))["revision"] ?? 0) + 1;
    const status = {
      name,
      namespace,
      revision,
      status: "deployed",
      chart: chart.name,
      version: chart.version,
    };
    const places = secrets.filter((place) => place[0] === "values").map((place) => place.slice(1));
    writeJsonAtomic(file, {
      ...status,
      appVersion: chart.appVersion,
      chartPath: inputs["chart"],
      createNamespace: inputs["createNamespace"] === true,
      values: redactValues(asObject(inputs["values"]), places),
    });
    return {
      id,
      outputs: {
        ...inputs,
        name,
        namespace,
        status: { ...status, appVersion: chart.appVersion },
        resourceNames: {},
      },
    };
  };

  return {
    package: "kubernetes",
    version: "4.34.2",
    faultNames: (call, inputs) => [
      contexts.get(call.peer) ?? "",
      typeof inputs["name"] === "string" ? inputs["name"] : "",
    ],

    checkConfig(config) {
      try {
        kubeconfigContext(config);
        return { inputs: config, failures: [] };
      } catch (error) {
        return { inputs: config, failures: [{ property: "", reason: (error as Error).message }] };
      }
    },

    // As the real provider documents it: with an identifier, only another identifier is another cluster.
    configReplacement: (before, after) =>
      before["clusterIdentifier"] !== undefined && before["clusterIdentifier"] === after["clusterIdentifier"]
        ? []
        : ["clusterIdentifier", "kubeconfig", "context"]
            .filter((key) => before[key] !== after[key])
            .filter(() => safeContext(before) !== safeContext(after)),

    configure(peer, config) {
      contexts.set(peer, kubeconfigContext(config));
      if (String(config["skipUpdateUnreachable"]) === "true") skipping.add(peer);
      else skipping.delete(peer);
    },

    check(call, inputs, old, randomSeed) {
      if (call.type === secretType)
        return { inputs: { apiVersion: "v1", kind: "Secret", ...inputs }, failures: secretFaults(inputs) };
      const suffix = Buffer.from(randomSeed).toString("hex").slice(0, 8);
      const named = { ...inputs, name: inputs["name"] ?? old["name"] ?? `${call.name}-${suffix}` };
      return { inputs: { namespace: "default", ...named }, failures: releaseFaults(call.type, named) };
    },

    replacement(call, before, after, changed) {
      if (call.type === secretType)
        return { keys: secretId(before) === secretId(after) ? [] : ["metadata"], deleteFirst: false };
      const keys = ["name", "namespace"].filter((key) => changed.has(key));
      return { keys, deleteFirst: false };
    },

    previewCreate: (call, inputs) =>
      call.type === secretType ? inputs : { ...inputs, status: unknownValue, resourceNames: unknownValue },

    async create(call, inputs, secrets) {
      refuseUnplugged(call);
      if (call.type === secretType) {
        const file = fileOf(call, secretId(inputs));
        refuseExisting(file, secretId(inputs));
        return noteSecret(file, secretId(inputs), inputs, secrets);
      }
      const id = `${String(inputs["namespace"])}/${String(inputs["name"])}`;
      if (readJson(fileOf(call, id)) !== undefined)
        throw new Error("cannot re-use a name that is still in use");
      const outcome = install(call, id, inputs, secrets);
      await runAgents(armUrl, inputs);
      return outcome;
    },

    previewUpdate: (_call, inputs, outputs) => ({ ...outputs, ...inputs }),
    async update(call, id, inputs, secrets) {
      refuseUnplugged(call);
      if (call.type === secretType) return noteSecret(fileOf(call, id), id, inputs, secrets);
      // As Helm does: an upgrade needs a release, and there is none on another device.
      if (call.type === releaseType && readJson(fileOf(call, id)) === undefined)
        throw new Error(`"${id.split("/")[1] ?? ""}" has no deployed releases`);
      const outcome = install(call, id, inputs, secrets);
      await runAgents(armUrl, inputs);
      return outcome;
    },

    read(call, id, inputs, outputs) {
      // As the real provider does: the last known state, where it was told so.
      if (skipping.has(call.peer) && isUnplugged(dir, contexts.get(call.peer) ?? ""))
        return { id, inputs, outputs };
      refuseUnplugged(call);
      const isKept = call.type === releaseType || call.type === secretType;
      if (!isKept || readJson(fileOf(call, id)) === undefined) return undefined;
      return { id, inputs, outputs };
    },

    delete(call, id) {
      refuseUnplugged(call);
      if (call.type === releaseType && readJson(fileOf(call, id)) === undefined)
        throw new Error(`uninstall: Release not loaded: ${id.split("/")[1] ?? ""}: release: not found`);
      rmSync(fileOf(call, id), { force: true });
    },

    invoke(token) {
      throw new Error(`The lab has no function ${token}.`);
    },
  };
}

/** What the agents of a release do at once: they tell Azure that they hold its key. Those of another key never connect. */
async function runAgents(armUrl: string | undefined, inputs: Json): Promise<void> {
  if (armUrl === undefined || inputs["name"] !== "azure-arc") return;
  const values = asObject(asObject(inputs["values"])["global"]);
  const text = (key: string): string => (typeof values[key] === "string" ? values[key] : "");
  await AgentConnection.pretend(armUrl, {
    subscriptionId: text("subscriptionId"),
    resourceGroupName: text("resourceGroupName"),
    resourceName: text("resourceName"),
    onboardingPrivateKey: text("onboardingPrivateKey"),
    agentVersion: "1.36.1",
  }).catch(() => undefined);
}

function safeContext(config: Json): string | undefined {
  try {
    return kubeconfigContext(config);
  } catch {
    return undefined;
  }
}
