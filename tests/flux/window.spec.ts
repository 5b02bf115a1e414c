import { describe, expect, it } from "vitest";
import { renderClusterFolder } from "../../flux/folder.ts";
import { renderWindow } from "../../flux/window.ts";
import { clusterOf, setOf } from "./fixture.ts";

const nightly = { name: "nightly", open: "0 1 * * *", close: "0 4 * * *", timeZone: "Europe/Berlin" };
const windowed = (name: string, suspended = false) =>
  setOf(name, { window: "nightly", ...(suspended && { suspension: { reason: "INC-1" } }) });
const cluster = clusterOf({
  windows: [nightly],
  sets: [setOf("live"), windowed("pos"), windowed("web"), setOf("weekly", { window: "other" })],
});

/** The objects as far as the tests look at them. */
interface Pod {
  readonly serviceAccountName: string;
  readonly securityContext: unknown;
  readonly containers: readonly {
    readonly image: string;
    readonly command: readonly string[];
    readonly securityContext: unknown;
  }[];
}
interface CronJobSpec {
  readonly schedule: string;
  readonly startingDeadlineSeconds: number;
  readonly jobTemplate: { readonly spec: { readonly template: { readonly spec: Pod } } };
}
interface Rendered {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec?: CronJobSpec;
}
const objects = (...args: Parameters<typeof renderWindow>): Rendered[] =>
  renderWindow(...args) as unknown as Rendered[];
const job = (all: Rendered[], name: string): CronJobSpec =>
  all.find(({ metadata, spec }) => metadata.name === name && spec !== undefined)!.spec!;
const pod = (all: Rendered[], name: string): Pod => job(all, name).jobTemplate.spec.template.spec;
const command = (all: Rendered[], name: string): readonly string[] => pod(all, name).containers[0]!.command;

describe("a maintenance window", () => {
  const all = objects(nightly, cluster);

  it("is a service account, a role, a binding and two CronJobs in flux-system", () => {
    expect(all.map(({ kind, metadata }) => [kind, metadata])).toEqual(
      [
        ["ServiceAccount", "window-nightly"],
        ["Role", "window-nightly"],
        ["RoleBinding", "window-nightly"],
        ["CronJob", "window-nightly-open"],
        ["CronJob", "window-nightly-close"],
      ].map(([kind, name]) => [kind, { name, namespace: "flux-system" }]),
    );
  });

  it("may read and change exactly its own sets, and nothing else", () => {
    expect(all[1]).toHaveProperty("rules", [
      {
        apiGroups: ["kustomize.toolkit.fluxcd.io"],
        resources: ["kustomizations"],
        resourceNames: ["pos", "web"],
        verbs: ["get", "patch"],
      },
    ]);
    expect(all[2]).toMatchObject({
      roleRef: { kind: "Role", name: "window-nightly" },
      subjects: [{ kind: "ServiceAccount", name: "window-nightly", namespace: "flux-system" }],
    });
  });

  it("opens by one command: label on, suspend off, a reconcile request", () => {
    const argv = command(all, "window-nightly-open");
    expect(argv.slice(0, -1)).toEqual([
      "kubectl",
      "patch",
      "kustomizations.kustomize.toolkit.fluxcd.io",
      "pos",
      "web",
      "--namespace=flux-system",
      "--type=merge",
    ]);
    expect(JSON.parse(argv.at(-1)!.replace("--patch=", ""))).toEqual({
      metadata: {
        labels: { "kustomize.toolkit.fluxcd.io/reconcile": "disabled" },
        annotations: { "reconcile.fluxcd.io/requestedAt": "window-nightly-open" },
      },
      spec: { suspend: false },
    });
  });

  it("closes by one command: suspend on, label and request gone", () => {
    expect(JSON.parse(command(all, "window-nightly-close").at(-1)!.replace("--patch=", ""))).toEqual({
      metadata: {
        labels: { "kustomize.toolkit.fluxcd.io/reconcile": null },
        annotations: { "reconcile.fluxcd.io/requestedAt": null },
      },
      spec: { suspend: true },
    });
  });

  it("runs at its times in its time zone, never twice at once, and not long after", () => {
    const [open, close] = [job(all, "window-nightly-open"), job(all, "window-nightly-close")];
    expect([open.schedule, close.schedule]).toEqual(["0 1 * * *", "0 4 * * *"]);
    for (const spec of [open, close]) {
      expect(spec).toMatchObject({
        timeZone: "Europe/Berlin",
        concurrencyPolicy: "Forbid",
        successfulJobsHistoryLimit: 1,
        failedJobsHistoryLimit: 3,
        jobTemplate: { spec: { activeDeadlineSeconds: 600, backoffLimit: 4 } },
      });
      expect(spec.startingDeadlineSeconds).toBeLessThanOrEqual(3600);
    }
  });

  it("meets the restricted Pod Security Standard", () => {
    for (const name of ["window-nightly-open", "window-nightly-close"]) {
      const { securityContext, containers, serviceAccountName } = pod(all, name);
      expect(securityContext).toMatchObject({
        runAsNonRoot: true,
        seccompProfile: { type: "RuntimeDefault" },
      });
      expect(containers).toHaveLength(1);
      expect(containers[0]!.securityContext).toMatchObject({
        allowPrivilegeEscalation: false,
        capabilities: { drop: ["ALL"] },
      });
      expect(serviceAccountName).toBe("window-nightly");
      expect(containers[0]!.image).toMatch(/^registry\.k8s\.io\/kubectl:v\d+\.\d+\.\d+$/);
    }
  });

  it("takes another image, with a digest", () => {
    const image = `mirror.example.com/kubectl@sha256:${"a".repeat(64)}`;
    expect(JSON.stringify(renderWindow(nightly, cluster, image))).toContain(image);
  });

  it("never opens a set that is suspended by hand, and closes it still", () => {
    const some = objects(nightly, clusterOf({ sets: [windowed("pos", true), windowed("web")] }));
    expect(command(some, "window-nightly-open")).not.toContain("pos");
    expect(command(some, "window-nightly-close").slice(3, 5)).toEqual(["pos", "web"]);
    const none = objects(nightly, clusterOf({ sets: [windowed("pos", true)] }));
    expect(none.map(({ metadata }) => metadata.name)).toEqual([
      "window-nightly",
      "window-nightly",
      "window-nightly",
      "window-nightly-close",
    ]);
  });

  it("is nothing without sets: a role without names would be one for every Kustomization", () => {
    expect(renderWindow(nightly, clusterOf({ sets: [setOf("live")] }))).toEqual([]);
    const files = renderClusterFolder(clusterOf({ windows: [nightly], sets: [setOf("live")] }));
    expect(Object.keys(files)).toEqual(["flux/live.yaml"]);
  });

  it("is a file of its own that is not suspended", () => {
    const file = renderClusterFolder(cluster)["flux/window-nightly.yaml"]!;
    expect(file.match(/^---$/gm)).toHaveLength(5);
    expect(file).not.toMatch(/^ {2}suspend: true/m);
  });
});
