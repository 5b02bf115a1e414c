import { eachSet } from "./eachSet.ts";
import { Shared, type Check } from "./report.ts";

/** A suspension by hand that should be over. */
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
};
