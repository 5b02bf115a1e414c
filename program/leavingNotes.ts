import type { Cluster, ClusterSet } from "../fleet/model.ts";
import { showNames } from "../values/show.ts";

/** At most so many clusters are told one by one. */
const most = 20;

/** What is to be known of clusters that are retired or lost, a line each: above all what Flux will delete on them. */
export function leavingNotes(clusters: readonly Cluster[]): string[] {
  const leaving = clusters.filter(({ lifecycle }) => lifecycle !== "active");
  const notes = leaving.slice(0, most).map(noteOf);
  return leaving.length > most
    ? [...notes, `${leaving.length - most} more clusters are retired or lost.`]
    : notes;
}

function noteOf(cluster: Cluster): string {
  const { name, lifecycle, platform, agents } = cluster;
  if (lifecycle === "lost") {
    const record =
      platform === "arc" && agents === "present"
        ? " Azure's record was made by others: delete it by `az resource delete --ids` with the cluster's arcId."
        : "";
    return `${name} is lost: drop it from the fleet file and run again. Its files and what Arcflux has of it go; nothing is deleted on the device.${record}`;
  }
  const [gone, kept] = [names(cluster, true), names(cluster, false)];
  const stays = kept === "" ? "" : ` What ${kept} applied stays.`;
  return gone === ""
    ? `${name} is retired: dropping it deletes nothing that its sets applied.${stays}`
    : `${name} is retired: once it is dropped, Flux deletes there all that ${gone} applied.${stays} Where the hardware is gone, write lifecycle: lost.`;
}

function names({ bootstrap, sets }: Cluster, gone: boolean): string {
  const some = sets.filter((set) => (bootstrap.prune && isDeleted(set)) === gone);
  return showNames(some.map(({ name }) => name));
}

/** Whether Flux deletes what a set applied once the set goes: it leaves a suspended one alone. */
function isDeleted({ suspension, spec }: ClusterSet): boolean {
  if (suspension !== undefined) return false;
  const policy = spec["deletionPolicy"] ?? "MirrorPrune";
  return policy === "MirrorPrune" ? spec.prune : policy !== "Orphan";
}
