/** Kinds of Flux in a small one, as plural, kind and group. */
const kinds = {
  gitrepositories: ["GitRepository", "source.toolkit.fluxcd.io"],
  buckets: ["Bucket", "source.toolkit.fluxcd.io"],
  kustomizations: ["Kustomization", "kustomize.toolkit.fluxcd.io"],
} as const;

interface Export {
  /** Of Flux: 2.9.2 has controllers of 1.9. */
  readonly version?: string;
  readonly plurals?: readonly (keyof typeof kinds)[];
  /** The real kinds, as YAML, in place of small ones. */
  readonly crds?: readonly string[];
  /** Arguments of kustomize-controller. */
  readonly args?: readonly string[];
  /** More documents, as YAML. */
  readonly more?: string;
}

/** A small Flux in the form of what `flux install --export` prints: namespace, kinds, accounts, roles, controllers. */
export function fluxExport({
  version = "2.9.2",
  plurals = Object.keys(kinds) as (keyof typeof kinds)[],
  args = [],
  crds: real,
  more = "",
}: Export = {}): string {
  const labels = `{ app.kubernetes.io/part-of: flux, app.kubernetes.io/version: v${version} }`;
  const minor = version.split(".")[1]!;
  const small = plurals.map((plural) => {
    const [kind, group] = kinds[plural];
    return `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: ${plural}.${group}, labels: ${labels} }
spec:
  group: ${group}
  scope: Namespaced
  names: { kind: ${kind}, plural: ${plural}, singular: ${kind.toLowerCase()}, listKind: ${kind}List }
  versions:
    - name: v1
      served: true
      storage: true
      subresources: { status: {} }
      schema: { openAPIV3Schema: { type: object, x-kubernetes-preserve-unknown-fields: true } }
`;
  });
  const controllers = ["source-controller", "kustomize-controller"].map(
    (name) => `apiVersion: apps/v1
kind: Deployment
metadata: { name: ${name}, namespace: flux-system, labels: ${labels} }
spec:
  selector: { matchLabels: { app: ${name} } }
  template:
    metadata: { labels: { app: ${name} } }
    spec:
      serviceAccountName: ${name}
      containers:
        - name: manager
          image: ghcr.io/fluxcd/${name}:v1.${minor}.1
          args: ${JSON.stringify(["--watch-all-namespaces=true", ...(name === "kustomize-controller" ? args : [])])}
`,
  );
  const accounts = ["source-controller", "kustomize-controller"].map(
    (name) => `apiVersion: v1
kind: ServiceAccount
metadata: { name: ${name}, namespace: flux-system, labels: ${labels} }
`,
  );
  // Out of order, as nobody promises one.
  return [
    `# Flux Version: v${version}\n`,
    ...controllers,
    ...accounts,
    `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: { name: cluster-reconciler-flux-system, labels: ${labels} }
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: cluster-admin }
subjects: [{ kind: ServiceAccount, name: kustomize-controller, namespace: flux-system }]
`,
    ...(real ?? small),
    `apiVersion: v1
kind: Namespace
metadata: { name: flux-system, labels: ${labels} }
`,
    ...(more === "" ? [] : [more]),
  ].join("---\n");
}
