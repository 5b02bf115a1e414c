import { expect, it } from "vitest";
import { doStep, type Step } from "../../adopt/index.ts";
import type { ApiObject, ObjectApi, ObjectRef } from "../../status/index.ts";

/* What a step does to a cluster, in order, on an API that writes it down and may end in between. */

const root = {
  ...{ name: "flux-system", namespace: "gitops", path: "./clusters/a", prune: false, suspended: true },
  source: { namespace: "sources", name: "fleet" },
};
const old = { goes: [root], configurations: [] };

function apiWith(spec: object, endsAt = Infinity) {
  const calls: string[] = [];
  const note = <T>(call: string, answer: T): Promise<T> =>
    calls.push(call) > endsAt ? Promise.reject(new Error("killed")) : Promise.resolve(answer);
  const shown = ({ kind, namespace, name }: ObjectRef) => `${kind} ${namespace}/${name}`;
  const api: ObjectApi = {
    read: () => Promise.resolve({ spec } as unknown as ApiObject),
    apply: ({ kind, metadata, spec: wanted }: ApiObject) => {
      const { namespace, name, annotations = {} } = metadata as Readonly<Record<string, string>>;
      return note(
        `apply ${String(kind)} ${namespace}/${name} ${JSON.stringify(wanted ?? annotations)}`,
        undefined,
      );
    },
    remove: (ref: ObjectRef) => note(`remove ${shown(ref)}`, true),
  } as unknown as ObjectApi;
  return { calls, world: { api, bootstrap: "edge-config-bootstrap" } };
}

const remove: Step = { kind: "remove", old };

it("removes a source where the root says it is, and before the root, which a later call would know it by", async () => {
  const { calls, world } = apiWith({ suspend: true, prune: false });
  await doStep(remove, world);
  expect(calls).toEqual(["remove GitRepository sources/fleet", "remove Kustomization gitops/flux-system"]);
  const killed = apiWith({ suspend: true, prune: false }, 1);
  await expect(doStep(remove, killed.world)).rejects.toThrow("killed");
  expect(killed.calls[0]).toBe("remove GitRepository sources/fleet");
});

it.each([
  ["runs", { prune: false }],
  ["prunes", { suspend: true, prune: true }],
  ["says Delete itself", { suspend: true, prune: false, deletionPolicy: "Delete" }],
])("removes nothing where the root %s again", async (_, spec) => {
  const { calls, world } = apiWith(spec);
  await expect(doStep(remove, world)).rejects.toThrow("flux-system prunes again; nothing was removed.");
  expect(calls).toEqual([]);
});

it("stops the operator before the root that it makes", async () => {
  const { calls, world } = apiWith({});
  const instance = { name: "flux", namespace: "flux-system", isPaused: false };
  await doStep({ kind: "letGo", old: { ...old, instance } }, world);
  expect(calls).toEqual([
    `apply FluxInstance flux-system/flux ${JSON.stringify({ "fluxcd.controlplane.io/reconcile": "disabled" })}`,
    `apply Kustomization gitops/flux-system ${JSON.stringify({ suspend: true, prune: false })}`,
  ]);
});
