import { describe, expect, it } from "vitest";
import { objectsOf, roundTrip } from "./meaning.ts";

/** A Kustomization with what every one needs, and fields of a shape that Flux's documentation shows. */
const kustomization = (spec: string, metadata = ""): string => `apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata:
  name: shop
  namespace: flux-system
${metadata}spec:
  interval: 7m
  path: "./shop"
  prune: true
  sourceRef:
    kind: GitRepository
    name: flux-system
${spec}`;

/** Shapes of the YAML blocks of Flux's Kustomization documentation that are a whole object, with our own content. */
const shapes: Readonly<Record<string, string>> = {
  "a target namespace and a timeout": kustomization("  targetNamespace: shop\n  timeout: 1m\n"),
  "a deletion policy": kustomization("  targetNamespace: shop\n  deletionPolicy: Orphan\n"),
  "health checks of a Deployment": kustomization(
    "  healthChecks:\n    - apiVersion: apps/v1\n      kind: Deployment\n      name: till\n      namespace: shop\n",
  ),
  "health checks of HelmReleases": kustomization(
    "  healthChecks:\n    - apiVersion: helm.toolkit.fluxcd.io/v2\n      kind: HelmRelease\n      name: till\n      namespace: shop\n  timeout: 5m\n",
  ),
  "health check expressions": kustomization(
    "  wait: true\n  timeout: 1m\n  healthCheckExprs:\n    - apiVersion: example.com/v1\n      kind: Till\n      failed: status.conditions.filter(e, e.type == 'Synced').all(e, e.status == 'False')\n      current: status.conditions.filter(e, e.type == 'Synced').all(e, e.status == 'True')\n",
  ),
  "a dependency with a folded expression": kustomization(
    "  dependsOn:\n    - name: backend\n      readyExpr: >\n        dep.metadata.labels['v'] == self.metadata.labels['v'] &&\n        dep.metadata.generation == dep.status.observedGeneration\n",
    "  labels:\n    v: v1.2.3\n",
  ).concat("---\n", kustomization("").replace("name: shop\n", "name: backend\n")),
  "prefix and suffix": kustomization('  namePrefix: "shop-"\n  nameSuffix: "-a"\n'),
  "patches of both kinds": kustomization(`  patches:
    - patch: |-
        apiVersion: apps/v1
        kind: Deployment
        metadata:
          name: not-used
        spec:
          template:
            metadata:
              annotations:
                example.com/evict: "true"
      target:
        kind: Deployment
        labelSelector: "app.kubernetes.io/part-of=shop"
    - patch: |
        - op: add
          path: /spec/template/spec/containers/0/securityContext
          value:
            runAsNonRoot: true
            capabilities:
              drop:
                - ALL
      target:
        kind: Deployment
        name: till
        namespace: shop
`),
  images: kustomization(`  images:
  - name: till
    newName: registry.example.com/till
    newTag: v1
  - name: till
    newTag: "1.10"
  - name: till
    digest: sha256:24a0c4b4a4c0eb97a1aabb8e29f18e917d05abfe1b7a7c07857230879ce7d3d3
`),
  "build metadata": kustomization("  buildMetadata:\n  - originAnnotations\n"),
  components: kustomization("  ignoreMissingComponents: false\n  components:\n  - ../ingress\n  - ../tls\n"),
  variables: kustomization(`  postBuild:
    substitute:
      cluster_env: "prod"
      quote: '"' # a comment
      id: "123"
      enabled: "true"
    substituteFrom:
      - kind: ConfigMap
        name: cluster-vars
        # tolerated
        optional: true
      - kind: Secret
        name: cluster-secret-vars
`),
  "a strategy of substitution": kustomization("  postBuild:\n    substituteStrategy: Always\n"),
  "rules of what is ignored": kustomization(`  ignore:
    - paths:
        - "/spec/replicas"
      target:
        kind: Deployment
    - paths:
        - "/metadata/annotations/dns.example.com~1hostname"
      target:
        kind: Service
        name: till
`),
  "another cluster by a Secret": kustomization(
    "  kubeConfig:\n    secretRef:\n      name: remote  # made elsewhere\n",
  ),
  "another cluster by a ConfigMap": kustomization(
    "  kubeConfig:\n    configMapRef:\n      name: kubeconfig\n  serviceAccountName: shop # on that cluster\n",
  ),
  decryption: kustomization(
    "  decryption:\n    provider: sops\n    serviceAccountName: sops-identity\n    secretRef:\n      name: sops-keys\n",
  ),
  "intervals with comments": kustomization(
    "  wait: true # wait for all\n  timeout: 3m0s # give up\n  retryInterval: 2m0s\n  force: false\n",
  ),
  "a set of another namespace": kustomization("")
    .replace("namespace: flux-system", "namespace: apps")
    .replace("    name: flux-system\n", "    name: shop\n    namespace: shared\n"),
  "a source of another namespace": kustomization("").replace(
    "    name: flux-system\n",
    "    name: shop\n    namespace: shared\n",
  ),
};

describe("shapes of Flux's Kustomization documentation", () => {
  it.each(Object.entries(shapes))("%s: renders to the same meaning, and nothing is left out", (_, text) => {
    const { rendered, refusals } = roundTrip(
      { "shop.yaml": text },
      { repositoryUrl: "https://git.example.com/f.git" },
    );
    // What the fleet file decides on top is for somebody to look at.
    const decided = text.includes("namespace: shared") ? [expect.stringMatching(/^flux\.lockdown: /)] : [];
    expect(refusals).toEqual(decided);
    expect(rendered).toEqual(objectsOf([text]));
  });

  it("needs a Flux that has the fields, and no newer one", () => {
    const version = (name: string): string | undefined =>
      /version: "?([\d.]+)/.exec(roundTrip({ "a.yaml": shapes[name]! }).fleetYaml)?.[1];
    expect(version("build metadata")).toBe("2.9");
    expect(version("images")).toBeUndefined();
  });

  const refused: readonly (readonly [string, string, string])[] = [
    [
      "an object with its fields left out",
      "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: { name: a, namespace: flux-system }\nspec: { suspend: true }\n",
      "Kustomization a: spec.interval: is missing",
    ],
    [
      "a placeholder for a name",
      kustomization("").replace("name: shop\n", "name: <name>\n"),
      "Kustomization <name>: metadata.name: is not a name",
    ],
    ["a part of an object", "kustomize.toolkit.fluxcd.io/prune: disabled\n", "it has no kind"],
    ["another kind", "apiVersion: v1\nkind: Secret\nmetadata: { name: s }\n", "Secret s: is left out: "],
    ["what is no YAML", "a: 1\n  ... # left out\n b: 2\n", "cannot be read as YAML"],
    [
      "a duration without a unit",
      kustomization("  timeout: 5\n"),
      "spec.timeout: is nothing that Flux takes",
    ],
    [
      "the name of a generated file",
      kustomization("").replace("name: shop\n", "name: source-a\n"),
      "renaming it with prune on deletes",
    ],
    [
      "a backslash in a path",
      kustomization("").replace("./shop", "apps\\\\shop"),
      "spec.path: is not a folder",
    ],
  ];
  it.each(refused)("refuses %s by name", (_, text, reason) => {
    const { sets, rendered, refusals } = roundTrip({ "a.yaml": text });
    expect(sets).toEqual([]);
    expect(rendered).toEqual({});
    expect(refusals.join("\n")).toContain(reason);
  });
});
