import { expect, it } from "vitest";
import type { KubernetesObject } from "../../lab/cluster/clusterApi.ts";
import { kustomizationState, stateLine } from "../../lab/cluster/kustomizationState.ts";
import { waitUntil } from "../../lab/cluster/waitUntil.ts";
import { allReady } from "../../lab/cluster/watchKustomizations.ts";

/* What the demo says of Kustomizations, and how waits end. */

const commit = "48c375e759326350a273006277229e566680bd6f";

const condition = {
  type: "Ready",
  status: "True",
  reason: "ReconciliationSucceeded",
  message: "Applied revision",
  observedGeneration: 2,
};

function kustomization(change: { ready?: object; spec?: object; status?: object } = {}): KubernetesObject {
  return {
    apiVersion: "kustomize.toolkit.fluxcd.io/v1",
    kind: "Kustomization",
    metadata: { name: "set-01", generation: 2 },
    spec: { ...change.spec },
    status: {
      conditions: [
        { type: "Healthy", status: "False" },
        { ...condition, ...change.ready },
      ],
      lastAppliedRevision: `main@sha1:${commit}`,
      ...change.status,
    },
  };
}

it.each([
  ["ready", {}, "Ready"],
  ["refused", { ready: { status: "False" } }, "Not ready"],
  ["under way", { ready: { status: "Unknown" } }, "Unknown"],
  ["ready before its spec was changed", { ready: { observedGeneration: 1 } }, "Unknown"],
  ["suspended, whatever it said before", { spec: { suspend: true } }, "Suspended"],
  ["new, with nothing said yet", { status: { conditions: undefined } }, "Unknown"],
])("a Kustomization that is %s", (_, change, expected) => {
  expect(kustomizationState(kustomization(change)).ready).toBe(expected);
});

it("is one line, with the commit cut short", () => {
  expect(stateLine(kustomizationState(kustomization()))).toBe(
    "set-01                   Ready      ReconciliationSucceeded  main@sha1:48c375e",
  );
  const fresh = { ...kustomization(), status: {} };
  expect(stateLine(kustomizationState(fresh))).toBe("set-01                   Unknown");
});

it("all are ready when each is there, ready, and at the commit", () => {
  const at = (object: KubernetesObject) => new Map([["set-01", kustomizationState(object)]]);
  expect(allReady(at(kustomization()), ["set-01"], commit)).toBe(true);
  expect(allReady(at(kustomization()), ["set-01", "set-02"], commit)).toBe(false);
  expect(allReady(at(kustomization({ ready: { status: "False" } })), ["set-01"], commit)).toBe(false);
  const before = { lastAppliedRevision: `main@sha1:${"0".repeat(40)}` };
  expect(allReady(at(kustomization({ status: before })), ["set-01"], commit)).toBe(false);
});

it("a wait gives what it has found", async () => {
  let looks = 0;
  const look = () => Promise.resolve(++looks === 3 && "there");
  expect(await waitUntil("it", look, { everyMs: 1 })).toBe("there");
});

it("a wait in vain says what it waited for, what was there instead, and the last error", async () => {
  const look = () => Promise.reject(new Error("connection refused"));
  const wait = waitUntil("set-01 is ready", look, { seconds: 0, instead: () => "set-01 is Not ready" });
  await expect(wait).rejects.toThrow(
    "Waited 0 s for this, and it did not come: set-01 is ready.\nset-01 is Not ready\nconnection refused",
  );
});

it("a wait ends at once when there is a reason", async () => {
  const wait = waitUntil("it", () => Promise.resolve(true), { failure: () => new Error("etcd ended") });
  await expect(wait).rejects.toThrow("etcd ended");
});
