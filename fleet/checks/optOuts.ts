import { didYouMean, Speller } from "../../values/nearest.ts";
import { show } from "../../values/show.ts";
import { formatPath } from "../finding.ts";
import { allHolders } from "../layers.ts";
import { appsSet } from "../resolveSets.ts";
import { namesGiven } from "./given.ts";
import { declared, type Check } from "./report.ts";

/** What is opted out is given somewhere: a misspelt name opts out of nothing, and the set stays on the cluster. */
export const checkOptOuts: Check = (checked) => {
  const { file, data, documents, warn } = checked;
  // A name with nothing after it is warned of anyway.
  const blanks = new Set(documents.blanks.map(formatPath));
  for (const section of ["sets", "apps"] as const) {
    const optedOut = allHolders(file).flatMap(({ path, entry }) =>
      Object.entries(entry[section] ?? {}).flatMap(([name, value]) =>
        value === null ? { name, path: [...path, section, name] } : [],
      ),
    );
    if (optedOut.length === 0) continue;
    const given = namesGiven(data, section);
    if (section === "sets") {
      for (const name of declared(checked, "sets")) given.add(name);
      if (namesGiven(data, "apps").size > 0) given.add(appsSet);
    }
    const what = section === "sets" ? "set" : "app";
    const speller = new Speller(given);
    for (const { name, path } of optedOut) {
      if (given.has(name) || blanks.has(formatPath(path))) continue;
      warn(
        path,
        `opts out of the ${what} ${show(name)}, which nothing gives; correct the name or drop the line.${didYouMean(speller.probable(name))}`,
        "key",
      );
    }
  }
};
