import { nearest } from "../../values/nearest.ts";
import { show } from "../../values/show.ts";
import type { Check } from "./report.ts";

/** A name under `ignore` that is not a judgement's: the warning would still be heard, and nobody would know why. */
export const checkIgnored: Check = ({ file, options: { judgements }, report }) => {
  if (judgements === undefined) return;
  for (const [index, name] of file.ignore.entries()) {
    if (judgements.includes(name)) continue;
    const near = nearest(name, judgements, 3);
    const next = near === undefined ? `write one of ${judgements.join(", ")}` : `did you mean ${near}?`;
    report(["ignore", index], `${show(name)} is not the name of a judgement; ${next}`);
  }
};
