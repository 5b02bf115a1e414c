import { allHolders } from "../layers.ts";
import { eachSet } from "./eachSet.ts";
import { Shared, type Check } from "./report.ts";

/** Suspensions that should be over: a reminder of a set's, and an error where whole clusters get nothing new. */
export const checkSuspensions: Check = (checked) => {
  const { today } = checked.options;
  if (today === undefined) return;
  const shared = new Shared();
  eachSet(checked, ({ cluster, set, at }) => {
    const until = set.suspension?.until;
    if (until === undefined || until >= today) return;
    const message = `${until} is past, and the set is still suspended (${set.suspension!.reason}); drop suspend, or write a later day`;
    shared.add(at("suspend", "until"), message, cluster.name);
  });
  shared.report(checked.warn);
  for (const { path, entry } of allHolders(checked.file)) {
    const until = entry.suspend?.until;
    if (until === undefined || until >= today) continue;
    checked.report(
      [...path, "suspend", "until"],
      `${until} is past, and nothing new reaches what it suspends (${entry.suspend?.reason}); take suspend out, or write a later day`,
    );
  }
};
