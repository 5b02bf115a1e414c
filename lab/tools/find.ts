import { existsSync } from "node:fs";
import path from "node:path";
import { readJson } from "../atomicFile.ts";
import { asObject } from "../azure/json.ts";
import {
  type ClusterTools,
  clusterToolsIn,
  type Controller,
  type FluxOperator,
} from "../cluster/clusterTools.ts";

const bring = "Run `npm run setup -- --cluster` in the clone; it brings them.";

/**
 * The programs of a real Kubernetes API with Flux: those of the folder ARCFLUX_CLUSTER_TOOLS, else as
 * `npm run setup -- --cluster` noted them in `node_modules/.arcflux/tools.json`. Throws, with that command, and names all
 * that are missing.
 */
export function findClusterTools(root: string, env: NodeJS.ProcessEnv): ClusterTools {
  const folder = env["ARCFLUX_CLUSTER_TOOLS"];
  if (folder === undefined || folder === "") {
    const { tools, unknown } = notedTools(root);
    return complete(tools, unknown, bring);
  }
  const from = path.resolve(folder);
  return complete(
    clusterToolsIn(from),
    [],
    `They were looked for in ${from}, which ARCFLUX_CLUSTER_TOOLS names. Put them there, or unset it. ${bring}`,
  );
}

/** What set-up noted, with an empty path for each it has no note of: their keys are in `unknown`. */
function notedTools(root: string): { readonly tools: ClusterTools; readonly unknown: readonly string[] } {
  const file = path.join(root, "node_modules", ".arcflux", "tools.json");
  const noted = asObject(asObject(readJson(file))["cluster"]);
  const unknown: string[] = [];
  const program = (key: string): string => {
    const place = noted[key];
    if (typeof place === "string") return place;
    unknown.push(key);
    return "";
  };
  const controller = (key: string): Controller => {
    const place = program(key);
    return { program: place, crds: place === "" ? "" : path.join(path.dirname(place), "crds") };
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
    ...(typeof noted["clusterApi"] === "string" && { clusterApi: controller("clusterApi") }),
    ...(typeof noted["fluxOperator"] === "string" && { fluxOperator: operatorAt(noted["fluxOperator"]) }),
  };
  return { tools, unknown };
}

function operatorAt(program: string): FluxOperator {
  const folder = path.dirname(program);
  return { program, crds: path.join(folder, "crds"), manifests: path.join(folder, "data") };
}

function complete(tools: ClusterTools, unknown: readonly string[], next: string): ClusterTools {
  const { sourceController, kustomizeController, clusterApi, fluxOperator, ...programs } = tools;
  const flux = [sourceController, kustomizeController.newest, kustomizeController.azure];
  const controllers = [...flux, clusterApi ?? [], fluxOperator ?? []].flat();
  const places = [
    ...Object.values(programs),
    ...controllers.flatMap(({ program, crds }) => [program, crds]),
    ...(fluxOperator === undefined ? [] : [fluxOperator.manifests]),
  ];
  const missing = [...unknown, ...places.filter((place) => place !== "" && !existsSync(place))];
  if (missing.length === 0) return tools;
  throw new Error(
    `A lab with a real Kubernetes API needs programs that are not there: ${missing.join(", ")}. ${next}`,
  );
}
