import type { Cluster } from "../../fleet/model.ts";
import { showSome } from "../../values/show.ts";
import { type Gate, passes, stopsUnless } from "../gate.ts";

/** Nothing moves while a freeze holds, unless somebody says why it must. */
export function freezeGate(clusters: readonly Cluster[], emergency: string | undefined, way: string): Gate {
  const frozen = clusters.filter(({ freeze }) => freeze !== undefined);
  const freezes = new Map(frozen.map(({ freeze }) => [freeze?.name ?? "", freeze]));
  if (freezes.size === 0) return passes("freeze", "none holds today");
  const text = [...freezes].map(([name, freeze]) => {
    const names = frozen.filter((cluster) => cluster.freeze?.name === name).map((cluster) => cluster.name);
    return `${name} holds ${showSome(names)} until ${freeze?.until ?? ""} (${freeze?.reason ?? ""})`;
  });
  return stopsUnless(emergency, "freeze", text.join("; "), `Wait until it is over, or ${way}`);
}
