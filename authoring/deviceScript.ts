import type { Cluster } from "../fleet/model.ts";
import { shellWord } from "../values/shellWord.ts";

/** What has to run where a cluster is, for a person: nothing where an update connects it itself. */
export function deviceLines(cluster: Cluster): string[] {
  switch (cluster.platform) {
    case "arc":
      return cluster.agents === "install" ? [] : [connect(cluster)];
    case "kubernetes":
      return ["flux check || flux install   # Flux has to run there"];
    case "none":
      return [];
    default:
      return cluster.platform satisfies never;
  }
}

const mark = "# Connects this device to Azure Arc:";

/** Whether a text is such a script, which a newer one may replace. */
export const isDeviceScript = (text: string): boolean => text.split(/\r?\n/)[1]?.startsWith(mark) ?? false;

/**
 * A shell script that connects the device it runs on to Azure Arc: `sh connect.sh store-001`. A device that is connected
 * already stays as it is, so it may run at every start.
 */
export function deviceScript(clusters: readonly Cluster[]): string {
  const cases = clusters.map(
    ({ name, arc }) => `  ${name}) set -- ${argumentsOf(arc).map(shellWord).join(" ")} ;;`,
  );
  return [
    "#!/bin/sh",
    `${mark} sh connect.sh NAME, with the name of its cluster. Run again it does nothing.`,
    "# Needs az with the extension connectedk8s, signed in, and a kubeconfig of the cluster as administrator.",
    "set -eu",
    "case ${1:?is missing: the name of the cluster} in",
    ...cases,
    '  *) echo "$1 is not a cluster of this script" >&2; exit 2 ;;',
    "esac",
    "name=$1 group=$2 location=$3",
    "shift 3",
    'if az connectedk8s show --name "$name" --resource-group "$group" --output none "$@" 2>/dev/null; then',
    '  echo "$name is connected already"',
    "else",
    '  az connectedk8s connect --name "$name" --resource-group "$group" --location "$location" "$@"',
    "fi",
    "",
  ].join("\n");
}

/** Name, resource group and location, and what else az is to be told. */
function argumentsOf({ name, resourceGroup, location, subscription }: Cluster["arc"]): string[] {
  return [
    name,
    resourceGroup,
    location,
    ...(subscription === undefined ? [] : ["--subscription", subscription]),
  ];
}

function connect({ arc }: Cluster): string {
  const { name, resourceGroup, location, subscription } = arc;
  const of = subscription === undefined ? "" : ` --subscription ${shellWord(subscription)}`;
  return `az connectedk8s connect --name ${shellWord(name)} --resource-group ${shellWord(resourceGroup)} --location ${shellWord(location)}${of}`;
}
