import { getConnectedCluster } from "@pulumi/azure-native/kubernetes/index.js";
import * as pulumi from "@pulumi/pulumi";

/** How long the agents may take from up to connected, in seconds, and between two looks. */
const patience = 600;
const pause = 10;

type ReadStatus = () => Promise<string | undefined>;

/**
 * Waits until Azure says that the agents of a cluster are connected. What the resource itself says is of the moment in which
 * it was made.
 *
 * @throws a RunError with the usual causes, once the time is up.
 */
export async function awaitConnected(
  name: string,
  read: ReadStatus,
  { sleep = wait, seconds = patience }: { sleep?: (seconds: number) => Promise<void>; seconds?: number } = {},
): Promise<void> {
  let status: string | undefined;
  for (let waited = 0; ; waited += pause) {
    status = await read();
    if (status === "Connected") return;
    if (waited >= seconds) break;
    await sleep(pause);
  }
  throw new pulumi.RunError(
    [
      `${name}: the agents run, and Azure says after ${seconds} s that the cluster is '${status ?? "unknown"}'. Its files are committed. Usual causes:`,
      "- Outbound endpoints that a firewall or proxy stops: docs/guide/doctor.md lists them, with a command that tries them from the cluster.",
      "- The clock of the device: more than some minutes off, and its tokens are refused.",
      "- A proxy that the agents were not told of: arc.proxy in the fleet file.",
      "`kubectl -n azure-arc logs deployment/clusteridentityoperator` says which. Then run again.",
    ].join("\n"),
  );
}

/** Reads the status of a connected cluster from Azure. */
export function statusReader(
  clusterName: string,
  resourceGroupName: string,
  parent: pulumi.Resource,
): ReadStatus {
  return async () =>
    (await getConnectedCluster({ clusterName, resourceGroupName }, { parent })).connectivityStatus;
}

function wait(seconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, seconds * 1000));
}
