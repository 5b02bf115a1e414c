/** What a kustomization.yaml begins with: kustomize's own file, not Flux's object of the same kind. */
export const kustomizeConfig = {
  apiVersion: "kustomize.config.k8s.io/v1beta1",
  kind: "Kustomization",
} as const;
