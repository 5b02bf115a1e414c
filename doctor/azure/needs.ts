import type { Cluster } from "../../fleet/model.ts";

/** What an update does in one resource group, and for which clusters. */
export interface GroupNeeds {
  /** Undefined where the login decides. */
  readonly subscription: string | undefined;
  readonly resourceGroup: string;
  /** Regions of clusters that are connected there. */
  readonly locations: readonly string[];
  /** Whether clusters are connected, or were before. */
  readonly connects: boolean;
  /** Whether devices are simulated. */
  readonly simulates: boolean;
}

/** What clusters need in Azure, by resource group; none of those without Azure, or that are lost. */
export function needsOf(clusters: readonly Cluster[], subscription: string | undefined): GroupNeeds[] {
  const behindArc = clusters.filter(({ platform, lifecycle }) => platform === "arc" && lifecycle !== "lost");
  const groups = Map.groupBy(behindArc, ({ arc }) =>
    `${arc.subscription ?? ""}/${arc.resourceGroup}`.toLowerCase(),
  );
  return [...groups.values()].map((some): GroupNeeds => {
    const installing = some.filter(({ agents }) => agents === "install");
    return {
      subscription: some[0]?.arc.subscription ?? subscription,
      resourceGroup: some[0]?.arc.resourceGroup ?? "",
      locations: [...new Set(installing.map(({ arc }) => arc.location))],
      connects: installing.length > 0,
      simulates: installing.some(({ device }) => device !== undefined),
    };
  });
}

/** Resource providers that must be registered for it. */
export function providersOf(needs: readonly GroupNeeds[]): string[] {
  const connects = needs.some((one) => one.connects);
  return [
    ...(connects ? ["Microsoft.Kubernetes"] : []),
    "Microsoft.KubernetesConfiguration",
    ...(needs.some(({ simulates }) => simulates) ? ["Microsoft.Compute", "Microsoft.Network"] : []),
  ];
}

const configuration = "Microsoft.KubernetesConfiguration";

/** Actions that an update takes in a group, and those that only a destroy or a replaced device takes. */
export function actionsOf({ connects }: GroupNeeds): {
  readonly update: readonly string[];
  readonly destroy: readonly string[];
} {
  const both = (what: string): string[] => [
    `${configuration}/${what}/read`,
    `${configuration}/${what}/write`,
  ];
  const cluster = "Microsoft.Kubernetes/connectedClusters";
  return {
    update: [
      ...(connects ? [`${cluster}/read`, `${cluster}/write`] : []),
      ...both("extensions"),
      ...both("fluxConfigurations"),
    ],
    destroy: [
      ...(connects ? [`${cluster}/delete`] : []),
      `${configuration}/extensions/delete`,
      `${configuration}/fluxConfigurations/delete`,
    ],
  };
}
