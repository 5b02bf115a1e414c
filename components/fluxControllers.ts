import * as pulumi from "@pulumi/pulumi";

import { FluxInstall } from "../provider/fluxInstall.ts";
import type { KubernetesAccess } from "./kubernetesProvider.ts";
import { onCluster } from "./leaving.ts";

/** Arguments of {@link FluxControllers}. */
export interface FluxControllersArgs extends KubernetesAccess {
  /** The manifests, by their checksum, and the version of Flux in them. */
  readonly manifests: { readonly sha256: string; readonly version: string };
  /** Name of the GitRepository that Flux follows; its bootstrap is called `<configurationName>-bootstrap`. */
  readonly configurationName: string;
}

/** Flux itself, on a cluster without Azure. What needs it depends on it, so that it comes first and goes last. */
export class FluxControllers extends pulumi.ComponentResource {
  /** Version of Flux on the cluster. */
  readonly version: pulumi.Output<string>;

  constructor(name: string, args: FluxControllersArgs, opts?: pulumi.ComponentResourceOptions) {
    super("arcflux:index:FluxControllers", name, {}, opts);

    const { manifests, configurationName, kubeconfig, context } = args;
    const install = new FluxInstall(
      `${name}-flux`,
      {
        manifests: manifests.sha256,
        version: manifests.version,
        bootstrap: `${configurationName}-bootstrap`,
        // Credentials, whoever hands them over.
        ...(kubeconfig !== undefined && { kubeconfig: pulumi.secret(kubeconfig) }),
        ...(context !== undefined && { context }),
      },
      { parent: this, ...onCluster(args) },
    );
    this.version = install.version;

    this.registerOutputs({ version: this.version });
  }
}

/** What needs Flux, or its namespace, comes after it where Arcflux installs it. */
export function afterFlux({ flux }: { readonly flux?: FluxControllers | undefined }): FluxControllers[] {
  return flux === undefined ? [] : [flux];
}
