import { readFileSync } from "node:fs";
import path from "node:path";
import { cleanEnvironment } from "../environment.ts";
import { applyCrds } from "./applyCrds.ts";
import type { FluxOperator } from "./clusterTools.ts";
import { readCrds } from "./crds.ts";
import { Guarded } from "./guarded.ts";
import { ProcessDeath } from "./processDeath.ts";
import type { Cluster } from "./startCluster.ts";
import { waitUntil } from "./waitUntil.ts";

/** flux-operator at work on a cluster. */
export interface RunningOperator {
  /** Set when it has ended by itself, with the end of its log. */
  failure(): Error | undefined;
  stop(): Promise<void>;
}

/**
 * Starts flux-operator on a cluster of the lab, with its definitions. What it makes of a FluxInstance is real; the Deployments
 * of Flux's controllers among it never run, since there are no nodes: the lab's own controllers do their work. Write
 * `wait: false`. Ready when it is at work.
 */
export async function startFluxOperator(
  { name, dir, kubeconfig, api }: Pick<Cluster, "name" | "dir" | "kubeconfig" | "api">,
  { program, crds, manifests }: FluxOperator,
  env: NodeJS.ProcessEnv = process.env,
): Promise<RunningOperator> {
  await applyCrds(api, readCrds(crds));
  const log = path.join(dir, "logs", "flux-operator.log");
  const guarded = new Guarded(path.join(dir, "flux-operator.json"), cleanEnvironment(env));
  guarded.start({
    ...{ name: "flux-operator", program, cwd: dir, log },
    args: [
      `--storage-path=${manifests}`,
      "--metrics-addr=127.0.0.1:0",
      "--health-addr=127.0.0.1:0",
      "--web-server-port=0",
      "--enable-leader-election=false",
    ],
    env: {
      ...cleanEnvironment(env),
      ...{ KUBECONFIG: kubeconfig, RUNTIME_NAMESPACE: "flux-system", TMPDIR: path.join(dir, "tmp") },
      // It ends at once without.
      GODEBUG: "fips140=on",
    },
  });
  const failure = (): Error | undefined => guarded.death && new ProcessDeath(name, guarded.death);
  const atWork = () =>
    Promise.resolve(/Starting workers[^\n]*fluxinstance"/i.test(readFileSync(log, "utf8")));
  try {
    await waitUntil(`flux-operator begins to work; its log is ${log}`, atWork, { everyMs: 50, failure });
  } catch (error) {
    await guarded.stop(500);
    throw error;
  }
  return { failure, stop: () => guarded.stop(500) };
}
