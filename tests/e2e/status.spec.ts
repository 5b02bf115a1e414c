import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { run } from "../../lab/run.ts";
import { LabStack } from "../../lab/stack.ts";
import type { StatusDocument, Word } from "../../status/index.ts";
import { arcflux, type Result } from "../cli/process.ts";
import {
  type ClusterLab,
  configMap,
  deployment,
  OnCluster,
  readyOf,
  runPods,
  startClusterLab,
} from "../support/clusterLab.ts";
import { expectCode } from "../support/lab.ts";

/* Every word of status brought about on real Flux, behind the lab's Azure. The tests build on one another. */

const name = "edge-azure";
/** Twelve hours away, whenever this runs. */
const hour = (new Date().getUTCHours() + 12) % 24;

const fleet = `apiVersion: arcflux/v1
repository: { url: https://git.example.com/edge/fleet.git }
arc: { resourceGroup: rg-edge, location: westeurope }
bootstrap: { interval: 5m, retryInterval: 10s, timeout: 1m }
defaults: { interval: 5m, retryInterval: 10s, timeout: 20s }
windows: { nightly: { open: "0 ${hour} * * *", duration: 30m, timeZone: Etc/UTC } }
stages: { prod: { branch: prod } }
sets:
  base: { path: ./apps/base }
  web: { path: ./apps/web, timeout: 10s, retryInterval: 1m, healthChecks: [{ apiVersion: apps/v1, kind: Deployment, name: web, namespace: default }] }
  after: { path: ./apps/after, dependsOn: [web] }
  lost: { path: ./apps/lost }
  night: { path: ./apps/night, window: nightly }
clusters:
  ${name}:
    stage: prod
    kubeconfig: { context: ${name} }
    flux: { version: "2.7" }
    sets: { base: {}, web: {}, after: {}, lost: {}, night: {} }
`;

const flux = (kind: "GitRepository" | "Kustomization", object: string) => ({
  apiVersion: `${kind === "GitRepository" ? "source" : "kustomize"}.toolkit.fluxcd.io/v1`,
  ...{ kind, namespace: "flux-system", name: object },
});

type State = StatusDocument["clusters"][number];
/** Azure, as its graph tells, or the cluster's own API. */
type Way = "azure" | "cluster";

describe("what a real cluster runs, told by Azure and by itself", () => {
  let test: ClusterLab;
  let stack: LabStack;
  let cluster: OnCluster;

  beforeAll(async () => {
    test = await startClusterLab([{ name, kustomizeController: "azure" }]);
    cluster = new OnCluster(test, name);
    await test.person.commit("Manifests", {
      ...configMap("apps/base", "base", { a: "1" }),
      ...configMap("apps/after", "after", { a: "1" }),
      ...configMap("apps/lost", "lost", { a: "1" }),
      ...configMap("apps/night", "night", { a: "1" }),
      "apps/web/web.yaml": deployment,
    });
    await test.repository.git("branch", "prod", "main");
    stack = await LabStack.init(test.lab, "status", fleet);
  });
  afterAll(() => test.stop());

  function cli(way: Way | "nobody", ...args: string[]): Promise<Result> {
    const { ARCFLUX_LAB_ARM_URL: arm = "" } = test.env;
    const env = {
      ...test.env,
      ARCFLUX_ARM_ENDPOINT: way === "azure" ? arm : "http://127.0.0.1:9",
      ...(way !== "cluster" && { KUBECONFIG: join(test.lab.dir, "none") }),
    };
    return arcflux(args, test.lab.dir, { env });
  }

  async function ask(
    way: Way,
    file = stack.fleetFile,
  ): Promise<{ code: number | null; state: State; err: string }> {
    const direct = way === "cluster" ? ["--direct"] : [];
    const { code, out, err } = await cli(way, "status", file, "--json", "--cluster", name, ...direct);
    const { clusters } = JSON.parse(out) as StatusDocument;
    const [state] = clusters;
    if (state === undefined) throw new Error(`no state: ${out}${err}`);
    return { code, state, err };
  }

  const wordsOf = ({ sets }: State) => Object.fromEntries(sets.map((set) => [set.name, set.word]));
  const part = (state: State, of: string) => [...state.sets, ...state.others].find((one) => one.name === of);

  /** Waits until the cluster, told one way, has a word and its sets theirs; sets that are not named are ready. */
  async function says(way: Way, word: Word, sets: Readonly<Record<string, Word>> = {}): Promise<State> {
    const all = ["base", "web", "after", "lost", "night"];
    const ready = Object.fromEntries(all.map((set) => [set, "ready" as const]));
    const expected: Readonly<Record<string, Word>> = { ...ready, ...sets };
    let last: unknown;
    const found = await cluster
      .until(`${way} says ${word}`, async () => {
        // A look at the cluster costs little beside a run of the command.
        if (!(await kubectlAgrees(expected))) return false;
        const { code, state, err } = await ask(way);
        last = { code, err, word: state.word, reason: state.reason, ...wordsOf(state), others: state.others };
        if (state.word !== word || !isDeepStrictEqual(wordsOf(state), expected)) return false;
        // Before and after: in between Flux may have tried again what failed.
        return (await kubectlAgrees(expected)) && { code, state };
      })
      .catch((error: unknown) => {
        throw new Error(`${(error as Error).message}\n${JSON.stringify(last, null, 1)}`);
      });
    expect([word, found.code]).toEqual([word, word === "failing" || word === "behind" ? 4 : 0]);
    expect(found.state.source).toBe(way);
    return found.state;
  }

  /** The same, told both ways; gives what the cluster told. */
  async function bothSay(word: Word, sets: Readonly<Record<string, Word>> = {}): Promise<State> {
    const [state] = await Promise.all([says("cluster", word, sets), says("azure", word, sets)]);
    return state;
  }

  /** Whether what `kubectl get` shows of the sets goes with these words. */
  async function kubectlAgrees(words: Readonly<Record<string, Word>>): Promise<boolean> {
    const agree = Object.entries(words).map(async ([set, word]) => {
      const object = await cluster.kustomization(set);
      const { status, reason } = readyOf(object);
      const suspended = (object?.["spec"] as { suspend?: boolean } | undefined)?.suspend === true;
      if (word === "ready") return status === "True" && !suspended;
      if (word === "failing") return status === "False" && reason !== "DependencyNotReady";
      if (word === "held back") return object === undefined || reason === "DependencyNotReady";
      return word !== "suspended" || suspended;
    });
    return (await Promise.all(agree)).every(Boolean);
  }

  /** Brings main to prod, as a merge without conflicts does. */
  const promote = (): Promise<string> => test.repository.git("branch", "--force", "prod", "main");
  const kubectl = async (...args: string[]): Promise<string> =>
    expectCode(await run("kubectl", [...args, "--namespace=flux-system"], { cwd: "/", env: test.env }), 0)
      .stdout;
  /** A command as status prints it. */
  const shell = async (command: string): Promise<void> => {
    expectCode(await run("sh", ["-c", command], { cwd: test.lab.dir, env: test.env }), 0);
  };

  it("waiting for promotion, while the branch that it follows lacks its folder", async () => {
    expectCode(await stack.operate("up", ["--skip-preview"]), 0);
    const waiting = "waiting for promotion";
    const all = { base: waiting, web: waiting, after: waiting, lost: waiting, night: waiting } as const;
    const state = await bothSay(waiting, all);
    expect(part(state, "base")?.next).toMatch(/then arcflux promote prod\.$/);
  });

  it("progressing, held back and, once its health check is over, failing; why leads to the cause", async () => {
    await promote();
    await cluster.fetchNow();
    await says("cluster", "progressing", {
      ...{ web: "progressing", after: "held back", night: "waiting for a window" },
    });
    const sets = { web: "failing", after: "held back", night: "waiting for a window" } as const;
    const [state, told] = await Promise.all([
      says("cluster", "failing", sets),
      says("azure", "failing", sets),
    ]);
    expect(part(state, "web")?.reason).toMatch(/^HealthCheckFailed: .*Deployment\/default\/web/);
    expect(part(told, "web")?.reason).toBe(part(state, "web")?.reason);

    const why = expectResult(await cli("cluster", "why", name, "after", "--file", stack.fleetFile), 0);
    const at = (text: string): number => why.out.indexOf(text);
    expect(at("set after is held back")).toBeGreaterThan(at(`${name} follows prod at `));
    expect(at("set web is failing")).toBeGreaterThan(at("set after is held back"));
    const of = expectResult(await cli("cluster", "why", name, "web", "--file", stack.fleetFile), 0);
    expect(of.out).toMatch(/Events:\n[\s\S]*Deployment\/default\/web ScalingReplicaSet/);
    const events = expectResult(await cli("cluster", "events", name, "web", "--file", stack.fleetFile), 0);
    expect(events.out).toMatch(/! Kustomization\/web HealthCheckFailed: /);
  });

  it("waiting for a window, until it has opened once", async () => {
    await runPods(cluster, "web");
    await kubectl("annotate", "kustomization", "web", `reconcile.fluxcd.io/requestedAt=${Date.now()}`);
    await bothSay("waiting for a window", { night: "waiting for a window" });
    await open();
    const state = await bothSay("ready");
    expect(state.reason).toBeUndefined();
    const waited = await cli("azure", "wait", stack.fleetFile, "--timeout", "3m");
    expect(waited).toMatchObject({ code: 0, out: "prod: 1 of 1 ready, 0 failing\n" });
  });

  /** One opening of the window: fetch, and shut again. */
  async function open(): Promise<void> {
    const source = flux("GitRepository", "window-nightly");
    const revision = async () =>
      ((await cluster.api.read(source))?.["status"] as { artifact?: { revision: string } } | undefined)
        ?.artifact?.revision;
    const [tip = ""] = await test.repository.commits("prod");
    const annotations = { "reconcile.fluxcd.io/requestedAt": `${Date.now()}` };
    await cluster.api.patch(source, { metadata: { annotations }, spec: { suspend: false } });
    await cluster.until("the window fetches", async () => (await revision())?.endsWith(tip) === true);
    await cluster.api.patch(source, { spec: { suspend: true } });
  }

  it("failing by a bad commit and by a path that is gone, while a window waits with the same commit", async () => {
    await test.person.commit("Break it", {
      "apps/base/broken.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: Not A Name }\n",
      "apps/lost/lost.yaml": null,
      ...configMap("apps/night", "night", { a: "2" }),
    });
    await promote();
    const stalled = await cli("cluster", "wait", stack.fleetFile, "--timeout", "1s");
    expect(stalled.code).toBe(4);
    expectResult(await cli("cluster", "reconcile", name, "base", "--file", stack.fleetFile), 0);
    const sets = { base: "failing", lost: "failing", night: "waiting for a window" } as const;
    const state = await bothSay("failing", sets);
    expect(part(state, "base")?.reason).toMatch(/^(ReconciliationFailed|BuildFailed): .*Not A Name/);
    expect(part(state, "lost")?.reason).toMatch(/^ArtifactFailed: .*apps\/lost/);
    const { code, out } = await cli("azure", "status", stack.fleetFile, "--failing");
    expect(code).toBe(4);
    expect(out).toMatch(/^ {2}base: failing, /m);
    expect(out).toContain("prod: 0 of 1 ready, 1 failing (edge-azure)");
    await test.person.commit("Mend it", {
      "apps/base/broken.yaml": null,
      ...configMap("apps/lost", "lost", { a: "2" }),
    });
    await promote();
    expectResult(await cli("cluster", "reconcile", name, "base", "--file", stack.fleetFile), 0);
    await open();
    await says("cluster", "ready");
  });

  it("suspended: by kubectl, which the bootstrap undoes; by flux, which stays; in the fleet file, with its reason", async () => {
    const patch = ["--type=merge", "--patch", '{"spec":{"suspend":true}}'];
    await kubectl("patch", "kustomization", "lost", ...patch);
    await kubectl("patch", "kustomization", "base", "--field-manager=flux", ...patch);
    const state = await says("cluster", "suspended", { base: "suspended", lost: "suspended" });
    expect(part(state, "lost")).toMatchObject({ reason: "suspended on the cluster by kubectl" });
    expect(part(state, "lost")?.meaning).toContain("Flux undoes it");
    expect(part(state, "base")).toMatchObject({
      reason: "suspended on the cluster by flux",
      meaning: "It stays until somebody resumes it.",
    });
    expectResult(await cli("cluster", "reconcile", name, "--file", stack.fleetFile), 0);
    await bothSay("suspended", { base: "suspended" });
    const refused = await cli("cluster", "reconcile", name, "base", "--file", stack.fleetFile);
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining("is suspended") as string });
    await kubectl(
      "patch",
      "kustomization",
      "base",
      "--field-manager=flux",
      "--type=merge",
      "--patch",
      '{"spec":{"suspend":false}}',
    );
    expectResult(
      await cli("cluster", "suspend", name, "lost", "--reason", "INC-4711", "--file", stack.fleetFile),
      0,
    );
    expectCode(await stack.operate("up", ["--skip-preview"]), 0);
    await promote();
    expectResult(await cli("cluster", "reconcile", name, "--file", stack.fleetFile), 0);
    await open();
    const declared = await bothSay("suspended", { lost: "suspended" });
    expect(part(declared, "lost")?.reason).toBe("suspended in the fleet file: INC-4711");
  });

  it("edited by hand: the bootstrap and the source, field by field, and the printed commands mend them", async () => {
    await kubectl(
      "patch",
      "kustomization",
      "edge-config-bootstrap",
      "--type=merge",
      "--patch",
      '{"spec":{"interval":"7m","prune":false}}',
    );
    await kubectl(
      "patch",
      "gitrepository",
      "edge-config",
      "--type=merge",
      "--patch",
      '{"spec":{"interval":"9m","ref":{"branch":"main"}}}',
    );
    const state = await says("cluster", "behind", { lost: "suspended" });
    expect(state.notes.map(({ text }) => text)).toEqual([
      "GitRepository edge-config is not what the fleet file says: ref.branch is main, not prod; interval is 9m, not 5m",
      "Kustomization edge-config-bootstrap is not what the fleet file says: interval is 7m, not 5m; prune is false, not true",
    ]);
    for (const { next = "" } of state.notes) await shell(next);
    await says("cluster", "suspended", { lost: "suspended" });
  });

  it("behind: a commit that Flux did not take within its intervals", async () => {
    const git = async (date: string, ...args: string[]): Promise<string> => {
      const who = { NAME: "Ada", EMAIL: "ada@example.com", DATE: date };
      const all = Object.entries(who).flatMap(([key, value]) => [
        [`GIT_AUTHOR_${key}`, value],
        [`GIT_COMMITTER_${key}`, value],
      ]);
      const env = { ...process.env, ...(Object.fromEntries(all) as Record<string, string>) };
      return expectCode(
        await run("git", ["--git-dir", test.lab.gitDir, ...args], { cwd: "/", env }),
        0,
      ).stdout.trim();
    };
    // The source would fetch within five minutes; the commit is older.
    const old = new Date(Date.now() - 3_600_000).toISOString();
    const commit = await git(old, "commit-tree", "main^{tree}", "-p", "main", "-m", "Committed an hour ago");
    await git(old, "branch", "--force", "prod", commit);
    const behind = { base: "behind", web: "behind", after: "behind", night: "waiting for a window" } as const;
    await bothSay("behind", { ...behind, lost: "suspended" });
    expectResult(await cli("cluster", "reconcile", name, "--file", stack.fleetFile), 0);
    await says("cluster", "suspended", { lost: "suspended", night: "waiting for a window" });
  });

  it("not asked, where nobody knows it or answers; offline since its connection went; its API stopped", async () => {
    const more = join(test.lab.dir, "more.yaml");
    await writeFile(more, `${fleet}  nobody: { stage: prod, agents: present, sets: { base: {} } }\n`);
    const known = await cli("azure", "status", more);
    expect(known.out).toMatch(/nobody +prod +not asked/);
    expect(known.out).toContain("Azure has no connected cluster of that name in rg-edge");
    const silent = await cli("nobody", "status", more, "--timeout", "5s");
    expect(silent.out).toContain("prod: 0 of 2 ready, 0 failing, 2 not asked (edge-azure, nobody)");
    expect(silent.err).toContain("Azure did not answer");

    for (const { metadata } of await cluster.api.list("v1", "Secret", { namespace: "azure-arc-release" }))
      if (metadata.name.startsWith("sh.helm.release"))
        await cluster.api.delete({
          apiVersion: "v1",
          kind: "Secret",
          namespace: "azure-arc-release",
          name: metadata.name,
        });
    const gone = await cluster.until("Azure says offline", async () => {
      const { code, state } = await ask("azure");
      return state.word === "offline" && { code, state };
    });
    expect(gone.code).toBe(0);
    expect(Date.now() - Date.parse(gone.state.since ?? "")).toBeLessThan(300_000);
    // What it ran last is still told.
    expect(gone.state.runs.bootstrap).toMatch(/^prod@sha1:/);

    const server = test.kubernetes.clusters[0]?.pids["kube-apiserver"];
    if (server === undefined) throw new Error("no API server");
    process.kill(server, "SIGSTOP");
    try {
      const { out } = await cli("cluster", "status", stack.fleetFile, "--direct", "--timeout", "8s");
      expect(out).toMatch(/edge-azure +prod +offline/);
      expect(out).toContain("the API server of context edge-azure does not answer");
      const both = await ask("azure");
      expect(both.state).toMatchObject({ word: "offline", source: "azure" });
    } finally {
      process.kill(server, "SIGCONT");
    }
  });
});

function expectResult(result: Result, code: number): Result {
  if (result.code !== code)
    throw new Error(`Exit code ${result.code}, not ${code}:\n${result.out}\n${result.err}`);
  return result;
}
