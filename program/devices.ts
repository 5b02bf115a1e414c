import type { Cluster } from "../fleet/model.ts";
import { showSome } from "../values/show.ts";
import { type FormerCluster, formerOf } from "./formerClusters.ts";

/** What the last update said of the device that a cluster runs on: a part of the output `clusters`. */
export interface FormerDevice {
  /** Which device of this name it is. */
  readonly hardware: number;
  /** Whether what is on it is let go without a question once the next device takes its place. */
  readonly isReplaceable: boolean;
}

type Former = Readonly<Record<string, FormerCluster>>;

/** Clusters of which another device takes the place of the one that the last update knew. */
export function replacedDevices(clusters: readonly Cluster[], former: Former): ReadonlySet<string> {
  return new Set(
    clusters
      .filter((cluster) => {
        const before = formerOf(cluster, former);
        return before !== undefined && (before.device?.hardware ?? 1) !== cluster.hardware;
      })
      .map(({ name }) => name),
  );
}

/** Why a device cannot be replaced so, a line each. */
export function deviceFaults(clusters: readonly Cluster[], former: Former): string[] {
  const replaced = replacedDevices(clusters, former);
  const some = clusters.filter(({ name }) => replaced.has(name));
  const back = some.filter(
    (cluster) => (formerOf(cluster, former)?.device?.hardware ?? 1) > cluster.hardware,
  );
  const open = some.filter(
    (cluster) => !back.includes(cluster) && formerOf(cluster, former)?.device?.isReplaceable !== true,
  );
  const names = (list: readonly Cluster[]): string => showSome(list.map(({ name }) => name));
  return [
    ...(back.length === 0
      ? []
      : [
          `${names(back)}: hardware counts the devices of a name, and was higher before. Nothing was changed. Write the number that it had, or a higher one for another device.`,
        ]),
    ...(open.length === 0
      ? []
      : [
          `${names(open)}: the last update did not protect what is on the device, so that replacing it would ask the old one. Nothing was changed. Take \`hardware\` out, set arcflux:protect to true, run \`pulumi up\`, and write it again.`,
        ]),
  ];
}

/** What becomes of devices that are replaced. */
export function deviceNotes(clusters: readonly Cluster[], former: Former): string[] {
  const replaced = [...replacedDevices(clusters, former)];
  if (replaced.length === 0) return [];
  const installs = clusters.some(
    ({ name, agents, platform }) => replaced.includes(name) && platform === "arc" && agents === "install",
  );
  const azure = installs
    ? " In Azure the connected cluster is deleted and made anew under the same name, with a new key."
    : "";
  return [
    `${showSome(replaced)}: another device takes the place of the one before, which is asked nothing and keeps what runs there.${azure} Files in Git stay.`,
  ];
}
