import type { Check } from "./report.ts";

/** Freezes that end before they begin, and those that are over. */
export const checkFreezes: Check = ({ file, options, report, warn }) => {
  for (const [name, { from, until }] of Object.entries(file.freezes)) {
    if (until < from)
      report(["freezes", name, "until"], `is before ${from}, when it begins; write a later day`);
    else if (options.today !== undefined && until < options.today)
      warn(["freezes", name], `is over since ${until}; take it out, and update its clusters`, "key");
  }
};
