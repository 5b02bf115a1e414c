/** How a cluster is connected to Azure Arc, as far as the fleet file says it. */
export interface ArcConnection {
  readonly distribution?: string | undefined;
  readonly infrastructure?: string | undefined;
  /** Azure id of the private link scope that its agents go through. */
  readonly privateLinkScope?: string | undefined;
  /** Roles of Azure decide who may do what on the cluster. */
  readonly azureRbac?:
    | { readonly adminGroups?: readonly string[] | undefined; readonly tenantId?: string | undefined }
    | undefined;
  readonly proxy?: ArcProxy | undefined;
  readonly chart?: ArcChart | undefined;
}

/** The way out of a site that has no other. */
export interface ArcProxy {
  readonly http?: string | undefined;
  readonly https?: string | undefined;
  /** Hosts and networks that are reached without it, with commas between them. */
  readonly skip?: string | undefined;
  /** Absolute path of its certificate authorities (PEM). */
  readonly caFile?: string | undefined;
}

/** The Helm chart of the agents. */
export interface ArcChart {
  readonly version?: string | undefined;
  /** Whether the agents upgrade themselves; then Arcflux keeps no version. */
  readonly autoUpgrade?: boolean | undefined;
  /** As Flux writes durations: how long the agents may take to come up. */
  readonly timeout?: string | undefined;
  /** More Helm values, over those that Arcflux sets. */
  readonly values?: Readonly<Record<string, unknown>> | undefined;
}

/** One layer over the other, the later one's values first; proxy and chart field by field. */
export function mergeConnections(layers: readonly ArcConnection[]): ArcConnection {
  return layers.reduce<ArcConnection>((all, { proxy, chart, ...rest }) => {
    const stated = Object.fromEntries(
      connectionKeys.flatMap((key) => (rest[key] === undefined ? [] : [[key, rest[key]] as const])),
    );
    return {
      ...all,
      ...stated,
      ...(proxy && { proxy: { ...all.proxy, ...proxy } }),
      ...(chart && { chart: { ...all.chart, ...chart } }),
    };
  }, {});
}

const connectionKeys = ["distribution", "infrastructure", "privateLinkScope", "azureRbac"] as const;
