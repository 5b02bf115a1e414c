import * as kubernetes from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";

import { type Bootstrap, fluxNamespace } from "../fleet/model.ts";
import { fluxUrl } from "../fleet/sourceUrl.ts";
import { repositorySecretName } from "../flux/repositorySecret.ts";
import { bootstrapKustomization, followedRepository } from "../flux/sync.ts";
import { checkArguments } from "./checkedArguments.ts";
import { afterFlux, type FluxControllers } from "./fluxControllers.ts";
import type { FluxFolder } from "./fluxFolder.ts";
import { type KubernetesAccess, kubernetesProvider } from "./kubernetesProvider.ts";
import { afterFiles, onCluster } from "./leaving.ts";
import { fluxSecret, type RepositoryAccess } from "./repositoryAccess.ts";

/** Arguments of {@link FluxObjects}. */
export interface FluxObjectsArgs extends KubernetesAccess {
  /** Name of the GitRepository; the bootstrap Kustomization is called `<configurationName>-bootstrap`. */
  readonly configurationName: pulumi.Input<string>;
  /** URL that the cluster fetches from. */
  readonly repository: pulumi.Input<string>;
  /** Branch that the cluster follows. */
  readonly branch: pulumi.Input<string>;
  readonly access: RepositoryAccess;
  /** Flux folder from the root of the repository, such as `clusters/edge-device-0/flux`. */
  readonly fluxFolder: pulumi.Input<string>;
  /** Whether the path that is there already stays: the branch that the cluster follows lacks the new folder. */
  readonly keepsPath?: boolean;
  /** Timing of the bootstrap Kustomization. */
  readonly bootstrap: Bootstrap;
  /** How often the repository is fetched. Defaults to the interval of the bootstrap. */
  readonly fetchInterval?: string;
  /** Whether Flux fetches and applies nothing from here on. Defaults to false. */
  readonly suspend?: boolean;
  /** The committed files: the objects are created after them and deleted before them. */
  readonly folder: FluxFolder;
  /** Flux itself, where Arcflux installs it: all of it comes after that and goes before it. */
  readonly flux?: FluxControllers | undefined;
}

/**
 * Without Azure, on a cluster that Flux runs on or is installed on before: the GitRepository and the bootstrap Kustomization, made directly
 * and called as Azure calls them, and a secret with the credentials of a private repository.
 */
export class FluxObjects extends pulumi.ComponentResource {
  /** Name of the bootstrap Kustomization on the cluster. */
  readonly bootstrapName: pulumi.Output<string>;

  constructor(name: string, args: FluxObjectsArgs, opts?: pulumi.ComponentResourceOptions) {
    super("arcflux:index:FluxObjects", name, {}, opts);
    checkArguments(`FluxObjects ${name}`, args);

    const provider = kubernetesProvider(name, args, this);
    const secret = this.#storeCredentials(name, args, provider);
    const repository = this.#followRepository(name, args, provider, secret);
    const bootstrap = this.#bootstrap(name, args, provider, repository);
    this.bootstrapName = bootstrap.metadata.apply((metadata) => metadata.name);

    this.registerOutputs({ bootstrapName: this.bootstrapName });
  }

  #storeCredentials(
    name: string,
    args: FluxObjectsArgs,
    provider: kubernetes.Provider,
  ): kubernetes.core.v1.Secret | undefined {
    const stringData = fluxSecret(args.access);
    if (stringData === undefined) return undefined;
    const secretName = pulumi
      .output(args.configurationName)
      .apply((config) => repositorySecretName({ config, platform: "kubernetes" }));
    return new kubernetes.core.v1.Secret(
      `${name}-credentials`,
      { metadata: { name: secretName, namespace: fluxNamespace }, stringData },
      { parent: this, provider, dependsOn: afterFlux(args), ...onCluster(args) },
    );
  }

  #followRepository(
    name: string,
    args: FluxObjectsArgs,
    provider: kubernetes.Provider,
    secret: kubernetes.core.v1.Secret | undefined,
  ): kubernetes.apiextensions.CustomResource {
    return new kubernetes.apiextensions.CustomResource(
      `${name}-repository`,
      followedRepository<pulumi.Input<string>>({
        config: args.configurationName,
        url: pulumi.output(args.repository).apply(fluxUrl),
        branch: args.branch,
        secretName: secret?.metadata.name,
        fetchInterval: args.fetchInterval ?? args.bootstrap.interval,
        timeout: args.bootstrap.timeout,
        suspend: args.suspend === true || undefined,
      }),
      {
        parent: this,
        provider,
        dependsOn: [
          ...afterFlux(args),
          ...afterFiles(args, args.folder),
          ...(secret === undefined ? [] : [secret]),
        ],
        ...onCluster(args),
      },
    );
  }

  #bootstrap(
    name: string,
    args: FluxObjectsArgs,
    provider: kubernetes.Provider,
    repository: kubernetes.apiextensions.CustomResource,
  ): kubernetes.apiextensions.CustomResource {
    return new kubernetes.apiextensions.CustomResource(
      `${name}-bootstrap`,
      bootstrapKustomization<pulumi.Input<string>>(
        {
          config: args.configurationName,
          name: pulumi.interpolate`${args.configurationName}-bootstrap`,
          path: pulumi.interpolate`./${args.fluxFolder}`,
          suspend: args.suspend === true || undefined,
        },
        args.bootstrap,
      ),
      // Deleted first: while it goes, it prunes what it applied, and for that the repository must still be there.
      {
        parent: this,
        ...(args.keepsPath === true && { ignoreChanges: ["spec.path"] }),
        provider,
        dependsOn: [...afterFiles(args, args.folder), repository],
        ...onCluster(args),
      },
    );
  }
}
