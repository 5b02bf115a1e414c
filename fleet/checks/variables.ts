import { isAtLeast } from "../fluxVersions.ts";
import { probable } from "../nearest.ts";
import { undefinedReferences } from "../substitution.ts";
import type { ClusterSet } from "../model.ts";
import { eachSet } from "./eachSet.ts";
import { Shared, type Check } from "./report.ts";

/** `${…}` in what a set patches, without a variable of that name. The manifests themselves are for checks/ to read. */
export const checkVariables: Check = (checked) => {
  const shared = new Shared();
  eachSet(checked, ({ cluster, set, at }) => {
    const texts = patches(set);
    if (texts.length === 0) return;
    const { substitute = {}, substituteFrom = [] } = (set.spec["postBuild"] ?? {}) as {
      readonly substitute?: Readonly<Record<string, string>>;
      readonly substituteFrom?: readonly unknown[];
    };
    // What a ConfigMap or Secret on the cluster defines is not known here.
    if (substituteFrom.length > 0) return;
    for (const [index, text] of texts.entries()) {
      for (const name of undefinedReferences(text, substitute)) {
        const near = probable(name, Object.keys(substitute));
        const meant = near === undefined ? "" : ` Did you mean ${near}?`;
        const outcome = isAtLeast(cluster.flux.version, "2.9")
          ? "Flux would fail"
          : "Flux would leave it empty";
        shared.add(
          at("patches", index, "patch"),
          `has \${${name}}, which no variable defines, and ${outcome}; define it, or write \${${name}:=default}.${meant}`,
          cluster.name,
        );
      }
    }
  });
  shared.report(checked.warn);
};

function patches({ spec }: ClusterSet): string[] {
  const list = (spec["patches"] ?? []) as readonly { readonly patch?: string }[];
  return list.map(({ patch }) => patch ?? "");
}
