import { spawn } from "node:child_process";
import { join } from "node:path";
import { expect } from "vitest";

import { inventoryOf } from "../../adopt/objects.ts";
import { ownerOf as owner } from "../../flux/owner.ts";
import { asObject } from "../../lab/azure/json.ts";
import type { ObjectRef } from "../../lab/cluster/clusterApi.ts";
import { run } from "../../lab/run.ts";
import { type LabStack, projectRoot } from "../../lab/stack.ts";
import { arcflux, type Result } from "../cli/process.ts";
import type { ClusterLab, OnCluster } from "./clusterLab.ts";
import { expectCode } from "./lab.ts";

/** UIDs by object, `Pod default/web-1`: what tells one that was made anew from the one that was there. */
export type Uids = Readonly<Record<string, string | undefined>>;

/**
 * Every object that a Kustomization of the cluster applied, by their inventories, and every Pod; the objects of Flux are
 * none, since they are what changes hands.
 */
export async function workloads({ api }: OnCluster): Promise<Uids> {
  const kustomizations = await api.list("kustomize.toolkit.fluxcd.io/v1", "Kustomization");
  const refs = kustomizations.flatMap(({ status }) => {
    const entries = asObject(asObject(status)["inventory"])["entries"] ?? [];
    return (entries as { id: string; v: string }[]).flatMap(({ id, v }): ObjectRef[] => {
      const [namespace = "", name = "", group = "", kind = ""] = id.split("_");
      if (group.endsWith("toolkit.fluxcd.io")) return [];
      const apiVersion = group === "" ? v : `${group}/${v}`;
      return [{ apiVersion, kind, name, ...(namespace !== "" && { namespace }) }];
    });
  });
  const pods = await api.list("v1", "Pod", { namespace: "default" });
  const podRefs = pods.map(({ metadata: { name } }) => ({
    ...{ apiVersion: "v1", kind: "Pod", namespace: "default", name },
  }));
  return uids({ api }, [...refs, ...podRefs]);
}

/** What a Kustomization of flux-system applied last, by the ids of its inventory, `default_settings__ConfigMap`. */
export async function applied(on: OnCluster, name: string): Promise<string[]> {
  return inventoryOf({ ...(await on.kustomization(name)) }).map(({ id }) => id);
}

/** Name of the Kustomization that applied an object last. */
export async function ownerOf({ api }: OnCluster, ref: ObjectRef): Promise<string | undefined> {
  return owner({ ...(await api.read(ref)) });
}

/** UIDs of these objects; undefined for one that is not there. */
export async function uids({ api }: Pick<OnCluster, "api">, refs: readonly ObjectRef[]): Promise<Uids> {
  const found = await Promise.all(
    refs.map(async (ref) => {
      const { uid } = asObject((await api.read(ref))?.metadata) as { uid?: string };
      return [`${ref.kind} ${ref.namespace ?? ""}/${ref.name}`, uid] as const;
    }),
  );
  return Object.fromEntries(found);
}

/** The same objects again, whoever applies them now. */
export async function again({ api }: OnCluster, before: Uids): Promise<Uids> {
  const versions: Readonly<Record<string, string>> = { Deployment: "apps/v1" };
  const refs = Object.keys(before).map((shown): ObjectRef => {
    const [, kind = "", namespace = "", name = ""] = /^(\S+) ([^/]*)\/(.+)$/.exec(shown) ?? [];
    return {
      ...{ apiVersion: versions[kind] ?? "v1", kind, name },
      ...(namespace !== "" && { namespace }),
    };
  });
  return uids({ api }, refs);
}

/** Runs a command that is killed (SIGKILL) right after its first write, to the cluster or to Azure; fails if it was not. */
export async function killed(test: ClusterLab, args: readonly string[]): Promise<void> {
  const node = ["--import", join(import.meta.dirname, "dieAfterWrite.mjs")];
  const { code, out, err } = await arcflux(args, test.lab.dir, { env: test.env, node });
  if (code !== null) throw new Error(`It ended by itself, with ${code}:\n${out}\n${err}`);
}

/** Kills an update as soon as something holds, and clears what it left locked. */
export async function killedUpdate(
  test: ClusterLab,
  stack: LabStack,
  on: OnCluster,
  once: () => Promise<boolean>,
): Promise<void> {
  const args = stack.commandLine(["up", "--yes", "--skip-preview", "--stack", stack.name]);
  const engine = spawn("pulumi", args, { cwd: projectRoot, env: test.env, stdio: "ignore" });
  const ended = new Promise((resolve) => engine.once("close", resolve));
  await on.until("the update has come so far", once);
  engine.kill("SIGKILL");
  await ended;
  expectCode(await stack.pulumi(["cancel", "--yes", "--stack", stack.name]), 0);
}

/** The commands of a plan, as `arcflux adopt --dry-run` prints them: indented, before those that take the step back. */
function commandsIn(plan: string): string[] {
  const [steps = ""] = plan.split("To take it back:");
  return steps.split("\n").flatMap((line) => /^ {2}(\S.*)$/.exec(line)?.[1] ?? []);
}

/**
 * Does by hand what the plan says, call after call, until nothing is next: each command as it is printed goes to a shell, but
 * for the update, which the lab runs. Gives what was done.
 */
export async function walkByHand(
  test: ClusterLab,
  stack: LabStack,
  on: OnCluster,
  afterEach: () => Promise<void> = () => Promise.resolve(),
): Promise<readonly string[]> {
  const done: string[] = [];
  for (;;) {
    const plan = await on.until("the plan has a step that is not to wait", async () => {
      const ran: Result = await arcflux(
        ["adopt", on.name, "--file", stack.fleetFile, "--dry-run"],
        test.lab.dir,
        { env: test.env },
      );
      return !ran.out.includes("Next: wait") && ran;
    });
    expect(plan.err).toBe("");
    if (plan.out.includes("Next: nothing.")) return done;
    for (const command of commandsIn(plan.out)) {
      const ran =
        command === "pulumi up"
          ? await stack.operate("up", ["--skip-preview"])
          : await run("sh", ["-c", command], { cwd: test.lab.dir, env: test.env, seconds: 60 });
      expectCode(ran, 0);
      done.push(command.replace(/ +#.*/, "").replace(/^kubectl --context \S+ /, "kubectl "));
    }
    await afterEach();
  }
}
