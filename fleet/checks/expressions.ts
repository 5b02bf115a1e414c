import { Environment } from "@marcbachmann/cel-js";
import { asList, asMap, asText } from "../../values/maps.ts";
import { printable } from "../../values/show.ts";
import type { Path } from "../finding.ts";
import { eachSet } from "./eachSet.ts";
import { Shared, type Check } from "./report.ts";

const cel = new Environment({ enableOptionalTypes: true, unlistedVariablesAreDyn: true });

/** CEL as Flux parses it. What this parser does not know, a name in backticks, is left to Flux. */
export const checkExpressions: Check = (checked) => {
  const faults = new Shared();
  const ignored = new Shared();
  eachSet(checked, ({ cluster, set, at }) => {
    const check = (text: string | undefined, path: () => Path): void => {
      const fault = text === undefined ? undefined : celFault(text);
      if (fault !== undefined)
        faults.add(
          path(),
          `is not a CEL expression (${fault}), so Flux would fail the set; correct it`,
          cluster.name,
        );
    };
    for (const [index, { readyExpr }] of set.dependsOn.entries())
      check(readyExpr, () => at("dependsOn", index, "readyExpr"));
    const expressions = asList(set.spec["healthCheckExprs"]);
    for (const [index, entry] of expressions.entries()) {
      for (const field of ["current", "inProgress", "failed"])
        check(asText(asMap(entry)[field]), () => at("healthCheckExprs", index, field));
    }
    if (expressions.length > 0 && set.spec["wait"] !== true && asList(set.spec["healthChecks"]).length === 0)
      ignored.add(
        at("healthCheckExprs"),
        "is never asked: Flux looks at health only with wait: true or healthChecks; write one of them",
        cluster.name,
        "key",
      );
  });
  faults.report(checked.report);
  ignored.report(checked.warn);
};

/** What is wrong with an expression, in the parser's words; undefined where nothing is. */
function celFault(text: string): string | undefined {
  if (text.includes("`")) return undefined;
  try {
    cel.parse(text);
    return undefined;
  } catch (error) {
    return printable((error as Error).message.split("\n")[0]!);
  }
}
