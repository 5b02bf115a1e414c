import { describe, expect, it } from "vitest";
import { objectsOf, roundTrip } from "./meaning.ts";

/* Shapes of real fleets (cases E02, E03, E05 and E06), with content of our own. */

const gotk = `apiVersion: source.toolkit.fluxcd.io/v1
kind: GitRepository
metadata: { name: flux-system, namespace: flux-system }
spec:
  interval: 1m0s
  ref: { branch: main }
  url: https://git.example.com/shop/fleet.git
---
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: { name: flux-system, namespace: flux-system }
spec:
  interval: 10m0s
  path: ./clusters/x
  prune: true
  sourceRef: { kind: GitRepository, name: flux-system }
`;

/** Everything but what brings the folder to the cluster, which Arcflux makes itself. */
function expectSame(
  files: Readonly<Record<string, string>>,
  kinds = /^(Kustomization|GitRepository|OCIRepository|Bucket) /,
) {
  const result = roundTrip(files);
  const wanted = Object.fromEntries(
    Object.entries(
      objectsOf(Object.entries(files).flatMap(([name, text]) => (name.endsWith(".yaml") ? [text] : []))),
    ).filter(([name]) => kinds.test(name) && !name.endsWith(" flux-system")),
  );
  expect(Object.keys(wanted).length).toBeGreaterThan(0);
  expect(result.rendered).toEqual(wanted);
  return result;
}

describe("importing real fleets", () => {
  it("takes a retail store's near-identical v1beta2 files, and names the upgrade of each (E02)", () => {
    const store = (name: string): string => `apiVersion: "kustomize.toolkit.fluxcd.io/v1beta2"
kind: Kustomization
metadata:
  name: "kustomization-${name}"
  namespace: flux-system
spec:
  interval: 5m0s
  path: ./deploy/apps/${name}/west/
  prune: true
  wait: true
  timeout: 2m
  sourceRef:
    kind: GitRepository
    name: flux-system
  postBuild:
    substitute:
      STORE_ID: "4010"
      REGION: west
`;
    const { refusals, sets, fleetYaml } = expectSame({
      "flux-system/gotk-sync.yaml": gotk,
      "flux-system/kustomization-till.yaml": store("till"),
      "flux-system/workspaces/kustomization-signage.yaml": store("signage"),
    });
    expect(sets).toEqual(["kustomization-signage", "kustomization-till"]);
    expect(refusals).toEqual([
      "Kustomization kustomization-till: apiVersion: is an old one; it is written as v1",
      "Kustomization kustomization-signage: apiVersion: is an old one; it is written as v1",
      "Kustomization flux-system: is the root: Arcflux makes edge-config-bootstrap beside it, which applies the flux folder alone",
    ]);
    expect(fleetYaml).toContain("url: https://git.example.com/shop/fleet.git\n");
  });

  it("takes two sets of one file, service accounts, 720m0s and an ExternalArtifact, and refuses a partial patch by name (E03)", () => {
    const full = `apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: { name: infra-controllers, namespace: flux-system }
spec:
  interval: 720m0s
  retryInterval: 1m
  timeout: 5m
  sourceRef: { kind: GitRepository, name: flux-system }
  serviceAccountName: kustomize-controller
  path: ./infrastructure/controllers
  prune: true
  wait: true
---
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: { name: infra-configs, namespace: flux-system }
spec:
  dependsOn: [{ name: infra-controllers }]
  interval: 1h
  retryInterval: 1m
  timeout: 5m
  sourceRef: { kind: ExternalArtifact, name: configs }
  serviceAccountName: kustomize-controller
  path: ./infrastructure/configs
  prune: true
  patches:
    - patch: |
        - op: replace
          path: /spec/acme/server
          value: https://acme.example.com/directory
      target: { kind: ClusterIssuer, name: letsencrypt }
`;
    expectSame({ "gotk-sync.yaml": gotk, "infrastructure.yaml": full });
    const patch = `apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: { name: dev-team, namespace: flux-system }
spec: { path: ./tenants/dev-team/production }
`;
    expect(roundTrip({ "gotk-sync.yaml": gotk, "tenants/dev-team-patch.yaml": patch })).toMatchObject({
      sets: [],
      rendered: {},
      refusals: expect.arrayContaining([
        "Kustomization dev-team: spec.interval: is missing, and Flux requires it; the object is left out",
        "Kustomization dev-team: spec.prune: is missing; it is written as false, so that nothing is deleted",
        "Kustomization dev-team: spec.sourceRef: is missing, and Flux requires it; the object is left out",
      ]) as unknown,
    });
  });

  it("takes a long chain of sets in one file, with sources of every kind and encrypted secrets (E05)", () => {
    const chain = Array.from({ length: 17 }, (_, index) => {
      const before = index === 0 ? "" : `  dependsOn:\n    - name: step-${index - 1}\n`;
      return `---
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata:
  name: step-${index}
  namespace: flux-system
spec:
${before}  interval: 30m0s
  path: infrastructure/step-${index}
  prune: ${index % 2 === 0}
  sourceRef:
    kind: GitRepository
    name: flux-system
    namespace: flux-system
  decryption:
    provider: sops
    secretRef:
      name: sops-age
  postBuild:
    substituteFrom:
      - kind: ConfigMap
        name: cluster-settings
      - kind: Secret
        name: cluster-secrets
        optional: true
`;
    }).join("");
    const sources = `apiVersion: source.toolkit.fluxcd.io/v1
kind: GitRepository
metadata: { name: charts, namespace: flux-system }
spec: { interval: 1h, url: "https://git.example.com/charts.git", ref: { semver: ">=1.0.0" }, ignore: "/*\\n!/deploy\\n", include: [{ repository: { name: base }, toPath: base }] }
---
apiVersion: source.toolkit.fluxcd.io/v1
kind: GitRepository
metadata: { name: base, namespace: flux-system }
spec: { interval: 1h, url: "https://git.example.com/base.git", suspend: true }
---
apiVersion: source.toolkit.fluxcd.io/v1
kind: OCIRepository
metadata: { name: images, namespace: flux-system }
spec: { interval: 5m, url: "oci://registry.example.com/shop/images", ref: { tag: latest }, provider: azure }
---
apiVersion: source.toolkit.fluxcd.io/v1
kind: Bucket
metadata: { name: media, namespace: flux-system }
spec: { interval: 5m0s, endpoint: minio.example.com, bucketName: media, secretRef: { name: minio } }
---
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: { name: media, namespace: flux-system }
spec: { interval: 10m, prune: true, sourceRef: { kind: Bucket, name: media } }
---
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: { name: charts, namespace: flux-system }
spec: { interval: 10m, prune: true, path: /deploy, sourceRef: { kind: GitRepository, name: charts } }
---
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: { name: images, namespace: flux-system }
spec: { interval: 10m, prune: true, path: ./deploy/, sourceRef: { kind: OCIRepository, name: images } }
`;
    const { sets, sources: taken } = expectSame({
      "gotk-sync.yaml": gotk,
      "infrastructure.yaml": chain,
      "sources.yaml": sources,
    });
    expect(sets).toHaveLength(20);
    expect(taken).toEqual(["base", "charts", "images", "media"]);
  });

  it("names a source that no set takes, since a fleet file has none for HelmReleases alone", () => {
    const charts = `apiVersion: source.toolkit.fluxcd.io/v1
kind: GitRepository
metadata: { name: charts, namespace: flux-system }
spec: { interval: 1h, url: "https://git.example.com/charts.git" }
`;
    const { sources, refusals } = roundTrip({ "gotk-sync.yaml": gotk, "charts.yaml": charts });
    expect(sources).toEqual([]);
    expect(refusals.join("\n")).toContain("GitRepository charts: is left out: no set takes it");
  });

  it("writes a source of the fleet's own repository as self, and keeps its pin (E02)", () => {
    const pinned = `apiVersion: source.toolkit.fluxcd.io/v1
kind: GitRepository
metadata: { name: infra, namespace: flux-system }
spec: { interval: 10m, url: "https://git.example.com/shop/fleet.git", ref: { tag: v0.1.0 } }
---
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: { name: infra, namespace: flux-system }
spec: { interval: 10m, prune: true, path: infra, sourceRef: { kind: GitRepository, name: infra } }
`;
    const { fleetYaml } = expectSame({ "gotk-sync.yaml": gotk, "infra.yaml": pinned });
    expect(fleetYaml).toContain("url: self\n");
  });

  it("reports each missing namespace, leaves other files alone, and adds no timeout (E06)", () => {
    const set = (name: string, api: string): string => `apiVersion: kustomize.toolkit.fluxcd.io/${api}
kind: Kustomization
metadata:
  name: ${name}
spec:
  interval: 24h
  path: ./apps/prod/${name}
  prune: true
  sourceRef: { kind: GitRepository, name: flux-system }
`;
    const files = {
      "00-sources.yaml": `${gotk}---
apiVersion: source.toolkit.fluxcd.io/v1
kind: HelmRepository
metadata: { name: shop, namespace: flux-system }
spec: { interval: 1h, url: "https://charts.example.com" }
`,
      "10-build.yaml": set("build", "v1"),
      "15-release.yaml": set("release", "v1beta2"),
      OWNERS: "approvers: [someone]\n",
      "README.md": "# A cluster\n",
    };
    const { notTaken, fleetYaml } = expectSame(files, /^Kustomization (build|release)$/);
    expect(notTaken.map(({ file, path }) => [file, path])).toEqual([
      ["OWNERS", ""],
      ["README.md", ""],
      ["10-build.yaml", "Kustomization build: metadata.namespace"],
      ["15-release.yaml", "Kustomization release: apiVersion"],
      ["15-release.yaml", "Kustomization release: metadata.namespace"],
      ["00-sources.yaml", "HelmRepository shop"],
      ["00-sources.yaml", "Kustomization flux-system"],
    ]);
    expect(fleetYaml.match(/timeout: /g)).toEqual(["timeout: "]);
    expect(fleetYaml).toContain("timeout: null\n");
  });
});
