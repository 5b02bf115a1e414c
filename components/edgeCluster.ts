import { ConnectedCluster } from "@pulumi/azure-native/kubernetes/index.js";
import * as kubernetes from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import * as tls from "@pulumi/tls";

import { durationSeconds } from "../values/duration.ts";
import type { ArcConnection } from "../fleet/connection.ts";
import { type AgentsChart, agentsRelease, agentsValues } from "./agentsChart.ts";
import { parseClusterId } from "../values/armId.ts";
import { awaitConnected, statusReader } from "./awaitConnected.ts";
import { connectedFields } from "./connectedFields.ts";
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
  /** How it is connected: distribution, private link, proxy and the like. Defaults to nothing. */
  readonly connection?: ArcConnection;
  /** PEM of what `connection.proxy` signs with. Defaults to nothing. */
  readonly proxyCertificates?: string;
  /** Whether an update waits until Azure says that the agents are connected. Defaults to false. */
  readonly awaitsConnection?: boolean;
}

/** How long the agents may take to come up, in seconds, where nothing is said: they pull many images. */
const agentsTimeout = 900;

/** Connects a Kubernetes cluster to Azure Arc: a key pair, the connected cluster in Azure, the agents on the cluster. */
export class EdgeCluster extends pulumi.ComponentResource {
  /** Azure id of the connected cluster. */
  readonly arcId: pulumi.Output<string>;
  /** The release of the agents: whatever needs a connected cluster waits for it. */
  readonly agents: kubernetes.helm.v3.Release;
  /** Name of the connected cluster in Azure, known once it is connected where that is waited for. */
  readonly connectedName: pulumi.Output<string>;

  constructor(name: string, args: EdgeClusterArgs, opts?: pulumi.ComponentResourceOptions) {
    super("arcflux:index:EdgeCluster", name, {}, opts);

    const keyPair = this.#createKeyPair(name, args);
    const cluster = this.#connect(name, args, keyPair);
    this.agents = this.#installAgents(name, args, keyPair, cluster);
    this.arcId = cluster.id;
    this.connectedName = this.#awaitConnection(name, args);

    this.registerOutputs({ arcId: this.arcId });
  }

  #createKeyPair(name: string, { hardware }: EdgeClusterArgs): tls.PrivateKey {
    return new tls.PrivateKey(
      `${name}-key`,
      { algorithm: "RSA", rsaBits: 4096 },
      { parent: this, ...(hardware !== undefined && { replacementTrigger: hardware }) },
    );
  }

  #connect(name: string, args: EdgeClusterArgs, keyPair: tls.PrivateKey): ConnectedCluster {
    const { hardware } = args;
    return new ConnectedCluster(
      `${name}-connected`,
      {
        clusterName: args.clusterName,
        resourceGroupName: args.resourceGroupName,
        location: args.location,
        identity: { type: "SystemAssigned" },
        agentPublicKeyCertificate: keyPair.publicKeyPem.apply(agentPublicKey),
        tags: pulumi.output(args.tags).apply((tags) => ({ ...tags })),
        ...connectedFields(args.connection),
      },
      {
        parent: this,
        // Azure cannot change the key of a cluster. One that others rotated is theirs; a new device gets a new one.
        ignoreChanges: ["agentPublicKeyCertificate", ...(args.keepsTags === true ? ["tags"] : [])],
        ...(hardware !== undefined && { replacementTrigger: hardware }),
        // Two clusters of one name cannot be there at once.
        deleteBeforeReplace: true,
      },
    );
  }

  #installAgents(
    name: string,
    args: EdgeClusterArgs,
    keyPair: tls.PrivateKey,
    cluster: ConnectedCluster,
  ): kubernetes.helm.v3.Release {
    const { connection = {} } = args;
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
        agentsValues(
          {
            subscriptionId: parseClusterId(id).subscriptionId,
            tenantId: identity.tenantId,
            resourceGroupName,
            clusterName,
            location,
            privateKeyPem,
          },
          connection,
          args.proxyCertificates,
        ),
      );
    const { version, timeout, autoUpgrade } = connection.chart ?? {};
    return new kubernetes.helm.v3.Release(
      `${name}-agents`,
      {
        ...agentsRelease,
        ...args.agentsChart,
        ...(version !== undefined && { version }),
        createNamespace: true,
        timeout: timeout === undefined ? agentsTimeout : durationSeconds(timeout),
        // The private key is a secret already where the tls provider says so; here it is one in any case.
        values: pulumi.secret(values),
      },
      {
        parent: this,
        provider,
        // Agents that upgrade themselves have a version of their own.
        ...(autoUpgrade === true && { ignoreChanges: ["version"] }),
        ...onCluster(args),
      },
    );
  }

  #awaitConnection(name: string, args: EdgeClusterArgs): pulumi.Output<string> {
    const clusterName = pulumi.output(args.clusterName);
    // In a preview there is nothing to wait for, and an unknown name would show what is there as replaced.
    if (args.awaitsConnection !== true || pulumi.runtime.isDryRun()) return clusterName;
    return pulumi
      .all([clusterName, args.resourceGroupName, this.agents.id])
      .apply(async ([cluster, resourceGroup]) => {
        await awaitConnected(name, statusReader(cluster, resourceGroup, this));
        return cluster;
      });
  }
}
