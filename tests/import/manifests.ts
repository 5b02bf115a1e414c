import { stringify } from "yaml";

/** A Kustomization of flux-system. */
export function set(name: string, fields: object = {}, metadata: object = {}): string {
  return stringify({
    apiVersion: "kustomize.toolkit.fluxcd.io/v1",
    kind: "Kustomization",
    metadata: { name, namespace: "flux-system", ...metadata },
    spec: {
      interval: "10m",
      prune: true,
      path: `./apps/${name}`,
      sourceRef: { kind: "GitRepository", name: "flux-system" },
      ...fields,
    },
  });
}

/** What `flux bootstrap` leaves in a folder. */
export function root(folder: string, fields: object = {}, source = "flux-system"): string {
  const repository = {
    apiVersion: "source.toolkit.fluxcd.io/v1",
    kind: "GitRepository",
    metadata: { name: source, namespace: "flux-system" },
    spec: { interval: "1m", url: "https://git.example.org/f.git", ref: { branch: "main" } },
  };
  const sourceRef = { kind: "GitRepository", name: source };
  return `${stringify(repository)}---\n${set("flux-system", { path: `./${folder}`, sourceRef, ...fields })}`;
}

/** A kustomization.yaml. */
export const list = (more: object): string =>
  stringify({ apiVersion: "kustomize.config.k8s.io/v1beta1", kind: "Kustomization", ...more });

export const configMap = (name: string, namespace = "shop"): string =>
  stringify({ apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace } });
