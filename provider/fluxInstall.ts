import * as pulumi from "@pulumi/pulumi";

/** Type of the resource, which the plugin knows it by. */
export const fluxInstallType = "arcflux-git:index:FluxInstall";

/** Inputs of {@link FluxInstall}. */
export interface FluxInstallArgs {
  /** SHA-256 checksum of the manifests, which lie in the cache of this machine. */
  readonly manifests: pulumi.Input<string>;
  /** Version of Flux in them, for people. */
  readonly version: pulumi.Input<string>;
  /** Name of the bootstrap Kustomization: sources that it leaves behind go with Flux. */
  readonly bootstrap: pulumi.Input<string>;
  /** Content of a kubeconfig. Defaults to the user's own. */
  readonly kubeconfig?: pulumi.Input<string> | undefined;
  /** Context in the kubeconfig. Defaults to its current context. */
  readonly context?: pulumi.Input<string> | undefined;
}

/**
 * Flux itself on one cluster. A change of its manifests upgrades it, kinds before controllers; deleted it is taken off, which
 * is refused while anything of its kinds is there. What the cluster has of it is in an inventory there, so that the state
 * holds none of the manifests.
 */
export class FluxInstall extends pulumi.CustomResource {
  /** Version of Flux that was installed last. */
  declare readonly version: pulumi.Output<string>;

  constructor(name: string, args: FluxInstallArgs, opts?: pulumi.CustomResourceOptions) {
    super(fluxInstallType, name, { ...args, owner: undefined, missing: undefined }, opts);
  }
}
