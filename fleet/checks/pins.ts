import { allHolders, own } from "../layers.ts";
import { showNames } from "../../wording/show.ts";
import type { Check } from "./report.ts";

const allowed = {
  GitRepository: ["branch", "tag", "semver", "commit", "name"],
  OCIRepository: ["tag", "semver", "semverFilter", "digest"],
} as const;

/** Keys that may stand together; any other two contradict each other, and Flux would take one silently. */
const together = [
  ["branch", "commit"],
  ["semver", "semverFilter"],
];

/** A pin says one thing, and one that its source understands. */
export const checkPins: Check = ({ file, report }) => {
  for (const holder of allHolders(file)) {
    for (const [name, pin] of Object.entries(holder.entry.pins ?? {})) {
      const path = [...holder.path, "pins", name];
      const source = own(file.sources, name);
      if (source === undefined) continue;
      if (source.kind === "Bucket") {
        report(path, "is for a Bucket, which has no versions; drop the pin", "key");
        continue;
      }
      const keys = Object.keys(pin);
      const known: readonly string[] = allowed[source.kind];
      for (const key of keys.filter((one) => !known.includes(one)))
        report(
          [...path, key],
          `is nothing that pins a ${source.kind}; write one of ${showNames(known)}`,
          "key",
        );
      const fitting = keys.filter((key) => known.includes(key));
      if (keys.length === 0) report(path, `is empty; write one of ${showNames(known)}`);
      if (fitting.length > 1 && !together.some((pair) => fitting.every((key) => pair.includes(key))))
        report(path, `has ${fitting.join(" and ")}, and Flux would take only one of them; write one`);
    }
  }
};
