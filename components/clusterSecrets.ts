import * as kubernetes from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";

import { afterFlux, type FluxControllers } from "./fluxControllers.ts";
import { type KubernetesAccess, kubernetesProvider } from "./kubernetesProvider.ts";
import { onCluster } from "./leaving.ts";

/** A Secret to create; its data is base64, as Kubernetes has it. */
export interface CreatedSecret {
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly annotations: Readonly<Record<string, string>>;
  };
  readonly type: string;
  readonly data: Readonly<Record<string, string>>;
}

/** Arguments of {@link ClusterSecrets}. */
export interface ClusterSecretsArgs extends KubernetesAccess {
  readonly secrets: readonly CreatedSecret[];
  /** Flux itself, where Arcflux installs it: with it comes its namespace. */
  readonly flux?: FluxControllers | undefined;
}

/** Secrets that Pulumi creates on a cluster which it reaches. Their data is secret in the state. */
export class ClusterSecrets extends pulumi.ComponentResource {
  /** Namespace and name of each, with what tells its version apart. */
  readonly versions: pulumi.Output<Readonly<Record<string, string>>>;

  constructor(name: string, args: ClusterSecretsArgs, opts?: pulumi.ComponentResourceOptions) {
    super("arcflux:index:ClusterSecrets", name, {}, opts);

    const provider = kubernetesProvider(`${name}-secrets`, { ...args }, this);
    for (const { metadata, type, data } of args.secrets)
      new kubernetes.core.v1.Secret(
        `${name}-secret-${metadata.namespace}-${metadata.name}`,
        {
          metadata: { ...metadata, annotations: { ...metadata.annotations } },
          type,
          data: pulumi.secret({ ...data }),
        },
        { parent: this, provider, dependsOn: afterFlux(args), ...onCluster(args) },
      );
    this.versions = pulumi.output(
      Object.fromEntries(
        args.secrets.map(({ metadata: { name, namespace, annotations } }) => [
          `${namespace}/${name}`,
          Object.values(annotations)[0] ?? "",
        ]),
      ),
    );

    this.registerOutputs({ versions: this.versions });
  }
}
