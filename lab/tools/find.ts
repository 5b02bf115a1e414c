import { existsSync } from "node:fs";
import path from "node:path";
import { readJson } from "../atomicFile.ts";
import { asObject } from "../azure/json.ts";
import { type ClusterTools, clusterToolsIn, type Controller } from "../cluster/clusterTools.ts";

/**
 * The programs of a real Kubernetes API with Flux: those of the folder ARCFLUX_CLUSTER_TOOLS, else as `npm run setup -- --cluster` noted them in
 * `node_modules/.arcflux/tools.json`. Throws, with that command, when one is missing.
 */
export function findClusterTools(root: string, env: NodeJS.ProcessEnv): ClusterTools {
  const folder = env["ARCFLUX_CLUSTER_TOOLS"];
  if (folder !== undefined && folder !== "") return clusterToolsIn(path.resolve(folder));
  const noted = asObject(
    asObject(readJson(path.join(root, "node_modules", ".arcflux", "tools.json")))["cluster"],
  );
  const missing: string[] = [];
  const program = (key: string): string => {
    const place = noted[key];
    if (typeof place === "string" && existsSync(place)) return place;
    missing.push(typeof place === "string" ? place : key);
    return "";
  };
  const controller = (key: string): Controller => {
    const place = program(key);
    return { program: place, crds: path.join(path.dirname(place), "crds") };
  };
  const tools = {
    etcd: program("etcd"),
    kubeApiserver: program("kubeApiserver"),
    kubeControllerManager: program("kubeControllerManager"),
    kubectl: program("kubectl"),
    sourceController: controller("sourceController"),
    kustomizeController: {
      newest: controller("kustomizeController"),
      azure: controller("kustomizeControllerOfAzure"),
    },
    kubernetesProvider: program("kubernetesProvider"),
  };
  if (missing.length === 0) return tools;
  throw new Error(
    `A lab with a real Kubernetes API needs programs that are not there: ${missing.join(", ")}. Run \`npm run setup -- --cluster\` in the clone; it brings them.`,
  );
}
