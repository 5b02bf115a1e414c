import { allHolders, own } from "../layers.ts";
import { showNames } from "../../values/show.ts";
import { valueAt } from "../withoutFaults.ts";
import type { Check } from "./report.ts";

/** What a pin of a source of each kind may say. */
export const pinKeys = {
  GitRepository: ["branch", "tag", "semver", "commit", "name"],
  OCIRepository: ["tag", "semver", "semverFilter", "digest"],
} as const;

/** Keys that may stand together; any other two contradict each other, and Flux would take one silently. */
const together = [
  ["branch", "commit"],
  ["semver", "semverFilter"],
];

const article = { GitRepository: "a GitRepository", OCIRepository: "an OCIRepository" } as const;

/** A ref or a pin says one thing, and a pin one that its source understands. */
export const checkPins: Check = ({ file, data, report }) => {
  for (const [name, source] of Object.entries(file.sources)) {
    const keys = Object.keys(("ref" in source && source.ref) || {});
    if (contradict(keys)) report(["sources", name, "ref"], onlyOne(keys));
  }
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
      const known: readonly string[] = pinKeys[source.kind];
      for (const key of keys.filter((one) => !known.includes(one)))
        report(
          [...path, key],
          `is nothing that pins ${article[source.kind]}; write one of ${showNames(known)}`,
          "key",
        );
      const fitting = keys.filter((key) => known.includes(key));
      const stated = Object.keys(valueAt(data, path) ?? {});
      if (stated.length === 0) report(path, `is empty; write one of ${showNames(known)}`);
      if (contradict(fitting)) report(path, onlyOne(fitting));
    }
  }
};

function contradict(keys: readonly string[]): boolean {
  return keys.length > 1 && !together.some((pair) => keys.every((key) => pair.includes(key)));
}

function onlyOne(keys: readonly string[]): string {
  return `has ${keys.join(" and ")}, and Flux would take only one of them; write one`;
}
