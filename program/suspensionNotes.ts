import type { Cluster } from "../fleet/model.ts";
import { showSome } from "../values/show.ts";

/** What the fleet file keeps from clusters, a line for those of one reason. */
export function suspensionNotes(clusters: readonly Cluster[]): string[] {
  const said = clusters.flatMap(({ name, suspension }) => {
    if (suspension === undefined) return [];
    const { reason, until, through } = suspension;
    const when = until === undefined ? "" : `, until ${until}`;
    const how =
      through === "git"
        ? "the files in Git suspend their sources and sets"
        : "bootstrap and sources fetch nothing new; what runs goes on, and drift is repaired";
    return [{ name, text: `suspended (${reason}${when}): ${how}.` }];
  });
  return [...Map.groupBy(said, ({ text }) => text)].map(
    ([text, alike]) =>
      `${showSome(alike.map(({ name }) => name))} ${alike.length > 1 ? "are" : "is"} ${text}`,
  );
}
