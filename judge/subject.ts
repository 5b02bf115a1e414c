import type { Cluster, ClusterSet } from "../fleet/model.ts";
import type { YamlMap } from "../values/maps.ts";

/** An object of a set as kustomize made it, before variables are put in. */
export interface BuiltObject {
  readonly value: YamlMap;
  /** `apps/v1`; empty where the manifest has none. */
  readonly apiVersion: string;
  /** Group of the API version, empty for the core. */
  readonly group: string;
  readonly kind: string;
  /** Empty where it has none. */
  readonly namespace: string;
  readonly name: string;
  /** The file that it came from, from the root of the repository, where the build can tell. */
  readonly file?: string | undefined;
}

/** What Flux makes of a folder. */
export type Build =
  | {
      readonly kind: "built";
      readonly objects: readonly BuiltObject[];
      /** The kustomize configuration of the folder itself, where it has one. */
      readonly config?: { readonly file: string; readonly value: YamlMap } | undefined;
    }
  /** Flux fails as well: kustomize's or Flux's words, and files of the folder that are not Kubernetes objects. */
  | { readonly kind: "failed"; readonly message: string; readonly strays?: readonly string[] | undefined }
  /** The folder is not what Flux gets: `left` says whether git has it and the artifact of the source has not. */
  | {
      readonly kind: "missing";
      readonly path: string;
      readonly left: boolean;
      readonly near?: string | undefined;
      /** The revision that the source is pinned to, such as `tag v1.4.0`; no later commit brings the folder there. */
      readonly revision?: string | undefined;
    }
  /** It could not be looked at. */
  | { readonly kind: "unjudged"; readonly why: string };

/** A set of a cluster, or the cluster's bootstrap, with what Flux builds of it. */
export interface Subject {
  /** The same for whatever builds the same, whatever else it says of itself. */
  readonly content: string;
  /** Repository paths of all files that the build took in; none where it is not one of the repository. */
  readonly files: readonly string[];
  readonly cluster: Cluster;
  readonly set: ClusterSet;
  readonly build: Build;
  /** The folder with its components alone, without what the set adds: patches, images, a namespace. */
  readonly bare: Build;
  /** Components of the set that are not there, and that it says to ignore. */
  readonly absentComponents: readonly { readonly path: string; readonly near?: string | undefined }[];
  /** Whether it is the bootstrap, which applies the flux folder. */
  readonly isBootstrap: boolean;
}

/** All that a cluster applies. */
export interface ClusterSubject {
  readonly cluster: Cluster;
  /** The bootstrap among them. */
  readonly subjects: readonly Subject[];
}

/** The objects of a build; none where there are none to see. */
export function objectsOf(build: Build): readonly BuiltObject[] {
  return build.kind === "built" ? build.objects : [];
}
