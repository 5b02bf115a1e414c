import { beforeEach, describe, expect, it } from "vitest";
import { ApplyError, type ApplyOutcome, applyPlan, type ApplyPlan, takeOut } from "../../apply/index.ts";
import { HiddenValues } from "../../apply/hiddenValues.ts";
import type { PlainMap } from "../../fleet/model.ts";
import { Declined } from "../../status/index.ts";
import { MemoryCluster } from "./memoryCluster.ts";

let cluster: MemoryCluster;
let time: number;
beforeEach(() => {
  cluster = new MemoryCluster();
  time = 0;
});

const clock = {
  now: () => time,
  sleep(milliseconds: number) {
    time += milliseconds;
    return Promise.resolve();
  },
};

const object = (kind: string, name: string, more: PlainMap = {}): PlainMap => ({
  apiVersion: kind === "Deployment" ? "apps/v1" : "v1",
  kind,
  metadata: { name, ...(kind !== "Namespace" && { namespace: "shop" }) },
  ...more,
});

interface Named {
  readonly name: string;
  readonly namespace?: string;
}

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: Named;
}

/** Sets that each wait for all they hold, the second for the first. */
function plan(sets: Readonly<Record<string, readonly PlainMap[]>>, more: Partial<ApplyPlan> = {}): ApplyPlan {
  const names = Object.keys(sets);
  return {
    cluster: "e2e",
    leftOut: new Map(),
    hide: (text) => text.replaceAll("kept-to-itself", "(hidden)"),
    sets: names.map((name, index) => ({
      ...{ name, objects: sets[name]!, timeout: 5_000, prune: true },
      dependsOn: names.slice(Math.max(0, index - 1), index),
      waitsFor: sets[name]!.map((one) => {
        const { apiVersion, kind, metadata } = one as unknown as Manifest;
        return { apiVersion, kind, ...metadata };
      }),
    })),
    ...more,
  };
}

const run = (what: ApplyPlan): Promise<ApplyOutcome> => applyPlan(what, { api: cluster, ...clock });
const states = ({ sets }: ApplyOutcome) => Object.fromEntries(sets.map(({ set, state }) => [set, state]));
const done = ({ changes }: ApplyOutcome) => changes.map(({ what, object: which }) => `${what} ${which}`);

describe("applyPlan", () => {
  it("writes down what it is about to make before it makes it, and a second run changes nothing", async () => {
    const sets = plan({
      base: [object("ConfigMap", "a"), object("Namespace", "shop")],
      app: [object("ConfigMap", "b")],
    });
    const first = await run(sets);
    expect(done(first)).toEqual([
      "created Namespace shop",
      "created ConfigMap shop/a",
      "created ConfigMap shop/b",
    ]);
    expect(cluster.calls).toEqual([
      "apply ConfigMap/default/arcflux-e2e",
      "apply Namespace/shop",
      "apply ConfigMap/shop/a",
      "apply ConfigMap/shop/b",
    ]);
    cluster.calls.length = 0;
    expect(done(await run(sets)).every((one) => one.startsWith("unchanged"))).toBe(true);
    expect(cluster.calls).toEqual([]);
  });

  it("holds what depends on a set that is not healthy in time, says why, and deletes nothing then", async () => {
    cluster.status = ({ kind }) =>
      kind === "Deployment" ? { status: { replicas: 1, updatedReplicas: 1 } } : {};
    await run(plan({ old: [object("ConfigMap", "old")] }));
    const found = await run(plan({ base: [object("Deployment", "web")], app: [object("ConfigMap", "b")] }));
    expect(states(found)).toEqual({ base: "late", app: "held" });
    expect(found.sets[0]!.why).toEqual(["Deployment shop/web: 0 of 1 replicas are available"]);
    expect(time).toBeGreaterThan(4_999);
    expect(cluster.objects.has("ConfigMap/shop/b")).toBe(false);
    expect(cluster.objects.has("ConfigMap/shop/old")).toBe(true);
    // A deployment that will never come is not waited for.
    const stalled = {
      type: "Progressing",
      status: "False",
      reason: "ProgressDeadlineExceeded",
      message: "no image",
    };
    cluster.status = ({ kind }) => (kind === "Deployment" ? { status: { conditions: [stalled] } } : {});
    time = 0;
    expect((await run(plan({ base: [object("Deployment", "web")] }))).sets[0]!.why).toEqual([
      "Deployment shop/web: no image",
    ]);
    expect(time).toBe(0);
  });

  it("tries again what the cluster could not take yet, and not what it never will", async () => {
    const sets = plan({ base: [object("Secret", "s")], app: [object("ConfigMap", "a")] });
    cluster.refuse = (one) =>
      one["kind"] === "Secret" ? new Declined("data: illegal value kept-to-itself", false) : undefined;
    const found = await run(sets);
    expect(states(found)).toEqual({ base: "refused", app: "held" });
    expect(found.sets[0]!.why).toEqual(["Secret shop/s is refused: it is not valid"]);
    let left = 2;
    cluster.refuse = (one) =>
      one["kind"] === "Secret" && left-- > 0 ? new Declined('namespaces "shop" not found', true) : undefined;
    expect(states(await run(sets))).toEqual({ base: "ready", app: "ready" });
    expect(time).toBe(2_000);
  });

  it("finds after a run that was cut off what that one made", async () => {
    const sets = plan({ base: [object("ConfigMap", "a"), object("ConfigMap", "b")] });
    cluster.refuse = ({ metadata }) =>
      (metadata as { name: string }).name === "b" ? new Error("the machine went away") : undefined;
    await expect(run(sets)).rejects.toThrow("the machine went away");
    cluster.refuse = () => undefined;
    const found = await run(plan({ base: [object("ConfigMap", "c")] }));
    expect(done(found)).toEqual(["created ConfigMap shop/c", "deleted ConfigMap shop/a"]);
  });

  it("deletes only what it made, in the order back, and leaves what others had or made anew", async () => {
    cluster.put({ kind: "ConfigMap", metadata: { namespace: "shop", name: "was" } });
    const base = [object("Namespace", "shop")];
    await run(plan({ base, app: [object("ConfigMap", "was"), object("ConfigMap", "a")] }));
    cluster.put({ kind: "ConfigMap", metadata: { namespace: "shop", name: "a" } });
    const less = await run(plan({ base }));
    expect(done(less)).toEqual(["unchanged Namespace shop"]);
    expect(less.left).toEqual([
      "ConfigMap shop/was was made by others, and stays",
      "ConfigMap shop/a was made anew by others, and stays",
    ]);
    // A set that is left out, or that does not prune, keeps what it has.
    await run(plan({ base, app: [object("ConfigMap", "b")] }));
    await run(plan({ base }, { leftOut: new Map([["app", "by --without"]]) }));
    expect(cluster.objects.has("ConfigMap/shop/b")).toBe(true);
    cluster.calls.length = 0;
    const asked = await takeOut("e2e", { isMeant: false, timeout: 1_000 }, { api: cluster, ...clock });
    expect([asked.goes, cluster.calls]).toEqual([["ConfigMap shop/b", "Namespace shop"], []]);
    await takeOut("e2e", { isMeant: true, timeout: 1_000 }, { api: cluster, ...clock });
    expect(cluster.calls.filter((call) => call.startsWith("delete"))).toEqual([
      "delete ConfigMap/shop/b",
      "delete Namespace/shop",
      "delete ConfigMap/default/arcflux-e2e",
    ]);
  });

  it("keeps what a set without prune had, though the set is gone or empty by now", async () => {
    const [base, keep] = [[object("Namespace", "shop")], [object("ConfigMap", "b")]];
    const all = plan({ base, keep });
    const unpruned = all.sets.map((set) => ({ ...set, prune: set.name !== "keep" }));
    await run({ ...all, sets: unpruned });
    for (let round = 0; round < 2; round++)
      expect(done(await run(plan({ base })))).toEqual(["unchanged Namespace shop"]);
    expect(cluster.objects.has("ConfigMap/shop/b")).toBe(true);
    // Whoever takes all out means it too; and a set that prunes now does.
    const asked = await takeOut("e2e", { isMeant: false, timeout: 1_000 }, { api: cluster, ...clock });
    expect(asked.goes).toEqual(["ConfigMap shop/b", "Namespace shop"]);
    expect(done(await run(plan({ base, keep: [object("ConfigMap", "c")] })))).toContain(
      "deleted ConfigMap shop/b",
    );
  });

  it("leaves what others made anew between two applies, and takes what it made anew itself", async () => {
    const sets = plan({ base: [object("ConfigMap", "a"), object("ConfigMap", "was")] });
    cluster.put({ kind: "ConfigMap", metadata: { namespace: "shop", name: "was" } });
    await run(sets);
    cluster.put({ kind: "ConfigMap", metadata: { namespace: "shop", name: "a" }, data: { theirs: "1" } });
    cluster.objects.delete("ConfigMap/shop/was");
    await run(sets);
    const out = await takeOut("e2e", { isMeant: true, timeout: 1_000 }, { api: cluster, ...clock });
    expect([out.goes, out.stays]).toEqual([
      ["ConfigMap shop/was"],
      ["ConfigMap shop/a was made by others, and stays"],
    ]);
    expect([...cluster.objects.keys()]).toEqual(["ConfigMap/shop/a"]);
  });

  it("changes nothing where Flux has the objects, a controller is missing or the inventory is not ours", async () => {
    const flux = { "kustomize.toolkit.fluxcd.io/name": "pos" };
    cluster.put({ kind: "ConfigMap", metadata: { namespace: "shop", name: "a", labels: flux } });
    await expect(run(plan({ base: [object("ConfigMap", "a")] }))).rejects.toThrow(
      /^ConfigMap shop\/a belongs to Flux there \(Kustomization pos\)\n.*check --context\.$/,
    );
    cluster.unknown = ["HelmRelease"];
    const release = { ...object("HelmRelease", "chart"), apiVersion: "helm.toolkit.fluxcd.io/v2" };
    await expect(run(plan({ base: [release] }))).rejects.toThrow(/leave the set out: --without base$/);
    cluster.put({
      kind: "ConfigMap",
      metadata: { namespace: "default", name: "arcflux-e2e" },
      data: { inventory: "{" },
    });
    const mine = { api: cluster, ...clock };
    await expect(run(plan({ base: [object("ConfigMap", "b")] }))).rejects.toThrow(ApplyError);
    await expect(takeOut("e2e", { isMeant: true, timeout: 1 }, mine)).rejects.toThrow(ApplyError);
    expect(cluster.calls).toEqual([]);
  });
});

describe("HiddenValues", () => {
  it("takes values of Secrets out of what a cluster says, the longest first, and those of ConfigMaps not", () => {
    const hidden = new HiddenValues([
      { kind: "Secret", stringData: { key: "kept-to", pin: "123" }, data: { token: "a2VwdC10by1pdHNlbGY=" } },
      { kind: "ConfigMap", data: { site: "store-1" } },
    ]);
    const said = 'spec.key: Invalid value: "kept-to-itself" (kept-to, 123, a2VwdC10by1pdHNlbGY=) of store-1';
    expect(hidden.hide(said)).toBe(
      'spec.key: Invalid value: "(hidden)" ((hidden), 123, (hidden)) of store-1',
    );
  });
});
