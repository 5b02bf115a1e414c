import { describe, expect, it } from "vitest";
import type { Cluster } from "../../fleet/model.ts";
import { judgeFleet } from "../../judge/index.ts";
import { clusterOf } from "../checks/fleet.ts";
import { type Case, good, goodSpec, saidOf, subjectOf, web } from "./fixture.ts";

const newer = { flux: { version: "2.9", lockdown: true } };
const nightly = { set: { window: "nightly" } };
const secret = (data: string) => ({
  ...good,
  "apps/web/secret.yaml": `{ apiVersion: v1, kind: Secret, metadata: { name: pin, namespace: shop }, ${data} }`,
});
const with_ = (file: string, text: string): Case => ({ objects: { ...good, [`apps/web/${file}`]: text } });
const namespace = (name: string) => `{ apiVersion: v1, kind: Namespace, metadata: { name: ${name} } }`;
const release = (version: string, more = "") => `
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: { name: till, namespace: shop }
spec: { chart: { spec: { chart: till, ${version} ${more} sourceRef: { kind: HelmRepository, name: charts } } } }
`;
const kind = (apiVersion: string, name: string, more = "") =>
  `{ apiVersion: ${apiVersion}, kind: ${name}, metadata: { name: x, namespace: shop, ${more} } }`;
const idle = (files: Readonly<Record<string, string>>): Case => ({
  objects: { ...good, ...files },
  set: { idle: true },
});

describe("a set that is right", () => {
  it("is not mentioned, alone and in a thousand clusters", () => {
    expect(saidOf({ web: {} })).toEqual([]);
    const clusters = Array.from({ length: 1000 }, (_, index) => `store-${index}`);
    expect(saidOf({ web: {} }, { clusters, over: newer })).toEqual([]);
  });

  it.each<[string, Case]>([
    [
      "a health check on what a chart makes",
      {
        ...with_("r.yaml", release('version: "1.2.3",')),
        spec: {
          healthChecks: [{ apiVersion: "apps/v1", kind: "Deployment", name: "till", namespace: "shop" }],
          postBuild: goodSpec.postBuild,
        },
      },
    ],
    [
      "an image that the folder's own kustomization.yaml has replaced",
      { config: { images: [{ name: "old", newName: "registry.example.com:5000/web" }] } },
    ],
    [
      "a patch that takes an object away",
      {
        objects: { "apps/web/deployment.yaml": web },
        bare: good,
        spec: { ...goodSpec, patches: [{ target: { kind: "Namespace" }, patch: "$patch: delete" }] },
      },
    ],
    ["targetNamespace that the Namespace already has", { spec: { ...goodSpec, targetNamespace: "shop" } }],
    [
      "an encrypted Secret in a set that decrypts",
      {
        objects: secret('data: { pin: "ENC[AES256_GCM,data:x]" }, sops: { mac: x }'),
        spec: { ...goodSpec, decryption: { provider: "sops" } },
      },
    ],
    [
      "an idle set of what idle stops, and of what says that it may go on",
      {
        ...idle({ "d.yaml": kind("apps/v1", "DaemonSet", "labels: { arcflux.io/idle: 'false' }") }),
        spec: { ...goodSpec, healthChecks: [] },
      },
    ],
    ["a Secret of variables", { objects: secret('stringData: { pin: "${site}" }') }],
    ["a range of charts without a window", with_("r.yaml", release('version: ">=1.2.0",'))],
    ["one chart version in a window", { ...with_("r.yaml", release('version: "1.2.3",')), ...nightly }],
    ["a CustomResourceDefinition and what uses it", with_("crd.yaml", `${crd}---\n${gadget}`)],
    [
      "a name that only the cluster knows",
      {
        ...with_("c.yaml", "{ apiVersion: v1, kind: ConfigMap, metadata: { name: '${more}' } }"),
        spec: { postBuild: { substituteFrom: [{ kind: "ConfigMap", name: "site" }] } },
      },
    ],
    [
      "a text in which nothing is put in",
      with_(
        "c.yaml",
        "{ apiVersion: v1, kind: ConfigMap, metadata: { name: c, annotations: { kustomize.toolkit.fluxcd.io/substitute: disabled } }, data: { a: '${HOME} ${a-b}' } }",
      ),
    ],
    [
      "a default",
      {
        ...with_(
          "c.yaml",
          "{ apiVersion: v1, kind: ConfigMap, metadata: { name: c }, data: { a: '${x:=1} $${y}' } }",
        ),
      },
    ],
  ])("%s is right too", (_, given) => {
    expect(saidOf({ web: given }, { over: newer })).toEqual([]);
  });
});

const crd = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: gadgets.example.com }
spec: { group: example.com, names: { kind: Gadget } }
`;
const gadget = "{ apiVersion: example.com/v1, kind: Gadget, metadata: { name: g, namespace: shop } }\n";

describe("one fault", () => {
  it.each<[string, Case, string]>([
    [
      "a build that fails",
      {
        build: {
          kind: "failed",
          message: "failed to decode Kubernetes YAML from apps/web/values.yaml: missing Resource metadata",
        },
      },
      "error build clusters.a.sets.web: apps/web/values.yaml is not a Kubernetes object",
    ],
    [
      "a folder that the source leaves out",
      { build: { kind: "missing", path: "apps/web", left: true } },
      'error left-out clusters.a.sets.web.path: "./apps/web" is in the repository, but GitRepository edge-config leaves it out',
    ],
    [
      "a set that nobody could look at",
      { build: { kind: "unjudged", why: "it takes https://example.com/a from the network" } },
      "warning not-judged clusters.a.sets.web: was not judged: it takes https://example.com/a",
    ],
    [
      "a Namespace that is renamed",
      { bare: good, spec: { ...goodSpec, targetNamespace: "till" } },
      "warning renamed-namespace clusters.a.sets.web.targetNamespace: renames apps/web/namespace.yaml: Namespace shop to till, so removing the set deletes Namespace till",
    ],
    [
      "a Namespace renamed to Flux's own",
      { spec: { ...goodSpec, targetNamespace: "flux-system" } },
      "error renamed-namespace clusters.a.sets.web.targetNamespace: renames apps/web/namespace.yaml: Namespace shop to flux-system",
    ],
    [
      "two Namespaces made one",
      {
        bare: { ...good, "apps/web/n2.yaml": namespace("data") },
        spec: { ...goodSpec, targetNamespace: "x" },
      },
      "error renamed-namespace clusters.a.sets.web.targetNamespace: makes 2 Namespaces one, x",
    ],
    [
      "Flux's own Namespace",
      with_("n.yaml", namespace("flux-system")),
      "warning flux-namespace clusters.a.sets.web: apps/web/n.yaml: Namespace flux-system belongs to the set",
    ],
    [
      "SOPS without decryption",
      { objects: secret('data: { pin: "ENC[AES256_GCM,data:x]" }, sops: { mac: x }') },
      "error sops-without-decryption clusters.a.sets.web: apps/web/secret.yaml: Secret shop/pin is SOPS-encrypted",
    ],
    [
      "SOPS over metadata",
      {
        ...with_(
          "s.yaml",
          "{ apiVersion: v1, kind: Secret, metadata: { name: 'ENC[AES256_GCM,data:x]' }, sops: {} }",
        ),
        spec: { ...goodSpec, decryption: { provider: "sops" } },
      },
      "error encrypted-metadata clusters.a.sets.web: apps/web/s.yaml: the metadata of a Secret is encrypted",
    ],
    [
      "a plain Secret",
      { objects: secret("stringData: { pin: '4711' }") },
      "warning plain-secret clusters.a.sets.web: apps/web/secret.yaml: Secret shop/pin stands in Git in plain text",
    ],
    ["a generated Secret", { objects: secret("data: { pin: NDcxMQ== }") }, "warning plain-secret"],
    [
      "what idle does not stop",
      idle({
        "d.yaml": kind("apps/v1", "DaemonSet"),
        "h.yaml": kind("autoscaling/v2", "HorizontalPodAutoscaler"),
        "j.yaml": kind("batch/v1", "Job"),
        "c.yaml": kind(
          "batch/v1",
          "CronJob",
          "annotations: { kustomize.toolkit.fluxcd.io/ssa: IfNotPresent }",
        ),
        "k.yaml": kind("keda.sh/v1alpha1", "ScaledObject"),
      }),
      "warning not-stopped clusters.a.sets.web.idle: does not stop DaemonSet shop/x, HorizontalPodAutoscaler shop/x, Job shop/x, CronJob shop/x (ssa: IfNotPresent), ScaledObject shop/x; leave that out where the set is idle, or label it",
    ],
    [
      "postRenderers that idle would replace",
      idle({ "r.yaml": release('version: "1.2.3",').replace("spec: {", "spec: { postRenderers: [],") }),
      "error not-stopped clusters.a.sets.web.idle: would replace postRenderers of HelmRelease shop/till; label the release",
    ],
    [
      "a health check that is misspelt",
      { spec: { ...goodSpec, healthChecks: [{ kind: "Deployment", name: "wbe", namespace: "shop" }] } },
      "warning health-check clusters.a.sets.web.healthChecks[0]: names Deployment shop/wbe, which the set does not apply (there is Deployment shop/web)",
    ],
    [
      "a health check in the wrong namespace",
      { spec: { ...goodSpec, healthChecks: [{ kind: "Deployment", name: "web", namespace: "web" }] } },
      "(there is Deployment shop/web)",
    ],
    [
      "a patch that fits nothing",
      { spec: { ...goodSpec, patches: [{ target: { kind: "Deployment", name: "wbe" }, patch: "[]" }] } },
      "warning patch-target clusters.a.sets.web.patches[0].target: fits nothing in ./apps/web, so the patch would change nothing; there is Deployment shop/web",
    ],
    [
      "an image that nothing has",
      { spec: { ...goodSpec, images: [{ name: "wbe", newTag: "1" }] } },
      'warning image clusters.a.sets.web.images[0]: replaces image "wbe"',
    ],
    [
      "an image of the folder's that nothing has",
      { config: { images: [{ name: "x", newTag: "1" }] } },
      'warning image clusters.a.sets.web: apps/web/kustomization.yaml: replaces image "x"',
    ],
    [
      "a component that is passed over",
      { absentComponents: [{ path: "../c/tls", near: "../c/TLS" }] },
      'warning component clusters.a.sets.web.components: "../c/tls" is not there, and ignoreMissingComponents passes over it; there is ../c/TLS',
    ],
    [
      "a retired API version",
      with_("x.yaml", "{ apiVersion: batch/v1beta1, kind: CronJob, metadata: { name: x, namespace: shop } }"),
      "warning retired-api clusters.a.sets.web: apps/web/x.yaml: CronJob shop/x is of batch/v1beta1, which Kubernetes 1.25 and later no longer serve; write batch/v1",
    ],
    [
      "a retired API version of Flux",
      with_(
        "x.yaml",
        "{ apiVersion: kustomize.toolkit.fluxcd.io/v1beta2, kind: Kustomization, metadata: { name: x, namespace: shop } }",
      ),
      "which Flux 2.8 and later no longer serve; write kustomize.toolkit.fluxcd.io/v1",
    ],
    [
      "a variable in a path",
      { spec: { ...goodSpec, path: "./apps/${site}" } },
      "warning substituted-nowhere clusters.a.sets.web.path: has ${site}",
    ],
    [
      "a variable in a generated Secret",
      { objects: secret(`data: { pin: ${Buffer.from("${site}").toString("base64")} }`) },
      "warning substituted-nowhere clusters.a.sets.web: apps/web/secret.yaml: Secret shop/pin has ${site} in encoded data",
    ],
    [
      "a variable that nothing defines",
      with_("c.yaml", "{ apiVersion: v1, kind: ConfigMap, metadata: { name: c }, data: { a: '${sit}' } }"),
      "error undefined-variable clusters.a.sets.web: apps/web/c.yaml: ConfigMap c has ${sit}, which nothing defines, so Flux 2.9 refuses to apply the set; add sit to variables (did you mean site?)",
    ],
    [
      "a text that is no variable",
      with_("c.yaml", "{ apiVersion: v1, kind: ConfigMap, metadata: { name: c }, data: { a: '${a-b}' } }"),
      'error unreadable-variable clusters.a.sets.web: apps/web/c.yaml: ConfigMap c has "${a-b}"',
    ],
    [
      "a variable that nothing uses",
      { spec: { ...goodSpec, postBuild: { substitute: { site: "1", old: "2" } } } },
      "warning unused-variable clusters.a.sets.web.postBuild.substitute.old: nothing uses the variable old",
    ],
    [
      "a range of charts in a window",
      { ...with_("r.yaml", release('version: ">=1.2.0",')), ...nightly },
      'warning windowed-update clusters.a.sets.web: apps/web/r.yaml: HelmRelease shop/till takes every chart version of ">=1.2.0", so it changes outside of window nightly too',
    ],
    [
      "a source in a window",
      {
        ...with_(
          "s.yaml",
          "{ apiVersion: source.toolkit.fluxcd.io/v1, kind: GitRepository, metadata: { name: s, namespace: shop }, spec: { interval: 5m, ref: { branch: main } } }",
        ),
        ...nightly,
      },
      "fetches what is new every 5m",
    ],
    [
      "image automation in a window",
      {
        ...with_(
          "s.yaml",
          "{ apiVersion: image.toolkit.fluxcd.io/v1, kind: ImageUpdateAutomation, metadata: { name: s, namespace: shop } }",
        ),
        ...nightly,
      },
      "commits new images whenever there are some",
    ],
    [
      "no chart version",
      with_("r.yaml", release("")),
      "warning release-version clusters.a.sets.web: apps/web/r.yaml: HelmRelease shop/till has no chart version",
    ],
    [
      "a tenant's ClusterRole",
      {
        ...with_(
          "r.yaml",
          "{ apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: { name: all } }",
        ),
        spec: { ...goodSpec, targetNamespace: "shop", serviceAccountName: "deployer" },
      },
      "warning tenant-cluster-scoped",
    ],
    [
      "a kind that the chart brings",
      with_(
        "r.yaml",
        `${release('version: "1.2.3",').replace("chart: till", "chart: cert-manager")}---\n{ apiVersion: cert-manager.io/v1, kind: Issuer, metadata: { name: i, namespace: shop } }`,
      ),
      "warning crd-order clusters.a.sets.web: apps/web/r.yaml: Issuer shop/i is of a kind that the chart of HelmRelease till brings",
    ],
  ])("is told: %s", (_, given, expected) => {
    const said = saidOf({ web: given }, { over: newer });
    expect(said).toEqual([expect.stringContaining(expected)]);
  });
});

describe("a tenant's set", () => {
  const tenants = [{ name: "pizza", namespaces: ["shop"], role: "admin", labels: {}, sources: [] }];
  const of = (objects: NonNullable<Case["objects"]>): Case => ({
    ...{ objects, spec: { ...goodSpec, serviceAccountName: "tenant-pizza" }, set: { tenant: "pizza" } },
  });
  const said = (objects: NonNullable<Case["objects"]>) =>
    saidOf({ web: of({ "apps/web/deployment.yaml": web, ...objects }) }, { over: { tenants } });

  it("stays in the tenant's namespaces", () => {
    expect(said({})).toEqual([]);
    expect(
      said({ "r.yaml": "{ apiVersion: gadgets.example.com/v1, kind: Gadget, metadata: { name: any } }" }),
    ).toEqual([]);
    expect(
      said({ "m.yaml": "{ apiVersion: v1, kind: ConfigMap, metadata: { name: m, namespace: burger } }" }),
    ).toEqual([
      expect.stringContaining(
        "error tenant-cluster-scoped clusters.a.sets.web: m.yaml: ConfigMap burger/m is in no namespace of tenant pizza",
      ),
    ]);
    expect(said({ "n.yaml": namespace("shop") })).toEqual([
      expect.stringContaining(
        "error tenant-cluster-scoped clusters.a.sets.web: n.yaml: Namespace shop lives in no",
      ),
    ]);
  });
});

describe("sets of one cluster", () => {
  const shared = { objects: { "apps/promo/ns.yaml": namespace("shop") }, spec: {} };

  it("that apply the same object are told of once, with both names", () => {
    expect(saidOf({ web: {}, promo: shared }, { clusters: ["a", "b", "c"] })).toEqual([
      "warning two-owners clusters.a.sets.web: applies Namespace shop, and so does set promo: removing one of the sets " +
        "deletes it for both; keep it in one set (also in 2 more clusters: b, c)",
    ]);
  });

  it("may share a Namespace that none of them deletes, or that one of them only makes where it is missing", () => {
    const kept =
      "{ apiVersion: v1, kind: Namespace, metadata: { name: shop, annotations: { kustomize.toolkit.fluxcd.io/prune: disabled } } }";
    const one = { objects: { "a.yaml": kept }, spec: {} };
    expect(saidOf({ one, two: one })).toEqual([]);
    const there = { objects: { "a.yaml": kept.replace("prune: disabled", "ssa: IfNotPresent") }, spec: {} };
    expect(saidOf({ web: {}, there })).toEqual([]);
  });

  it("are told apart by the variables in names, where those are known", () => {
    const named = (value: string) => ({
      objects: { "a.yaml": namespace("'shop-${site}'") },
      spec: { postBuild: { substitute: { site: value } } },
    });
    expect(saidOf({ one: named("1"), two: named("2") })).toEqual([]);
    expect(saidOf({ one: named("1"), two: named("1") })).toHaveLength(1);
  });

  it("and the flux folder own a Kustomization only once", () => {
    const shop =
      "{ apiVersion: kustomize.toolkit.fluxcd.io/v1, kind: Kustomization, metadata: { name: shop, namespace: flux-system } }";
    const flux = { objects: { "clusters/a/flux/shop.yaml": shop }, spec: {} };
    const all = { objects: { "clusters/a/apps/shop/ks.yaml": shop }, spec: {} };
    expect(saidOf({ bootstrap: flux, all })).toEqual([
      expect.stringContaining(
        "error two-owners clusters.a.sets.all: applies Kustomization flux-system/shop, and so does the flux folder",
      ),
    ]);
  });

  it("may both bring a source, which takes nothing along when it goes", () => {
    const charts =
      "{ apiVersion: source.toolkit.fluxcd.io/v1, kind: HelmRepository, metadata: { name: charts, namespace: flux-system } }";
    const one = { objects: { "charts.yaml": charts }, spec: {} };
    expect(saidOf({ one, two: one })).toEqual([
      "warning two-owners clusters.a.sets.one: applies HelmRepository flux-system/charts, and so does set two: removing one " +
        "of the sets deletes it for both; keep it in one set",
    ]);
    const git = charts.replace("HelmRepository", "GitRepository");
    const flux = { objects: { "clusters/a/flux/source-charts.yaml": git }, spec: {} };
    const all = { objects: { "apps/charts.yaml": git }, spec: {} };
    expect(saidOf({ bootstrap: flux, all })).toEqual([
      expect.stringContaining(
        "error two-owners clusters.a.sets.all: applies GitRepository flux-system/charts",
      ),
    ]);
  });

  it("wait for the set that defines their kinds", () => {
    const kinds = { objects: { "crd.yaml": crd }, spec: {} };
    const user = (more: object) => ({ objects: { "g.yaml": gadget }, spec: {}, set: more });
    expect(saidOf({ kinds, user: user({}) })).toEqual([
      expect.stringContaining(
        "warning crd-order clusters.a.sets.user: g.yaml: Gadget shop/g is of a kind that set kinds defines",
      ),
    ]);
    const middle = { objects: {}, spec: {}, set: { dependsOn: [{ name: "kinds" }] } };
    expect(saidOf({ kinds, middle, user: user({ dependsOn: [{ name: "middle" }] }) })).toEqual([]);
  });
});

describe("a Cluster on a management cluster", () => {
  const capi = (labels: string, name = "store-7") =>
    `{ apiVersion: cluster.x-k8s.io/v1beta2, kind: Cluster, metadata: { name: ${name}, namespace: made, labels: ${labels} } }`;
  const said = (manifest: string, over: Partial<Cluster> = {}, site = "store-7") =>
    saidOf(
      { web: { objects: { "c.yaml": manifest }, spec: { postBuild: { substitute: { site } } } } },
      { over: { role: "management", manages: ["store-7", "blue"], ...over } },
    ).filter((line) => !line.includes("unused-variable"));

  it("that its pack finds is not mentioned, nor one of no management cluster, nor another kind", () => {
    expect(said(capi("{ arcflux.io/cluster: store-7 }"))).toEqual([]);
    expect(said(capi("{ arcflux.io/cluster: blue }"))).toEqual([]);
    expect(
      saidOf({ web: { objects: { "c.yaml": capi("{}") }, spec: {} } }, { over: { role: "workload" } }),
    ).toEqual([]);
    expect(said(capi("{}").replace("kind: Cluster", "kind: ClusterClass"))).toEqual([]);
    expect(said(capi("{}").replace("cluster.x-k8s.io", "management.cattle.io"))).toEqual([]);
  });

  it("without the label is told, with the label to write where that is known", () => {
    const start = "warning pack-label clusters.a.sets.web: c.yaml: Cluster made/";
    expect(said(capi("{ app: x }"))).toEqual([
      `${start}store-7 has no label arcflux.io/cluster, so its pack does not find it; write arcflux.io/cluster: store-7`,
    ]);
    expect(said(capi("{ arcflux.io/cluster: '' }", "old"))).toEqual([
      `${start}old has no label arcflux.io/cluster, so its pack does not find it; write it, with the name that the cluster has in the fleet file`,
    ]);
  });

  it("with the label of a cluster that it does not make is told, in each management cluster", () => {
    expect(said(capi("{ arcflux.io/cluster: bleu }"))).toEqual([
      'warning pack-label clusters.a.sets.web: c.yaml: Cluster made/store-7 has label arcflux.io/cluster: "bleu", and no cluster of that name says managedBy: a; correct the label, or the fleet file. Did you mean blue?',
    ]);
    const mgmt = (name: string, ...manages: string[]) => ({
      cluster: clusterOf(name, [], { role: "management", manages }),
      subjects: [
        subjectOf(
          "web",
          { objects: { "c.yaml": capi("{ arcflux.io/cluster: blue }") }, spec: {} },
          clusterOf(name, [], { role: "management", manages }),
        ),
      ],
    });
    const both = judgeFleet([mgmt("one", "blue"), mgmt("two", "green")]);
    expect(both.map(({ path }) => path)).toEqual([["clusters", "two", "sets", "web"]]);
  });

  it("is judged with its variables put in, and not where they are unknown", () => {
    expect(said(capi("{ arcflux.io/cluster: '${site}' }"))).toEqual([]);
    expect(said(capi("{ arcflux.io/cluster: '${site}' }"), {}, "red")).toEqual([
      expect.stringContaining('"red"'),
    ]);
    expect(said(capi("{ arcflux.io/cluster: '${more:=x}' }"))).toEqual([]);
    expect(said(capi("{}", "'${site}'"))).toEqual([expect.stringContaining("Cluster made/store-7 has no")]);
  });
});

it("a Kustomization of others on an idle cluster is said to go on, and one on another cluster is not", () => {
  expect(saidOf({ web: {} }, { over: { idle: true } })).toEqual([
    "warning not-stopped clusters.a.sets.web: is a Kustomization of others on an idle cluster, so Deployment shop/web will go on; make it a set of the fleet file, or stop it there",
  ]);
  expect(saidOf({ bootstrap: {} }, { over: { idle: true } })).toEqual([]);
});
