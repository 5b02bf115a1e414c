import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { writeKubeconfig } from "../../lab/cluster/kubeconfig.ts";
import { type Ran, run } from "../../lab/run.ts";
import { LabStack } from "../../lab/stack.ts";
import {
  bothVersions,
  type ClusterLab,
  configMap,
  kustomizationRef,
  OnCluster,
  startClusterLab,
} from "../support/clusterLab.ts";
import { expectCode } from "../support/lab.ts";

const names = bothVersions.map(({ name }) => name);

const fleet = `apiVersion: arcflux/v1
repository: { url: https://git.example.com/edge/fleet.git }
platform: kubernetes
bootstrap: { interval: 5m, retryInterval: 1m }
defaults: { interval: 5m, retryInterval: 1m, timeout: 1m }
windows:
  nightly: { open: "0 1 * * *", close: "0 4 * * *", timeZone: Europe/Berlin }
sets:
  live: { path: ./apps/live }
  night: { path: ./apps/night, window: nightly }
groups:
  all: { match: {}, sets: { live: {}, night: {} } }
clusters:
  edge-newest: { kubeconfig: { context: edge-newest }, flux: { version: "2.9" } }
  edge-azure: { kubeconfig: { context: edge-azure }, flux: { version: "2.7" } }
`;

const content = (version: string): Record<string, string> => ({
  ...configMap("apps/live", "live", { version }),
  ...configMap("apps/night", "night", { version }),
});

describe("clusters without Azure, and a set that a window opens and closes", () => {
  let test: ClusterLab;
  let stack: LabStack;
  let clusters: readonly OnCluster[];

  beforeAll(async () => {
    test = await startClusterLab(bothVersions);
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

  /** Runs the command of a window's CronJob as its Pod would: its argv, its service account, nothing else. */
  async function runWindow(cluster: OnCluster, cronJob: string, args?: readonly string[]): Promise<Ran> {
    const found = await cluster.api.read({
      ...{ apiVersion: "batch/v1", kind: "CronJob", namespace: "flux-system", name: cronJob },
    });
    const { jobTemplate } = found?.["spec"] as {
      jobTemplate: {
        spec: { template: { spec: { serviceAccountName: string; containers: { command: string[] }[] } } };
      };
    };
    const { serviceAccountName, containers } = jobTemplate.spec.template.spec;
    const [program = "", ...own] = containers[0]?.command ?? [];
    const real = test.kubernetes.clusters.find(({ name }) => name === cluster.name);
    if (real === undefined) throw new Error(`no cluster ${cluster.name}`);
    const kubeconfig = join(test.lab.dir, `${cluster.name}-${cronJob}.kubeconfig`);
    await writeFile(kubeconfig, "");
    writeKubeconfig(kubeconfig, {
      name: cluster.name,
      server: real.server,
      certificate: await certificateOf(real.kubeconfig),
      token: await cluster.api.serviceAccountToken("flux-system", serviceAccountName),
    });
    return run(program, args ?? own, { cwd: test.lab.dir, env: { ...test.env, KUBECONFIG: kubeconfig } });
  }

  const suspended = async (cluster: OnCluster): Promise<boolean> =>
    ((await cluster.kustomization("night"))?.["spec"] as { suspend?: boolean } | undefined)?.suspend === true;
  const versionOf = async (cluster: OnCluster, name: string): Promise<string | undefined> =>
    (await cluster.data(name))?.["version"];

  it("one update makes the two Flux objects, and before its window nothing of the set is applied", async () => {
    expectCode(await stack.operate("up", ["--skip-preview"]), 0);
    await settled();
    await onBoth(async (cluster) => {
      expect(await versionOf(cluster, "live")).toBe("1");
      expect(await suspended(cluster)).toBe(true);
      expect(await cluster.data("night")).toBeUndefined();
    });
  });

  it("the service account of a window may patch its sets and nothing else", async () => {
    const [cluster] = clusters;
    if (cluster === undefined) throw new Error("no cluster");
    const patch = [
      "patch",
      "kustomizations",
      "live",
      "--namespace=flux-system",
      "--type=merge",
      "--patch={}",
    ];
    const ran = await runWindow(cluster, "window-nightly-open", patch);
    expect(ran.code).not.toBe(0);
    expect(ran.stderr).toContain("Forbidden");
  });

  it("the window opens: the set comes, follows commits, and the bootstrap does not close it", async () => {
    await onBoth(async (cluster) => {
      expectCode(await runWindow(cluster, "window-nightly-open"), 0);
      await cluster.until("night comes", () => cluster.data("night"));
    });
    await test.person.commit("Version 2", content("2"));
    await settled();
    await onBoth(async (cluster) => {
      await cluster.until("night follows", async () => (await versionOf(cluster, "night")) === "2");
      expect(await suspended(cluster)).toBe(false);
    });
  });

  it("the window closes: the set is suspended again, stays what it was, and is Git's again", async () => {
    await onBoth(async (cluster) => expectCode(await runWindow(cluster, "window-nightly-close"), 0));
    await test.person.commit("Version 3", content("3"));
    await settled();
    await onBoth(async (cluster) => {
      expect(await versionOf(cluster, "live")).toBe("3");
      expect(await versionOf(cluster, "night")).toBe("2");
      expect(await suspended(cluster)).toBe(true);
      const { labels = {} } = (await cluster.kustomization("night"))?.metadata ?? {};
      expect(labels["kustomize.toolkit.fluxcd.io/reconcile"]).toBeUndefined();
    });
  });

  it("a change of the set itself arrives while the window is closed, and waits for it", async () => {
    await stack.writeFleet(fleet.replace("window: nightly }", "window: nightly, interval: 7m }"));
    expectCode(await stack.operate("up", ["--skip-preview"]), 0);
    await settled();
    await onBoth(async (cluster) => {
      const spec = (await cluster.kustomization("night"))?.["spec"] as { interval: string; suspend: boolean };
      expect(spec).toMatchObject({ interval: "7m", suspend: true });
      expect(await versionOf(cluster, "night")).toBe("2");
    });
  });

  it("opened again, it catches up", async () => {
    await onBoth(async (cluster) => {
      expectCode(await runWindow(cluster, "window-nightly-open"), 0);
      await cluster.until("night catches up", async () => (await versionOf(cluster, "night")) === "3");
      expectCode(await runWindow(cluster, "window-nightly-close"), 0);
    });
  });

  it("a refresh and a preview find nothing to do while a window is open", async () => {
    await onBoth(async (cluster) => expectCode(await runWindow(cluster, "window-nightly-open"), 0));
    expectCode(await stack.operate("preview", ["--refresh", "--expect-no-changes"]), 0);
    await onBoth(async (cluster) => expectCode(await runWindow(cluster, "window-nightly-close"), 0));
  });

  it("destroy takes the two objects and all they applied, but what a closed window left", async () => {
    expectCode(await stack.operate("destroy", ["--skip-preview"]), 0);
    await onBoth(async (cluster) => {
      await cluster.until("all Flux objects go", async () => (await cluster.conditions()) === "");
      expect(await cluster.data("live")).toBeUndefined();
      expect(await cluster.api.read(kustomizationRef("night"))).toBeUndefined();
      for (const kind of ["CronJob", "Job"]) expect(await cluster.api.list("batch/v1", kind)).toEqual([]);
      // Measured: Flux's finalizer does nothing for what is suspended.
      expect(await versionOf(cluster, "night")).toBe("3");
    });
    expect(Object.keys(await test.repository.files()).filter((path) => path.startsWith("clusters/"))).toEqual(
      [],
    );
  });

  async function certificateOf(kubeconfig: string): Promise<string> {
    const { KubeConfig } = await import("@kubernetes/client-node");
    const config = new KubeConfig();
    config.loadFromFile(kubeconfig);
    return Buffer.from(config.getCurrentCluster()?.caData ?? "", "base64").toString("utf8");
  }
});
