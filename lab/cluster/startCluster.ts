import { existsSync, readFileSync, truncateSync } from "node:fs";
import path from "node:path";
import { cleanEnvironment } from "../environment.ts";
import { applyCrds } from "./applyCrds.ts";
import { ClusterApi } from "./clusterApi.ts";
import type { ClusterFiles } from "./clusterFiles.ts";
import { makeClusterFiles, processesNote, removeClusterFiles } from "./clusterFiles.ts";
import type { ClusterPlan, ClusterPrograms } from "./clusterPlan.ts";
import { isClusterName } from "./clusterName.ts";
import { clusterPlan } from "./clusterPlan.ts";
import { fluxCrds } from "./crds.ts";
import { freePorts } from "./freePorts.ts";
import { Guarded } from "./guarded.ts";
import { writeKubeconfig } from "./kubeconfig.ts";
import { endLeftovers } from "./leftovers.ts";
import { ProcessDeath } from "./processDeath.ts";
import { waitUntil } from "./waitUntil.ts";

/** Where Flux and its objects are. */
export const fluxNamespace = "flux-system";

export interface ClusterOptions {
  /** Folder of the cluster's own; emptied first. */
  readonly dir: string;
  /** Also that of its context. A DNS label, such as `edge-device-0`. */
  readonly name: string;
  readonly tools: Omit<ClusterPrograms, "kustomizeController" | "lockdown">;
  readonly kustomizeController: ClusterPrograms["kustomizeController"];
  /**
   * With it a Kustomization without service account runs as `flux-applier` of its namespace, which somebody must have
   * made, and takes sources of its own namespace only. Defaults to false.
   */
  readonly lockdown?: boolean;
  /** Whether it comes with Flux; without, `startFlux` starts the controllers once somebody has installed its kinds. Defaults to true. */
  readonly flux?: boolean;
  /** Gets a line for what the user should know. Defaults to nothing. */
  readonly log?: (line: string) => void;
  /** Environment of the processes. Defaults to that of this one; what would lead out of the lab is removed. */
  readonly env?: NodeJS.ProcessEnv;
}

/** A running Kubernetes API with Flux. There are no nodes: Pods never run. */
export interface Cluster {
  readonly name: string;
  readonly dir: string;
  /** Path of a kubeconfig with one context. Its user may do everything. */
  readonly kubeconfig: string;
  /** The name of that context: the cluster's. */
  readonly context: string;
  /** `https://127.0.0.1:PORT`. */
  readonly server: string;
  readonly api: ClusterApi;
  /** Process ids by program. */
  readonly pids: Readonly<Record<string, number>>;
  /** Starts Flux's controllers, on a cluster that came without; resolves once they are at work. */
  startFlux(): Promise<void>;
  /** Set when one of its processes has ended by itself, with the end of its log. */
  failure(): Error | undefined;
  /** Cuts its power: all processes are killed, and what they have on disk stays. */
  cutPower(): Promise<void>;
  /** Starts it again with what is on its disk; resolves once Flux is at work. */
  boot(): Promise<void>;
  /**
   * Ends the processes and removes the folder; `logs/` in it is kept after a failure, or when asked to. May be called
   * twice.
   */
  stop(options?: { readonly keepLogs?: boolean }): Promise<void>;
}

/**
 * Starts etcd, kube-apiserver, kube-controller-manager and Flux's source-controller and kustomize-controller, with
 * Flux's CRDs and its namespace: ready when they are at work. Whatever an earlier start left in the folder is ended and
 * removed. The processes end with this one, however it ends. Throws with the end of the log of the process that failed;
 * then none is left running, and `logs/` is kept.
 */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const { dir, name, log = () => undefined } = options;
  if (!isClusterName(name)) {
    throw new Error(
      `'${name}' cannot be the name of a cluster: write at most 63 lower-case letters, digits and hyphens, such as edge-device-0.`,
    );
  }
  for (let attempt = 1; ; attempt++) {
    await endLeftovers(processesNote(dir));
    try {
      return await bringUp({ ...options, dir: path.resolve(dir) });
    } catch (error) {
      // Between looking for free ports and listening there, somebody else may be faster.
      if (!(error instanceof ProcessDeath && error.portTaken) || attempt === 5) throw error;
      log(`A port for the cluster ${name} was taken meanwhile; it starts again with others.`);
    }
  }
}

async function bringUp(options: ClusterOptions): Promise<Cluster> {
  const { dir, name, tools, kustomizeController, log = () => undefined } = options;
  const { lockdown = false, flux = true } = options;
  const crds = fluxCrds([tools.sourceController.crds, kustomizeController.crds]);
  const [files, ports] = await Promise.all([makeClusterFiles(dir), freePorts(2)]);
  const [api = 0, artifacts = 0] = ports;
  const env = cleanEnvironment(options.env ?? process.env);
  const plan = clusterPlan(files, { api, artifacts }, { ...tools, kustomizeController, lockdown }, env);
  let guarded = new Guarded(files.processes, env);
  const failure = (): Error | undefined => guarded.death && new ProcessDeath(name, guarded.death);
  try {
    const client = await startBase(name, files, plan, guarded, failure);
    guarded.start(plan.kubernetes);
    let hasFlux = false;
    const startFlux = async (): Promise<void> => {
      hasFlux = true;
      for (const one of plan.flux) guarded.start(one);
      await untilAtWork(plan, failure);
    };
    if (flux) {
      await client.apply({ apiVersion: "v1", kind: "Namespace", metadata: { name: fluxNamespace } });
      await applyCrds(client, crds, failure);
      await startFlux();
    }
    const boot = async (): Promise<void> => {
      guarded = new Guarded(files.processes, env);
      await startBase(name, files, plan, guarded, failure);
      guarded.start(plan.kubernetes);
      // The logs of the last time say that they are at work.
      if (hasFlux) for (const { log } of plan.flux) truncateSync(log);
      if (hasFlux) await startFlux();
    };
    let stopping: Promise<void> | undefined;
    void guarded.died.then(() => stopping === undefined && log(failure()?.message ?? ""));
    const stop = async (keepLogs: boolean): Promise<void> => {
      const failed = guarded.death !== undefined;
      // kube-apiserver would take seconds to end in peace, for data that is thrown away.
      await guarded.stop(500);
      // Those of a guard that was killed itself.
      await endLeftovers(files.processes);
      removeClusterFiles(dir, keepLogs || failed);
    };
    return {
      name,
      dir,
      kubeconfig: files.kubeconfig,
      context: name,
      server: plan.server,
      api: client,
      get pids() {
        return guarded.pids;
      },
      startFlux,
      failure,
      cutPower: () => guarded.stop(0),
      boot,
      stop: ({ keepLogs = false } = {}) => (stopping ??= stop(keepLogs)),
    };
  } catch (error) {
    await guarded.stop(500);
    removeClusterFiles(dir, true);
    throw error;
  }
}

async function startBase(
  name: string,
  files: ClusterFiles,
  plan: ClusterPlan,
  guarded: Guarded,
  failure: () => Error | undefined,
): Promise<ClusterApi> {
  for (const one of plan.base) guarded.start(one);
  // That somebody listens at its port is no sign: it may be another process. Who answers with its certificate is it.
  const ready = async (): Promise<ClusterApi | undefined> => {
    if (!existsSync(files.certificate)) return undefined;
    const certificate = readFileSync(files.certificate, "utf8");
    writeKubeconfig(files.kubeconfig, { name, server: plan.server, certificate, token: files.token });
    const api = new ClusterApi(files.kubeconfig, name);
    await api.request({ path: "/readyz", seconds: 2 });
    return api;
  };
  const what = `kube-apiserver says at ${plan.server} that it is ready`;
  return waitUntil(what, ready, { everyMs: 50, failure });
}

/** The controllers say in their logs when they have begun. */
async function untilAtWork(plan: ClusterPlan, failure: () => Error | undefined): Promise<void> {
  for (const { name, log } of plan.flux) {
    const begun = (): Promise<boolean> =>
      Promise.resolve(readFileSync(log, "utf8").includes("Starting workers"));
    await waitUntil(`${name} begins to work; its log is ${log}`, begun, { everyMs: 50, failure });
  }
}
