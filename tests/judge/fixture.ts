import { judgeFleet } from "../../judge/index.ts";
import { builtObject } from "../../judge/objects.ts";
import type { Build, Subject } from "../../judge/subject.ts";
import { formatPath } from "../../fleet/finding.ts";
import type { Cluster, ClusterSet } from "../../fleet/model.ts";
import { documents } from "../../checks/documents.ts";
import { clusterOf, setOf } from "../checks/fleet.ts";

/** A set that Flux builds without a fault, with something for each judgement to look at. */
export interface Case {
  /** Manifests after the build, by file. */
  readonly objects?: Readonly<Record<string, string>>;
  /** The same without what the set adds; the same objects where it is left out. */
  readonly bare?: Readonly<Record<string, string>>;
  readonly spec?: Readonly<Record<string, unknown>>;
  readonly set?: Partial<ClusterSet>;
  readonly config?: Readonly<Record<string, unknown>>;
  /** In the place of a build. */
  readonly build?: Build;
  readonly absentComponents?: Subject["absentComponents"];
}

export const web = `
apiVersion: apps/v1
kind: Deployment
metadata: { name: web, namespace: shop, labels: { app: web } }
spec:
  template:
    spec:
      containers: [{ name: web, image: "registry.example.com:5000/web:1.2.3", env: [{ name: SITE, value: "\${site}" }] }]
`;

export const good: Record<string, string> = {
  "apps/web/deployment.yaml": web,
  "apps/web/namespace.yaml": "{ apiVersion: v1, kind: Namespace, metadata: { name: shop } }",
};

/** Health checks, patches and images that all fit, and a variable that is used. */
export const goodSpec = {
  healthChecks: [{ apiVersion: "apps/v1", kind: "Deployment", name: "web", namespace: "shop" }],
  patches: [{ target: { kind: "Deploy.*", name: "web", labelSelector: "app=web" }, patch: "[]" }],
  images: [{ name: "registry.example.com:5000/web", newTag: "1.2.4" }],
  postBuild: { substitute: { site: "1" } },
};

export function builtOf(objects: Readonly<Record<string, string>>, config?: Case["config"]): Build {
  return {
    kind: "built",
    objects: Object.entries(objects).flatMap(([file, text]) =>
      documents(text)!.map((value) => builtObject(value, file)),
    ),
    ...(config && { config: { file: "apps/web/kustomization.yaml", value: config } }),
  };
}

export function subjectOf(name: string, given: Case, cluster: Cluster): Subject {
  const {
    objects = good,
    bare = objects,
    spec = goodSpec,
    set = {},
    config,
    build,
    absentComponents = [],
  } = given;
  const whole = setOf(name, spec, set);
  return {
    content: JSON.stringify([name, given]),
    files: [],
    cluster,
    set: whole,
    build: build ?? builtOf(objects, config),
    bare: builtOf(bare),
    absentComponents,
    isBootstrap: name === "bootstrap",
  };
}

/** What is said of sets of clusters, one line each: `error two-owners clusters.a.sets.web: …`. */
export function saidOf(
  sets: Readonly<Record<string, Case>>,
  {
    clusters = ["a"],
    over = {},
  }: { readonly clusters?: readonly string[]; readonly over?: Partial<Cluster> } = {},
): string[] {
  return judgeFleet(
    clusters.map((name) => {
      const bare = clusterOf(name, [], over);
      return {
        cluster: bare,
        subjects: Object.entries(sets).map(([set, given]) => subjectOf(set, given, bare)),
      };
    }),
  ).map(({ severity, name, path, message }) => `${severity} ${name} ${formatPath(path)}: ${message}`);
}
