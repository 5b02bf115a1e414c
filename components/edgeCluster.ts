import { ConnectedCluster } from "@pulumi/azure-native/kubernetes/index.js";
import * as kubernetes from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import * as tls from "@pulumi/tls";

import { type AgentsChart, agentsRelease, agentsValues } from "./agentsChart.ts";
import { parseClusterId } from "./armId.ts";
import { type KubernetesAccess, kubernetesProvider } from "./kubernetesProvider.ts";
import { onCluster } from "./leaving.ts";
import { agentPublicKey } from "./publicKey.ts";

/** Arguments of {@link EdgeCluster}. */
export interface EdgeClusterArgs extends KubernetesAccess {
  /** Name of the connected cluster in Azure. */
  readonly clusterName: pulumi.Input<string>;
  /** Resource group of the connected cluster. */
  readonly resourceGroupName: pulumi.Input<string>;
  /** Azure region, such as `westeurope`. */
  readonly location: pulumi.Input<string>;
  /** Azure tags. Defaults to none. */
  readonly tags?: pulumi.Input<Readonly<Record<string, pulumi.Input<string>>>>;
  /** Whether tags that are there already stay as they are, whatever `tags` says. */
  readonly keepsTags?: boolean;
  /** Chart of the Arc agents. */
  readonly agentsChart: AgentsChart;
}

/** Connects a Kubernetes cluster to Azure Arc: a key pair, the connected cluster in Azure, the agents on the cluster. */
export class EdgeCluster extends pulumi.ComponentResource {
  /** Azure id of the connected cluster. */
  readonly arcId: pulumi.Output<string>;
  /** The release of the agents: whatever needs a connected cluster waits for it. */
  readonly agents: kubernetes.helm.v3.Release;

  constructor(name: string, args: EdgeClusterArgs, opts?: pulumi.ComponentResourceOptions) {
    super("arcflux:index:EdgeCluster", name, {}, opts);

    const keyPair = this.#createKeyPair(name);
    const cluster = this.#connect(name, args, keyPair);
    this.agents = this.#installAgents(name, args, keyPair, cluster);
    this.arcId = cluster.id;

    this.registerOutputs({ arcId: this.arcId });
  }

  #createKeyPair(name: string): tls.PrivateKey {
    return new tls.PrivateKey(`${name}-key`, { algorithm: "RSA", rsaBits: 4096 }, { parent: this });
  }

  #connect(name: string, args: EdgeClusterArgs, keyPair: tls.PrivateKey): ConnectedCluster {
    return new ConnectedCluster(
      `${name}-connected`,
      {
        clusterName: args.clusterName,
        resourceGroupName: args.resourceGroupName,
        location: args.location,
        identity: { type: "SystemAssigned" },
        agentPublicKeyCertificate: keyPair.publicKeyPem.apply(agentPublicKey),
        tags: pulumi.output(args.tags).apply((tags) => ({ ...tags })),
      },
      {
        parent: this,
        // Azure cannot change the key of a cluster, and two clusters of one name cannot be there at once.
        replaceOnChanges: ["agentPublicKeyCertificate"],
        deleteBeforeReplace: true,
        ...(args.keepsTags === true && { ignoreChanges: ["tags"] }),
      },
    );
  }

  #installAgents(
    name: string,
    args: EdgeClusterArgs,
    keyPair: tls.PrivateKey,
    cluster: ConnectedCluster,
  ): kubernetes.helm.v3.Release {
    const provider = kubernetesProvider(name, args, this);
    const values = pulumi
      .all([
        cluster.id,
        cluster.identity,
        keyPair.privateKeyPem,
        args.resourceGroupName,
        args.clusterName,
        args.location,
      ])
      .apply(([id, identity, privateKeyPem, resourceGroupName, clusterName, location]) =>
        agentsValues({
          subscriptionId: parseClusterId(id).subscriptionId,
          tenantId: identity.tenantId,
          resourceGroupName,
          clusterName,
          location,
          privateKeyPem,
        }),
      );
    return new kubernetes.helm.v3.Release(
      `${name}-agents`,
      {
        ...agentsRelease,
        ...args.agentsChart,
        createNamespace: true,
        timeout: 900,
        // The private key is a secret already where the tls provider says so; here it is one in any case.
        values: pulumi.secret(values),
      },
      { parent: this, provider, ...onCluster(args) },
    );
  }
}
