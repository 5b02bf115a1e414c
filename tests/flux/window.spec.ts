import { load, loadAll } from "js-yaml";
import { describe, expect, it } from "vitest";
import { renderClusterFolder } from "../../flux/folder.ts";
import { mustLoad, fleetText } from "../fleet/fixture.ts";
import { clusterOf, setOf, windowOf } from "./fixture.ts";

interface Container {
  readonly name: string;
  readonly image: string;
  readonly command: readonly string[];
  readonly env?: unknown;
  readonly securityContext: unknown;
  readonly resources: unknown;
}
interface Pod extends Record<string, unknown> {
  readonly initContainers?: readonly Container[];
  readonly containers: readonly Container[];
}
interface Rendered {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly annotations?: unknown };
  readonly rules?: unknown;
  readonly spec: Record<string, unknown>;
}

const cluster = clusterOf({
  windows: [windowOf("nightly")],
  sets: [
    setOf("live"),
    setOf("pos", { window: "nightly" }),
    setOf("web", { window: "nightly", sourceRef: { kind: "OCIRepository", name: "charts" } }),
  ],
  sources: [
    {
      name: "charts",
      kind: "OCIRepository",
      self: false,
      spec: { url: "oci://h/x", ref: { tag: "1.4.0" }, interval: "10m" },
    },
  ],
});
const rendered = (of = cluster): Rendered[] =>
  loadAll(renderClusterFolder(of)["flux/window-nightly.yaml"]!).filter(
    (document) => document !== null,
  ) as Rendered[];
const object = (all: readonly Rendered[], kind: string, name = "window-nightly"): Rendered =>
  all.find((one) => one.kind === kind && one.metadata.name === name)!;
const podOf = (cronJob: Rendered): Pod =>
  (cronJob.spec as { jobTemplate: { spec: { template: { spec: Pod } } } }).jobTemplate.spec.template.spec;
const patchOf = ({ command }: Container): unknown =>
  JSON.parse(command.find((word) => word.startsWith("--patch="))!.slice("--patch=".length));

describe("a maintenance window", () => {
  const all = rendered();

  it("is a source, a Kustomization, an account with its role, and the jobs", () => {
    expect(all.map(({ kind, metadata }) => [kind, metadata.name])).toEqual([
      ["GitRepository", "window-nightly"],
      ["Kustomization", "window-nightly"],
      ["ServiceAccount", "window-nightly"],
      ["Role", "window-nightly"],
      ["RoleBinding", "window-nightly"],
      ["CronJob", "window-nightly-open-1"],
      ["CronJob", "window-nightly-shut"],
    ]);
  });

  it("has a source that is made shut, and that the bootstrap never touches again", () => {
    expect(object(all, "GitRepository")).toMatchObject({
      metadata: { annotations: { "kustomize.toolkit.fluxcd.io/ssa": "IfNotPresent" } },
      spec: { url: "https://git.example.com/edge/fleet.git", ref: { branch: "main" }, suspend: true },
    });
  });

  it("has a live Kustomization of the folder with its sets, which take from the window too", () => {
    expect(object(all, "Kustomization").spec).toEqual({
      sourceRef: { kind: "GitRepository", name: "window-nightly" },
      prune: true,
      interval: "10m",
      retryInterval: "2m",
      timeout: "5m",
      path: "./clusters/edge-0/windows/nightly",
    });
    const files = renderClusterFolder(cluster);
    expect(Object.keys(files).sort()).toEqual([
      "flux/live.yaml",
      "flux/window-nightly.yaml",
      "windows/nightly/pos.yaml",
      "windows/nightly/source-charts.yaml",
      "windows/nightly/web.yaml",
    ]);
    const spec = (path: string) => (load(files[path]!) as Rendered).spec;
    expect(spec("windows/nightly/pos.yaml")).toMatchObject({
      path: "./pos",
      sourceRef: { kind: "GitRepository", name: "window-nightly" },
    });
    expect(spec("windows/nightly/pos.yaml")).not.toHaveProperty("suspend");
    expect(spec("windows/nightly/web.yaml")["sourceRef"]).toEqual({
      kind: "OCIRepository",
      name: "window-nightly.charts",
    });
    expect(load(files["windows/nightly/source-charts.yaml"]!)).toMatchObject({
      kind: "OCIRepository",
      metadata: { name: "window-nightly.charts" },
      spec: { ref: { tag: "1.4.0" } },
    });
  });

  it("may read and patch that source, and nothing else", () => {
    expect(object(all, "Role").rules).toEqual([
      {
        apiGroups: ["source.toolkit.fluxcd.io"],
        resources: ["gitrepositories"],
        resourceNames: ["window-nightly"],
        verbs: ["get", "list", "watch", "patch"],
      },
    ]);
  });

  it("opens by one job: open with the whole spec, wait for that fetch, shut", () => {
    const pod = podOf(object(all, "CronJob", "window-nightly-open-1"));
    const [open, fetch] = pod.initContainers!;
    expect([pod.initContainers!.length, pod.containers.length]).toEqual([2, 1]);
    expect(open!.env).toEqual([{ name: "REQUEST", valueFrom: { fieldRef: { fieldPath: "metadata.uid" } } }]);
    expect(open!.command.slice(0, -1)).toEqual([
      "kubectl",
      "patch",
      "gitrepositories.source.toolkit.fluxcd.io/window-nightly",
      "--namespace=flux-system",
      "--type=merge",
    ]);
    const noRef = { tag: null, semver: null, name: null, commit: null };
    expect(patchOf(open!)).toMatchObject({
      metadata: { annotations: { "reconcile.fluxcd.io/requestedAt": "$(REQUEST)" } },
      spec: {
        url: "https://git.example.com/edge/fleet.git",
        interval: "24h",
        ref: { branch: "main", ...noRef },
        secretRef: null,
        verify: null,
        suspend: false,
      },
    });
    expect(fetch!.command).toEqual([
      "kubectl",
      "wait",
      "gitrepositories.source.toolkit.fluxcd.io/window-nightly",
      "--namespace=flux-system",
      "--for=jsonpath={.status.lastHandledReconcileAt}=$(REQUEST)",
      "--timeout=120s",
    ]);
    expect(patchOf(pod.containers[0]!)).toEqual({ spec: { suspend: true } });
  });

  it("never opens late, not twice at once, and not after the device was off", () => {
    const { spec } = object(all, "CronJob", "window-nightly-open-1");
    expect(spec).toMatchObject({
      schedule: "*/10 1-3 * * *",
      timeZone: "Europe/Berlin",
      concurrencyPolicy: "Forbid",
      startingDeadlineSeconds: 240,
      jobTemplate: { spec: { backoffLimit: 0, activeDeadlineSeconds: 240 } },
    });
    expect(podOf(object(all, "CronJob", "window-nightly-open-1"))["activeDeadlineSeconds"]).toBe(240);
  });

  it("is shut every hour, and at once where that was missed", () => {
    const shut = object(all, "CronJob", "window-nightly-shut");
    expect(shut.spec).toMatchObject({ schedule: "5 * * * *", timeZone: "Europe/Berlin" });
    expect(shut.spec).not.toHaveProperty("startingDeadlineSeconds");
    expect(patchOf(podOf(shut).containers[0]!)).toEqual({ spec: { suspend: true } });
  });

  it("meets the restricted Pod Security Standard", () => {
    for (const cronJob of all.filter(({ kind }) => kind === "CronJob")) {
      const pod = podOf(cronJob);
      expect(pod["securityContext"]).toMatchObject({
        runAsNonRoot: true,
        seccompProfile: { type: "RuntimeDefault" },
      });
      for (const { securityContext } of [...(pod.initContainers ?? []), ...pod.containers])
        expect(securityContext).toMatchObject({
          allowPrivilegeEscalation: false,
          capabilities: { drop: ["ALL"] },
        });
    }
  });

  it("keeps its objects and an empty folder without sets, so that the last one goes in the window", () => {
    const files = renderClusterFolder({ ...cluster, sets: [setOf("live")], sources: [] });
    expect(Object.keys(files).sort()).toEqual([
      "flux/live.yaml",
      "flux/window-nightly.yaml",
      "windows/nightly/.gitkeep",
    ]);
  });

  it("stays shut while its cluster is frozen, and says why", () => {
    const freeze = {
      name: "xmas",
      from: "2026-12-18",
      until: "2027-01-06",
      reason: "Trade",
      liveSets: false,
    };
    const frozen = rendered({ ...cluster, freeze });
    expect(object(frozen, "CronJob", "window-nightly-open-1")).toMatchObject({
      metadata: { annotations: { "arcflux.io/freeze": "xmas: Trade" } },
      spec: { suspend: true },
    });
    expect(object(frozen, "CronJob", "window-nightly-shut").spec).not.toHaveProperty("suspend");
  });
});

describe("the jobs of a window", () => {
  it("run what fleet, group and cluster say: image, pull secret, tolerations, resources", () => {
    const digest = `sha256:${"a".repeat(64)}`;
    const fleet = mustLoad(
      fleetText({
        top: `windowJobs: { image: "registry.plant.example:5000/mirror/kubectl@${digest}", pullSecret: mirror }
windows: { nightly: { open: 0 1 * * *, duration: 3h } }
groups: { all: { match: {}, windowJobs: { tolerations: [{ operator: Exists }] } } }`,
        cluster:
          "windowJobs: { resources: { limits: { memory: 64Mi } } }\nsets: { pos: { window: nightly } }",
      }),
    );
    const pod = podOf(object(rendered(fleet.clusters[0]), "CronJob", "window-nightly-shut"));
    expect(pod).toMatchObject({
      imagePullSecrets: [{ name: "mirror" }],
      tolerations: [{ operator: "Exists" }],
      containers: [
        {
          image: `registry.plant.example:5000/mirror/kubectl@${digest}`,
          resources: { limits: { memory: "64Mi" } },
        },
      ],
    });
  });
});

it("of a cluster that is suspended opens no more, and says why", () => {
  const jobs = rendered({ ...cluster, suspension: { reason: "INC-4711" } }).filter(
    ({ kind }) => kind === "CronJob",
  );
  expect(jobs.map(({ metadata, spec }) => [metadata.name, spec["suspend"], metadata.annotations])).toEqual([
    ["window-nightly-open-1", true, { "arcflux.io/suspend-reason": "INC-4711" }],
    ["window-nightly-shut", undefined, undefined],
  ]);
});
