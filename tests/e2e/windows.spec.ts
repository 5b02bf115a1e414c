import { spawn } from "node:child_process";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { KubeConfig } from "@kubernetes/client-node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { writeKubeconfig } from "../../lab/cluster/kubeconfig.ts";
import { type Ran, run } from "../../lab/run.ts";
import { LabStack, projectRoot } from "../../lab/stack.ts";
import { findClusterTools } from "../../lab/tools/find.ts";
import { asMap } from "../../values/maps.ts";
import {
  bothVersions,
  type ClusterLab,
  configMap,
  OnCluster,
  readyOf,
  runPods,
  startClusterLab,
} from "../support/clusterLab.ts";
import { arcflux } from "../cli/process.ts";
import { fluxExport } from "../support/fluxManifests.ts";
import { expectCode } from "../support/lab.ts";

/** How long nothing may happen after a boot, in milliseconds: the ten minutes of the issue, where they are asked for. */
const afterBoot = Number(process.env["ARCFLUX_BOOT_MINUTES"] ?? 0) * 60_000 || 3000;

const names = bothVersions.map(({ name }) => name);

/** `night` is the windowed set; `more` are lines at the end. */
const fleetOf = (night: string, more = "") => `apiVersion: arcflux/v1
repository: { url: https://git.example.com/edge/fleet.git }
platform: kubernetes
bootstrap: { interval: 5m, retryInterval: 1m }
defaults: { interval: 5m, retryInterval: 10s, timeout: 1m }
windows:
  nightly: { open: "0 1 * * *", close: "0 4 * * *", timeZone: Europe/Berlin }
sets:
  live: { path: ./apps/live }
groups:
  all: { match: {}, sets: { live: {}, ${night} } }
clusters:
  edge-newest: { kubeconfig: { context: edge-newest }, flux: { version: "2.9" } }
  edge-azure: { kubeconfig: { context: edge-azure }, flux: { version: "2.7" } }
${more}`;
const fleet = fleetOf("night: { path: ./apps/night, window: nightly }");

const content = (version: string): Record<string, string> => ({
  ...configMap("apps/live", "live", { version }),
  ...configMap("apps/night", "night", { version }),
  ...configMap("apps/late", "late", { version }),
});

interface Container {
  readonly command: readonly string[];
}
interface Pod {
  readonly serviceAccountName: string;
  readonly initContainers?: readonly Container[];
  readonly containers: readonly Container[];
}

const windowSource = {
  apiVersion: "source.toolkit.fluxcd.io/v1",
  kind: "GitRepository",
  namespace: "flux-system",
  name: "window-nightly",
};
const cronJobRef = (name: string) => ({
  ...{ apiVersion: "batch/v1", kind: "CronJob", namespace: "flux-system", name: `window-nightly-${name}` },
});

describe("clusters without Azure, and a set that waits for its window", () => {
  let test: ClusterLab;
  let stack: LabStack;
  let clusters: readonly OnCluster[];

  beforeAll(async () => {
    test = await startClusterLab([...bothVersions, { name: "bare-1", flux: false }]);
    clusters = names.map((name) => new OnCluster(test, name));
    await test.person.commit("Manifests", content("1"));
    stack = await LabStack.init(test.lab, "windows", fleet);
  });
  afterAll(() => test.stop());

  const onBoth = (work: (cluster: OnCluster) => Promise<unknown>): Promise<unknown> =>
    Promise.all(clusters.map(work));

  async function fetchTip(): Promise<string> {
    await onBoth((cluster) => cluster.fetchNow());
    return (await test.repository.commits())[0] ?? "";
  }

  /** Until the bootstrap and the live set have taken the tip: whatever was to come with it has come. */
  async function settled(): Promise<void> {
    const tip = await fetchTip();
    await onBoth(async (cluster) => {
      await cluster.untilReady("edge-config-bootstrap", tip);
      await cluster.untilReady("live", tip);
    });
  }

  /** Runs a command as a Pod of the window would: under its service account, with nothing else. */
  async function runAs(cluster: OnCluster, account: string, command: readonly string[]): Promise<Ran> {
    const real = test.kubernetes.clusters.find(({ name }) => name === cluster.name);
    if (real === undefined) throw new Error(`no cluster ${cluster.name}`);
    const config = new KubeConfig();
    config.loadFromFile(real.kubeconfig);
    const kubeconfig = join(test.lab.dir, `${cluster.name}-${account}.kubeconfig`);
    await writeFile(kubeconfig, "");
    writeKubeconfig(kubeconfig, {
      name: cluster.name,
      server: real.server,
      certificate: Buffer.from(config.getCurrentCluster()?.caData ?? "", "base64").toString("utf8"),
      token: await cluster.api.serviceAccountToken("flux-system", account),
    });
    const [program = "", ...args] = command;
    return run(program, args, { cwd: test.lab.dir, env: { ...test.env, KUBECONFIG: kubeconfig } });
  }

  async function podOf(cluster: OnCluster, cronJob: string): Promise<Pod> {
    const found = await cluster.api.read(cronJobRef(cronJob));
    const spec = found?.["spec"] as { jobTemplate: { spec: { template: { spec: Pod } } } } | undefined;
    if (spec === undefined) throw new Error(`no CronJob ${cronJob} on ${cluster.name}`);
    return spec.jobTemplate.spec.template.spec;
  }

  /** The containers of a Pod one after the other, as a kubelet runs them; `only` is how many. */
  async function runPod(cluster: OnCluster, pod: Pod, uid: string, only = 9): Promise<void> {
    const all = [...(pod.initContainers ?? []), ...pod.containers].slice(0, only);
    for (const { command } of all) {
      const words = command.map((word) => word.replaceAll("$(REQUEST)", uid));
      expectCode(await runAs(cluster, pod.serviceAccountName, words), 0);
    }
  }

  let pulses = 0;
  /** One opening, as the CronJob's Pod does it. */
  const pulse = async (cluster: OnCluster, only?: number): Promise<void> =>
    runPod(cluster, await podOf(cluster, "open-1"), `uid-${(pulses += 1)}`, only);

  const sourceOf = async (cluster: OnCluster): Promise<{ open: boolean; revision: string }> => {
    const found = await cluster.api.read(windowSource);
    const { suspend = false } = found?.["spec"] as { suspend?: boolean };
    const { artifact } = (found?.["status"] ?? {}) as { artifact?: { revision: string } };
    return { open: !suspend, revision: artifact?.revision ?? "" };
  };
  const versionOf = async (cluster: OnCluster, name: string): Promise<string | undefined> =>
    (await cluster.data(name))?.["version"];
  const intervalOf = async (cluster: OnCluster): Promise<unknown> =>
    ((await cluster.kustomization("night"))?.["spec"] as { interval?: string } | undefined)?.interval;
  const comes = (cluster: OnCluster, name: string, version: string) =>
    cluster.until(`${name} ${version} comes`, async () => (await versionOf(cluster, name)) === version);
  const ask = (cluster: OnCluster, name: string) =>
    cluster.api.patch(
      { ...windowSource, apiVersion: "kustomize.toolkit.fluxcd.io/v1", kind: "Kustomization", name },
      { metadata: { annotations: { "reconcile.fluxcd.io/requestedAt": `${Date.now()}` } } },
    );

  it("one update makes the two Flux objects, and before its window nothing of the set is there", async () => {
    expectCode(await stack.operate("up", ["--skip-preview"]), 0);
    await settled();
    await onBoth(async (cluster) => {
      expect(await versionOf(cluster, "live")).toBe("1");
      expect(await sourceOf(cluster)).toEqual({ open: false, revision: "" });
      expect(readyOf(await cluster.kustomization("window-nightly")).status).toBe("False");
      expect(await cluster.kustomization("night")).toBeUndefined();
    });
  });

  it("Kubernetes makes the Job at its time, and its Pod opens, fetches and shuts", async () => {
    await onBoth(async (cluster) => {
      const pod = await cluster.until("the Pod of the Job", async () => {
        // Each time: the bootstrap, should it run meanwhile, puts its own schedule back.
        await cluster.api.patch(cronJobRef("open-1"), { spec: { schedule: "* * * * *" } });
        const pods = await cluster.api.list("v1", "Pod");
        return pods.find(({ metadata }) => metadata.name.startsWith("window-nightly-open-1-"));
      });
      await runPod(cluster, pod["spec"] as Pod, String(pod.metadata["uid"]));
      await cluster.api.patch(cronJobRef("open-1"), { spec: { schedule: "*/10 1-3 * * *" } });
      expect((await sourceOf(cluster)).open).toBe(false);
      await comes(cluster, "night", "1");
    });
  });

  it("the service account of a window may change its source and nothing else", async () => {
    const [cluster] = clusters;
    if (cluster === undefined) throw new Error("no cluster");
    const flux = "--namespace=flux-system";
    for (const command of [
      ["patch", "kustomizations.kustomize.toolkit.fluxcd.io", "live", flux, "--type=merge", "--patch={}"],
      ["patch", "gitrepositories", "edge-config", flux, "--type=merge", "--patch={}"],
      ["delete", "gitrepositories", "window-nightly", flux],
      ["get", "gitrepositories", flux],
      ["get", "secrets", flux],
      ["create", "configmap", "x", "--namespace=default"],
      ["patch", "cronjobs", "window-nightly-open-1", flux, "--type=merge", "--patch={}"],
    ]) {
      const ran = await runAs(cluster, "window-nightly", ["kubectl", ...command]);
      expect([command, ran.code !== 0, /forbidden/i.test(ran.stderr)]).toEqual([command, true, true]);
    }
  });

  it("shut, content and spec wait, drift is repaired, and an edit by hand is put back", async () => {
    await test.person.commit("Version 2", content("2"));
    await stack.writeFleet(fleet.replace("window: nightly }", "window: nightly, interval: 7m }"));
    expectCode(await stack.operate("up", ["--skip-preview"]), 0);
    await settled();
    await onBoth(async (cluster) => {
      await cluster.api.delete({ apiVersion: "v1", kind: "ConfigMap", namespace: "default", name: "night" });
      await ask(cluster, "night");
      await comes(cluster, "night", "1");
      await cluster.api.patch(
        {
          ...windowSource,
          apiVersion: "kustomize.toolkit.fluxcd.io/v1",
          kind: "Kustomization",
          name: "night",
        },
        { spec: { interval: "9m" } },
      );
      await ask(cluster, "window-nightly");
      await cluster.until("the edit is put back", async () => (await intervalOf(cluster)) === "5m");
      expect(await versionOf(cluster, "live")).toBe("2");
      expect(await versionOf(cluster, "night")).toBe("1");
      expect((await sourceOf(cluster)).open).toBe(false);
    });
  });

  it("opened again, it catches up, and the bootstrap neither opens nor shuts", async () => {
    await onBoth(async (cluster) => {
      await pulse(cluster);
      await comes(cluster, "night", "2");
      await cluster.until("the spec comes", async () => (await intervalOf(cluster)) === "7m");
    });
    // A pulse that is killed after its first command, or half-way when the device loses power.
    await onBoth((cluster) => pulse(cluster, 1));
    await test.person.commit("Version 3", content("3"));
    await settled();
    await onBoth(async (cluster) => {
      expect((await sourceOf(cluster)).open).toBe(true);
      // Open, but nobody asks for a fetch, and its own interval is a day.
      expect(await versionOf(cluster, "night")).toBe("2");
      await runPod(cluster, await podOf(cluster, "shut"), "");
    });
    await settled();
    await onBoth(async (cluster) => expect((await sourceOf(cluster)).open).toBe(false));
  });

  it("booted at noon, it applies nothing that was committed since, whatever it was off for", async () => {
    // Off over openings and closes alike: what it did not do leaves no trace on it.
    await offWhile(() => test.person.commit("Version 4", content("4")));
    await settled();
    await sleep(afterBoot);
    await onBoth(async (cluster) => {
      expect(await versionOf(cluster, "live")).toBe("4");
      expect(await versionOf(cluster, "night")).toBe("2");
      expect((await sourceOf(cluster)).open).toBe(false);
      expect(readyOf(await cluster.kustomization("night")).status).toBe("True");
    });
    // It repairs from its disk what drifts meanwhile.
    await onBoth(async (cluster) => {
      await cluster.api.delete({ apiVersion: "v1", kind: "ConfigMap", namespace: "default", name: "night" });
      await ask(cluster, "night");
      await comes(cluster, "night", "2");
    });
  });

  it("only power that goes within the second of a pulse leaves it open, until the job that shuts has run", async () => {
    await onBoth((cluster) => pulse(cluster, 1));
    await offWhile(() => test.person.commit("Version 5", content("5")));
    await onBoth(async (cluster) => {
      await comes(cluster, "night", "5");
      await runPod(cluster, await podOf(cluster, "shut"), "");
      expect((await sourceOf(cluster)).open).toBe(false);
    });
    await settled();
  });

  /** Cuts the power of both, works, and boots them again; no job runs, since nothing here runs Pods by itself. */
  async function offWhile(work: () => Promise<unknown>): Promise<void> {
    const devices = test.kubernetes.clusters.filter(({ name }) => names.some((one) => one === name));
    await Promise.all(devices.map((device) => device.cutPower()));
    await work();
    await Promise.all(devices.map((device) => device.boot()));
  }

  it("a refresh and a preview find nothing to do", async () => {
    expectCode(await stack.operate("preview", ["--refresh", "--expect-no-changes"]), 0);
  });

  it("a set that is removed goes with its workloads at the next opening, and a new one comes", async () => {
    const next = fleetOf("late: { path: ./apps/late, window: nightly }", "removed: [night]\n");
    await stack.writeFleet(next);
    expectCode(await stack.operate("up", ["--skip-preview"]), 0);
    await settled();
    await onBoth(async (cluster) => {
      expect(await versionOf(cluster, "night")).toBe("5");
      expect(await cluster.kustomization("late")).toBeUndefined();
      await pulse(cluster);
      await comes(cluster, "late", "5");
      await cluster.until("night goes", async () => (await cluster.data("night")) === undefined);
    });
  });

  it("refuses to move a set out of its window", async () => {
    await stack.writeFleet(fleetOf("late: { path: ./apps/late }"));
    const ran = await stack.operate("up", ["--skip-preview"]);
    expect(ran.code).not.toBe(0);
    expect(ran.stdout + ran.stderr).toMatch(/set late .*moves out of window nightly/);
    await stack.writeFleet(fleetOf("late: { path: ./apps/late, window: nightly }"));
  });

  it("destroy takes all that was applied; Flux 2.7 leaves the source of the window, shut", async () => {
    expectCode(await stack.operate("destroy", ["--skip-preview"]), 0);
    await onBoth(async (cluster) => {
      const left = cluster.name === "edge-azure" ? /^GitRepository window-nightly: [^\n]*$/ : /^$/;
      await cluster.until("all other Flux objects go", async () => left.test(await cluster.conditions()));
      for (const name of ["live", "late"]) expect(await cluster.data(name)).toBeUndefined();
      expect(await cluster.api.list("batch/v1", "CronJob")).toEqual([]);
    });
    const left = new OnCluster(test, "edge-azure");
    expect((await sourceOf(left)).open).toBe(false);
    const without = join(test.lab.dir, "without-window.yaml");
    await writeFile(without, fleetOf("night: { path: ./apps/night }").replace(/^windows:\n.*\n/m, ""));
    const { out } = await arcflux(["status", without, "--cluster", left.name], test.lab.dir, {
      env: test.env,
    });
    const [, command = ""] = /window-nightly is left of a window .*\n *(kubectl delete .*)/.exec(out) ?? [];
    const context = `--context=${left.name}`;
    expectCode(await run("sh", ["-c", `${command} ${context}`], { cwd: test.lab.dir, env: test.env }), 0);
    expect(await left.api.read(windowSource)).toBeUndefined();
    expect(Object.keys(await test.repository.files()).filter((path) => path.startsWith("clusters/"))).toEqual(
      [],
    );
  });

  it("installs Flux where there is none: killed, twice, upgraded, and taken off with nothing left", async () => {
    const bare = new OnCluster(test, "bare-1");
    const { api } = bare;
    await test.person.commit("Of a cluster without Flux", configMap("apps/bare", "bare", { version: "1" }));
    const flux = await LabStack.init(test.lab, "bare", "");
    const tools = findClusterTools(projectRoot, test.env);
    const folders = [tools.sourceController.crds, tools.kustomizeController.newest.crds];
    const crds = (
      await Promise.all(
        folders.map(async (folder) =>
          Promise.all(
            (await readdir(folder)).map(async (file) =>
              (await readFile(join(folder, file), "utf8")).replace(/^---\n/, ""),
            ),
          ),
        ),
      )
    ).flat();
    const file = (name: string, text: string) => writeFile(join(dirname(flux.fleetFile), name), text);
    const install = async (version: string, manifests: string) => {
      await file("flux.yaml", manifests);
      await flux.writeFleet(`apiVersion: arcflux/v1
repository: { url: https://git.example.com/edge/fleet.git }
platform: kubernetes
flux: { version: "${version}", lockdown: false, install: true, manifests: flux.yaml }
defaults: { interval: 5m, retryInterval: 10s, timeout: 1m }
clusters:
  bare-1: { kubeconfig: { context: bare-1 }, sets: { bare: { path: ./apps/bare } } }
`);
    };
    const controllers = ["source-controller", "kustomize-controller"];
    const up = (...args: string[]) => flux.operate("up", ["--skip-preview", ...args]);
    const upRunning = async () => {
      let isOver = false;
      const running = (async () => {
        while (!isOver) {
          await Promise.all(
            controllers.map((app) => runPods(bare, app, "flux-system").catch(() => undefined)),
          );
          await sleep(500);
        }
      })();
      const ran = await up().finally(() => (isOver = true));
      await running;
      return expectCode(ran, 0);
    };

    // Killed while the controllers are waited for.
    await install("2.9", fluxExport({ version: "2.9.6", crds }));
    const args = flux.commandLine(["up", "--yes", "--skip-preview", "--stack", flux.name]);
    const engine = spawn("pulumi", args, { cwd: projectRoot, env: test.env, stdio: "ignore" });
    const ended = new Promise((resolve) => engine.once("close", resolve));
    const controller = {
      apiVersion: "apps/v1",
      kind: "Deployment",
      namespace: "flux-system",
      name: controllers[1]!,
    };
    await bare.until("a controller is asked for", async () => (await api.read(controller)) !== undefined);
    engine.kill("SIGKILL");
    await ended;
    // Just after the kinds came, the API server answers for a moment that their storage is initializing.
    await bare.until("the kinds are served", () =>
      Promise.all([
        api.list("source.toolkit.fluxcd.io/v1", "GitRepository"),
        api.list("kustomize.toolkit.fluxcd.io/v1", "Kustomization"),
      ]).then(
        () => true,
        () => false,
      ),
    );
    await sleep(5000);
    expect(await bare.kustomization("edge-config-bootstrap")).toBeUndefined();
    expectCode(await flux.pulumi(["cancel", "--yes", "--stack", flux.name]), 0);

    await upRunning();
    await test.kubernetes.clusters.find(({ name }) => name === bare.name)!.startFlux();
    await bare.until("the set comes", async () => (await bare.data("bare"))?.["version"] === "1");
    expectCode(await up("--expect-no-changes"), 0);

    // Twice the size of the largest that Flux has ever printed.
    const padding = (index: number) => `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: pads${index}.example.com }
spec:
  group: example.com
  scope: Cluster
  names: { kind: Pad${index}, plural: pads${index} }
  versions:
    - { name: v1, served: true, storage: true, schema: { openAPIV3Schema: { type: object, description: "${"long ".repeat(45_000)}" } } }
`;
    const more = Array.from({ length: 12 }, (_, index) => padding(index)).join("---\n");
    const large = fluxExport({ version: "2.10.0", crds, more });
    expect(large.length).toBeGreaterThan(2.5 * 2 ** 20);
    await install("2.10", large);
    await upRunning();
    const labels = asMap(asMap((await api.read(controller))?.["metadata"])["labels"]);
    expect(labels["app.kubernetes.io/version"]).toBe("v2.10.0");
    expect((await bare.data("bare"))?.["version"]).toBe("1");

    const told = await arcflux(["upgrade", flux.fleetFile], test.lab.dir, { env: test.env });
    expect([told.code, told.out]).toEqual([0, expect.stringContaining("\n2.10: bare-1\n")]);

    const theirs = {
      apiVersion: "v1",
      kind: "Secret",
      metadata: { name: "theirs", namespace: "flux-system" },
    };
    await api.apply({ ...theirs, stringData: { key: "kept" } });
    const destroyed = expectCode(await flux.operate("destroy", ["--skip-preview"]), 0);
    expect(destroyed.stdout + destroyed.stderr).toContain(
      "Namespace flux-system holds Secret flux-system/theirs, and stays",
    );
    expect(await bare.data("bare")).toBeUndefined();
    expect(await api.list("apiextensions.k8s.io/v1", "CustomResourceDefinition")).toEqual([]);
    expect(await api.list("apps/v1", "Deployment")).toEqual([]);
    const named = (kind: string, name: string) => ({
      apiVersion: "v1",
      kind,
      namespace: "flux-system",
      name,
    });
    expect(await api.read(named("Secret", "theirs"))).toBeDefined();
    expect(await api.read(named("ServiceAccount", "kustomize-controller"))).toBeUndefined();
    const maps = await api.list("v1", "ConfigMap", { namespace: "default" });
    expect(maps.filter(({ metadata: { name } }) => name.startsWith("arcflux-"))).toEqual([]);
  }, 600_000);
});
