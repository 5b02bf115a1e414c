import type { Cluster } from "../fleet/model.ts";

/** What has to run where a cluster is, for a person: nothing where an update connects it itself. */
export function deviceLines(cluster: Cluster): string[] {
  if (cluster.platform === "kubernetes") return ["flux check || flux install   # Flux has to run there"];
  return cluster.agents === "install" ? [] : [connect(cluster)];
}

/**
 * A shell script that connects the device it runs on to Azure Arc: `sh connect.sh store-001`. A device that is connected
 * already stays as it is, so it may run at every start.
 */
export function deviceScript(clusters: readonly Cluster[]): string {
  const cases = clusters.map(
    ({ name, arc }) =>
      `  ${name}) set -- ${[arc.name, arc.resourceGroup, arc.location].map(quoted).join(" ")} ;;`,
  );
  return [
    "#!/bin/sh",
    "# Connects this device to Azure Arc: sh connect.sh NAME, with the name of its cluster. Run again it does nothing.",
    "# Needs az with the extension connectedk8s, signed in, and a kubeconfig of the cluster as administrator.",
    "set -eu",
    "case ${1:?is missing: the name of the cluster} in",
    ...cases,
    '  *) echo "$1 is not a cluster of this script" >&2; exit 2 ;;',
    "esac",
    'if az connectedk8s show --name "$1" --resource-group "$2" --output none 2>/dev/null; then',
    '  echo "$1 is connected already"',
    "else",
    '  az connectedk8s connect --name "$1" --resource-group "$2" --location "$3"',
    "fi",
    "",
  ].join("\n");
}

function connect({ arc }: Cluster): string {
  const { name, resourceGroup, location } = arc;
  return `az connectedk8s connect --name ${quoted(name)} --resource-group ${quoted(resourceGroup)} --location ${quoted(location)}`;
}

/** For a POSIX shell, as plain as it can be. */
const quoted = (text: string): string =>
  /^[\w.-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
