import { probable } from "../../values/nearest.ts";
import { show } from "../../values/show.ts";
import { formatPath } from "../finding.ts";
import { allHolders } from "../layers.ts";
import { appsSet } from "../resolveSets.ts";
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
    for (const { name, path } of optedOut) {
      if (given.has(name) || blanks.has(formatPath(path))) continue;
      const near = probable(name, given);
      const hint = near === undefined ? "" : ` Did you mean ${near}?`;
      warn(
        path,
        `opts out of the ${what} ${show(name)}, which nothing gives; correct the name or drop the line.${hint}`,
        "key",
      );
    }
  }
};

/** What stages, groups and clusters give, faulty entries among it. */
function namesGiven(data: unknown, section: "sets" | "apps"): Set<string> {
  const names = new Set<string>();
  for (const part of ["stages", "groups", "clusters"]) {
    for (const entry of Object.values(mapOf(mapOf(data)[part]))) {
      for (const [name, value] of Object.entries(mapOf(mapOf(entry)[section])))
        if (value !== null) names.add(name);
    }
  }
  return names;
}

function mapOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}
