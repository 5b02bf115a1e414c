import { Extension, FluxConfiguration } from "@pulumi/azure-native/kubernetesconfiguration/index.js";
import * as pulumi from "@pulumi/pulumi";

import { durationSeconds } from "../values/duration.ts";
import { type Bootstrap, type ExtensionSettings, fluxNamespace } from "../fleet/model.ts";
import { type Adopted, broughtTo, importing } from "./adoption.ts";
import { parseClusterId } from "../values/armId.ts";
import { checkArguments } from "./checkedArguments.ts";
import { type Compliance, readCompliance } from "./compliance.ts";
import type { EdgeCluster } from "./edgeCluster.ts";
import { azureExtension } from "./extensionSettings.ts";
import type { FluxFolder } from "./fluxFolder.ts";
import { afterFiles, type Leaving, onCluster } from "./leaving.ts";
import { azureAccess, type RepositoryAccess } from "./repositoryAccess.ts";

/** Arguments of {@link FluxBootstrap}. */
export interface FluxBootstrapArgs extends Leaving {
  /** Name of the connected cluster in Azure. */
  readonly clusterName: pulumi.Input<string>;
  /** Resource group of the connected cluster. */
  readonly resourceGroupName: pulumi.Input<string>;
  /** Name of the Flux configuration, and of its GitRepository on the cluster. */
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
  /** Whether Flux fetches and applies nothing from here on. Defaults to false. */
  readonly suspend?: boolean;
  /** Whether the configuration that is there stays as it is, whatever the arguments say. */
  readonly leftAlone?: boolean;
  /** Timing of the bootstrap Kustomization. */
  readonly bootstrap: Bootstrap;
  /** How often the repository is fetched. Defaults to the interval of the bootstrap. */
  readonly fetchInterval?: string;
  /** Multi-tenancy rules of the Flux extension. */
  readonly lockdown: boolean;
  /** Other settings of the extension. Defaults to Azure's. */
  readonly extension?: ExtensionSettings;
  /** Whether to read how Flux fares. Defaults to false. */
  readonly readCompliance?: boolean;
  /** How often the configuration was sent again though nothing changed, since it had not arrived. Defaults to 0. */
  readonly again?: number;
  /** What the engine does where Azure refuses a change. Defaults to nothing. */
  readonly hooks?: pulumi.ResourceHookBinding;
  /** The committed files: the configuration is created after them and deleted before them. */
  readonly folder: FluxFolder;
  /** What Azure has already and the stack takes over; both are absent where it is to be made. */
  readonly adopted?: { readonly extension?: Adopted; readonly configuration?: Adopted };
  /** What connects the cluster: Flux comes after it and goes before it. Absent when it is connected already. */
  readonly cluster?: EdgeCluster;
}

/** What Azure calls the connected cluster as the parent of an extension or a configuration. */
const clusterKind = { clusterRp: "Microsoft.Kubernetes", clusterResourceName: "connectedClusters" } as const;

/** Azure takes up to an hour for either, and the default of azure-native is shorter. */
const slowAzure = { create: "60m", update: "60m", delete: "60m" } as const;

/** Flux on a connected cluster: the extension, and a configuration that knows one GitRepository and `bootstrap` only. */
export class FluxBootstrap extends pulumi.ComponentResource {
  /** Azure id of the connected cluster. */
  readonly arcId: pulumi.Output<string>;
  /** Name of the bootstrap Kustomization on the cluster. */
  readonly bootstrapName: pulumi.Output<string>;
  /** When Azure took the configuration; ISO. */
  readonly sentAt: pulumi.Output<string>;
  /** How Flux fares on the cluster, read from Azure in each preview and update; undefined when that is not asked for. */
  readonly compliance: pulumi.Output<Compliance> | undefined;

  constructor(name: string, args: FluxBootstrapArgs, opts?: pulumi.ComponentResourceOptions) {
    super("arcflux:index:FluxBootstrap", name, {}, opts);
    checkArguments(`FluxBootstrap ${name}`, args);

    const extension = this.#installFlux(name, args);
    const configuration = this.#configureFlux(name, args, extension);
    this.arcId = extension.id.apply((id) => parseClusterId(id).arcId);
    this.sentAt = configuration.systemData.apply((stamps) => stamps?.lastModifiedAt ?? "");
    this.bootstrapName = pulumi.interpolate`${configuration.name}-bootstrap`;

    this.compliance = args.readCompliance === true ? this.#readCompliance(args, configuration) : undefined;

    this.registerOutputs({ arcId: this.arcId, bootstrapName: this.bootstrapName });
  }

  #readCompliance(args: FluxBootstrapArgs, configuration: FluxConfiguration): pulumi.Output<Compliance> {
    return pulumi
      .all([args.resourceGroupName, args.clusterName, configuration.name])
      .apply(([resourceGroupName, clusterName, fluxConfigurationName]) =>
        readCompliance(
          { ...clusterKind, resourceGroupName, clusterName, fluxConfigurationName },
          { parent: this },
        ),
      );
  }

  #installFlux(name: string, args: FluxBootstrapArgs): Extension {
    const adopted = args.adopted?.extension;
    const wanted = broughtTo(
      {
        ...clusterKind,
        resourceGroupName: args.resourceGroupName,
        clusterName: args.cluster?.connectedName ?? args.clusterName,
        // The name that the portal and the Azure CLI look for.
        extensionName: "flux",
        extensionType: "microsoft.flux",
        ...azureExtension(args.extension ?? {}, args.lockdown),
        // Without an identity the extension comes up without its role bindings, and says nothing.
        identity: { type: "SystemAssigned" as const },
        scope: { cluster: { releaseNamespace: fluxNamespace } },
      },
      adopted,
    );
    return new Extension(`${name}-flux`, wanted, {
      parent: this,
      dependsOn: args.cluster ?? [],
      customTimeouts: slowAzure,
      // One that was there before keeps the name that it was given; Azure takes one of the type for each cluster. The
      // others are what Azure fills in, which a state that was imported has among the inputs.
      ignoreChanges: ["extensionName", "identity", "statuses"],
      ...importing(adopted),
      ...onCluster(args),
      ...(args.hooks && { hooks: args.hooks }),
    });
  }

  #configureFlux(name: string, args: FluxBootstrapArgs, extension: Extension): FluxConfiguration {
    const { gitRepository, protectedSettings } = azureAccess(args.access);
    const { bootstrap } = args;
    const interval = durationSeconds(bootstrap.interval);
    const timeout = durationSeconds(bootstrap.timeout);
    const adopted = args.adopted?.configuration;
    const wanted = broughtTo(
      {
        ...clusterKind,
        resourceGroupName: args.resourceGroupName,
        clusterName: args.clusterName,
        fluxConfigurationName: args.configurationName,
        // Scope and namespace cannot be changed later, so neither is left to a default.
        scope: "cluster",
        namespace: fluxNamespace,
        sourceKind: "GitRepository",
        suspend: args.suspend ?? false,
        gitRepository: {
          url: args.repository,
          repositoryRef: { branch: args.branch },
          syncIntervalInSeconds: durationSeconds(args.fetchInterval ?? bootstrap.interval),
          timeoutInSeconds: timeout,
          ...gitRepository,
        },
        // Every field is given: Azure's defaults are not Flux's (prune false, wait true), and the SDK adds none here.
        kustomizations: {
          bootstrap: {
            path: pulumi.interpolate`./${args.fluxFolder}`,
            dependsOn: [],
            syncIntervalInSeconds: interval,
            retryIntervalInSeconds: durationSeconds(bootstrap.retryInterval),
            timeoutInSeconds: timeout,
            prune: bootstrap.prune,
            force: bootstrap.force,
            wait: bootstrap.wait,
          },
        },
        ...sendAgain(args),
        ...(protectedSettings !== undefined && { configurationProtectedSettings: protectedSettings }),
      },
      adopted,
      [extension.id, args.folder.commit],
    );
    return new FluxConfiguration(`${name}-configuration`, wanted, {
      parent: this,
      dependsOn: [extension, ...afterFiles(args, args.folder)],
      customTimeouts: slowAzure,
      ...ignored(args),
      ...importing(adopted),
      ...onCluster(args),
      ...(args.hooks && { hooks: args.hooks }),
    });
  }
}

/** What Azure fills in, which a state that was imported has among the inputs. */
const filledIn = ["waitForReconciliation", "kustomizations.bootstrap.name"];

/**
 * The one field of a configuration that means nothing here: nobody waits for reconciliation. Another value makes Pulumi send
 * all of it again, with the protected settings.
 */
function sendAgain({ again = 0 }: FluxBootstrapArgs): { readonly reconciliationWaitDuration?: string } {
  return again === 0 ? {} : { reconciliationWaitDuration: `PT${again}M` };
}

function ignored({ keepsPath, leftAlone }: FluxBootstrapArgs): pulumi.CustomResourceOptions {
  if (leftAlone === true) return { ignoreChanges: ["*"] };
  return { ignoreChanges: [...filledIn, ...(keepsPath === true ? ["kustomizations.bootstrap.path"] : [])] };
}
