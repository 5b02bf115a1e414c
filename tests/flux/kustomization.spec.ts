import { describe, expect, it } from "vitest";
import type { PlainMap } from "../../fleet/model.ts";
import { renderKustomization } from "../../flux/kustomization.ts";
import { toYaml } from "../../flux/yaml.ts";
import { setOf } from "./fixture.ts";
import { readAll } from "./readers.ts";

const text = (...args: Parameters<typeof setOf>): string => toYaml(renderKustomization(setOf(...args)), "n");

/** Every field of Flux's Kustomization, in an order of no sense. */
const everything: PlainMap & { path: string; interval: string; prune: boolean } = {
  decryption: { secretRef: { name: "keys" }, provider: "sops" },
  kubeConfig: { secretRef: { key: "value", name: "remote" } },
  ignore: [{ target: { kind: "Deployment" }, paths: ["/spec/replicas"] }],
  force: false,
  postBuild: {
    substituteFrom: [{ optional: true, name: "vars", kind: "ConfigMap" }],
    substitute: { zone: "0042", area: "yes" },
    substituteStrategy: "Always",
  },
  ignoreMissingComponents: true,
  components: ["../tls"],
  buildMetadata: ["originAnnotations"],
  images: [{ newTag: "1.10", name: "web" }],
  patches: [{ target: { name: "web", kind: "Deployment" }, patch: "- op: remove\n  path: /spec\n" }],
  nameSuffix: "-b",
  namePrefix: "a-",
  commonMetadata: { labels: { team: "edge" }, annotations: { note: "on" } },
  serviceAccountName: "deployer",
  timeout: "5m",
  wait: true,
  healthCheckExprs: [{ current: "true", apiVersion: "example.com/v1", kind: "Thing" }],
  healthChecks: [{ namespace: "web", name: "web", kind: "Deployment", apiVersion: "apps/v1" }],
  targetNamespace: "web",
  path: "./apps/web",
  retryInterval: "2m",
  interval: "10m",
  deletionPolicy: "Orphan",
  prune: true,
};

describe("the Kustomization of a set", () => {
  it("has every field of Flux's API, in the order of Flux's documentation, as written here by hand", () => {
    const set = {
      spec: everything,
      sourceRef: { kind: "OCIRepository", name: "web", namespace: "shared" },
      dependsOn: [
        { name: "infrastructure" },
        { name: "mesh", namespace: "platform", readyExpr: "dep.status.ok", external: true },
      ],
      suspension: { reason: "INC-4711", until: "2026-12-24" },
      labels: { tier: "1", app: "web" },
      annotations: { owner: "me" },
    } as const;
    expect(text("web", set)).toBe(`# n
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata:
  name: web
  namespace: flux-system
  labels:
    app: web
    tier: "1"
  annotations:
    arcflux.io/suspend-reason: INC-4711
    arcflux.io/suspend-until: "2026-12-24"
    owner: me
spec:
  sourceRef:
    kind: OCIRepository
    name: web
    namespace: shared
  prune: true
  deletionPolicy: Orphan
  interval: "10m"
  retryInterval: "2m"
  path: ./apps/web
  targetNamespace: web
  suspend: true
  healthChecks:
    - apiVersion: apps/v1
      kind: Deployment
      name: web
      namespace: web
  healthCheckExprs:
    - apiVersion: example.com/v1
      kind: Thing
      current: "true"
  wait: true
  timeout: "5m"
  dependsOn:
    - name: infrastructure
    - name: mesh
      namespace: platform
      readyExpr: dep.status.ok
  serviceAccountName: deployer
  commonMetadata:
    annotations:
      note: "on"
    labels:
      team: edge
  namePrefix: "a-"
  nameSuffix: "-b"
  patches:
    - patch: "- op: remove\\n  path: /spec\\n"
      target:
        kind: Deployment
        name: web
  images:
    - name: web
      newTag: "1.10"
  buildMetadata:
    - originAnnotations
  components:
    - "../tls"
  ignoreMissingComponents: true
  postBuild:
    substitute:
      area: "yes"
      zone: "0042"
    substituteFrom:
      - kind: ConfigMap
        name: vars
        optional: true
    substituteStrategy: Always
  force: false
  ignore:
    - paths:
        - "/spec/replicas"
      target:
        kind: Deployment
  kubeConfig:
    secretRef:
      name: remote
      key: value
  decryption:
    provider: sops
    secretRef:
      name: keys
`);
  });

  it("puts fields that it does not know last, sorted", () => {
    const spec = {
      path: "./a",
      interval: "10m",
      prune: true,
      zeta: 1,
      alpha: [{ b: 1, a: null }],
      decryption: {},
    };
    expect(Object.keys(renderKustomization(setOf("a", { spec })).spec)).toEqual([
      "sourceRef",
      "prune",
      "interval",
      "path",
      "decryption",
      "alpha",
      "zeta",
    ]);
  });

  it("names its window, and is not suspended for it", () => {
    const { metadata, spec } = renderKustomization(setOf("a", { window: "nightly" }));
    expect(spec["suspend"]).toBeUndefined();
    expect(metadata["annotations"]).toEqual({ "arcflux.io/window": "nightly" });
  });

  it("says nothing of suspend when it is live, since Flux would put that back over a suspension by hand", () => {
    expect(text("a")).not.toContain("suspend");
    expect(text("a")).not.toContain("annotations");
  });

  it("keeps patches byte for byte: tabs, blocks in blocks, trailing spaces, long lines (A17)", () => {
    const patch = `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: x\ndata:\n  run: |\n    a\tb  \n\n    ${"long ".repeat(80)}\n  end: >-\n    on\n`;
    const spec = { path: "./a", interval: "10m", prune: true, patches: [{ patch }] };
    for (const read of readAll(text("a", { spec }))) {
      expect(read).toMatchObject({ spec: { patches: [{ patch }] } });
    }
  });
});
