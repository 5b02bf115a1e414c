import { parse } from "yaml";
import type { Json } from "../azure/json.ts";
import { asObject, isObject } from "../azure/json.ts";
import { isUnknown } from "./values.ts";

/**
 * Which cluster a Kubernetes provider talks to, by its configuration: the given context, else the current one of the
 * given kubeconfig, else `default`. Throws when the kubeconfig is none or lacks the context. A kubeconfig that is a
 * path is not opened: nothing in the lab reaches a real cluster.
 */
export function kubeconfigContext(config: Json): string {
  const { kubeconfig, context } = config;
  const wanted = typeof context === "string" && context !== "" ? context : undefined;
  if (typeof kubeconfig !== "string" || isUnknown(kubeconfig) || !kubeconfig.includes("\n"))
    return wanted ?? "default";
  const parsed = parseKubeconfig(kubeconfig);
  const contexts = Array.isArray(parsed["contexts"]) ? (parsed["contexts"] as unknown[]) : [];
  const names = contexts.map((entry) => asObject(entry)["name"]);
  const current = parsed["current-context"];
  const chosen = wanted ?? (typeof current === "string" ? current : "default");
  if (chosen !== "default" && !names.includes(chosen)) {
    throw new Error(
      `The kubeconfig has no context '${chosen}'. It has ${names.map(String).join(", ") || "none"}.`,
    );
  }
  return chosen;
}

function parseKubeconfig(text: string): Json {
  let parsed: unknown;
  try {
    parsed = parse(text);
  } catch {
    parsed = undefined;
  }
  // The text is not shown: a kubeconfig holds credentials.
  if (!isObject(parsed)) throw new Error("The kubeconfig is not YAML with clusters, contexts and users.");
  return parsed;
}
