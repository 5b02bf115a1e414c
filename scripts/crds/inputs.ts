import { crdKinds, type CrdKind } from "../../flux/crd/kinds.ts";

/** One kind of Flux's API: where its CRD stands, and the version of it that is read. */
export interface KindInput {
  readonly kind: CrdKind;
  /** File below `config/crd/bases` of the controller. */
  readonly file: string;
  readonly apiVersion: string;
}

/** One Go module from which the CRDs of one controller and one Flux minor are taken. */
export interface ModuleInput {
  /** Flux minor that carries this controller. */
  readonly flux: string;
  readonly controller: Controller;
  readonly version: string;
  /** `published`: `config/crd/bases` of the controller's module. `made`: controller-gen on its `api` submodule. */
  readonly from: "published" | "made";
  /** For `made`: an older version of the `api` module whose dependencies are used instead of its own. */
  readonly dependenciesOf?: string;
}

export type Controller = "kustomize-controller" | "source-controller" | "notification-controller";

export const kindsOf: Readonly<Record<Controller, readonly KindInput[]>> = {
  "kustomize-controller": [kind("Kustomization", "kustomize", "kustomizations")],
  "source-controller": [
    kind("GitRepository", "source", "gitrepositories"),
    kind("OCIRepository", "source", "ocirepositories"),
    kind("Bucket", "source", "buckets"),
    kind("ExternalArtifact", "source", "externalartifacts"),
  ],
  "notification-controller": [
    kind("Provider", "notification", "providers"),
    kind("Alert", "notification", "alerts"),
  ],
};

/**
 * Flux 2.N carries version 1.N of these three controllers. Per minor this names the newest patch whose CRDs are published
 * in the controller's module, and where no module of the controller could be had, the newest patch of its `api`.
 */
export const inputs: readonly ModuleInput[] = [
  { flux: "2.7", controller: "kustomize-controller", version: "v1.7.3", from: "published" },
  { flux: "2.7", controller: "source-controller", version: "v1.7.3", from: "published" },
  { flux: "2.7", controller: "notification-controller", version: "v1.7.5", from: "made" },
  { flux: "2.8", controller: "kustomize-controller", version: "v1.8.5", from: "made" },
  { flux: "2.8", controller: "source-controller", version: "v1.8.5", from: "published" },
  { flux: "2.8", controller: "notification-controller", version: "v1.8.4", from: "made" },
  { flux: "2.9", controller: "kustomize-controller", version: "v1.9.6", from: "published" },
  { flux: "2.9", controller: "source-controller", version: "v1.9.6", from: "published" },
  { flux: "2.9", controller: "notification-controller", version: "v1.9.4", from: "made" },
  { flux: "2.10", controller: "kustomize-controller", version: "v1.10.1", from: "published" },
  { flux: "2.10", controller: "source-controller", version: "v1.10.1", from: "published" },
  {
    flux: "2.10",
    controller: "notification-controller",
    version: "v1.10.0",
    from: "made",
    // Its own dependencies ask for Go 1.27. Of them the specs use only a name reference and a duration.
    dependenciesOf: "v1.9.4",
  },
];

export const controllerGen = { module: "sigs.k8s.io/controller-tools", version: "v0.20.1" };

/** Go module that an input is read from. */
export function moduleOf(input: Pick<ModuleInput, "controller" | "from">): string {
  return `github.com/fluxcd/${input.controller}${input.from === "made" ? "/api" : ""}`;
}

function kind(name: CrdKind, group: string, plural: string): KindInput {
  return { kind: name, file: `${group}.toolkit.fluxcd.io_${plural}.yaml`, apiVersion: crdKinds[name] };
}
