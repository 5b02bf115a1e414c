import type { Path } from "../finding.ts";
import { isAtLeast } from "../../values/fluxVersions.ts";
import type { Cluster, ClusterSet } from "../model.ts";
import { probable } from "../../values/nearest.ts";
import { originIn } from "../origin.ts";
import { appsSet } from "../resolveSets.ts";
import { undefinedReferences } from "../substitution.ts";
import { eachSet, type Taken } from "./eachSet.ts";
import { Shared, type Check, type Checked } from "./report.ts";

/** A text of the fleet file that becomes part of the manifests, in which Flux then replaces variables. */
interface Text {
  readonly text: string;
  readonly path: () => Path;
}

/** Fields that end up in manifests, beside patches. */
const fields = ["namePrefix", "nameSuffix", "commonMetadata", "images"] as const;

/** `${…}` in the fleet file without a variable of that name. The manifests themselves are for checks/ to read. */
export const checkVariables: Check = (checked) => {
  const shared = new Shared();
  eachSet(checked, (taken) => {
    const { cluster, set } = taken;
    const texts = [...textsOf(taken), ...(set.name === appsSet ? appTexts(checked, cluster) : [])];
    if (texts.length === 0) return;
    const defined = variablesOf(set);
    if (defined === undefined) return;
    for (const { text, path } of texts) {
      for (const name of undefinedReferences(text, defined)) {
        const near = probable(name, Object.keys(defined));
        const meant = near === undefined ? "" : ` Did you mean ${near}?`;
        const outcome = isAtLeast(cluster.flux.version, "2.9")
          ? "Flux would fail"
          : "Flux would leave it empty";
        shared.add(
          path(),
          `has \${${name}}, which no variable defines, and ${outcome}; define it, or write \${${name}:=default}.${meant}`,
          cluster.name,
        );
      }
    }
  });
  shared.report(checked.warn);
};

/** The variables of a set; undefined where a ConfigMap or Secret on the cluster may define more. */
function variablesOf({ spec }: ClusterSet): Readonly<Record<string, string>> | undefined {
  const { substitute = {}, substituteFrom = [] } = (spec["postBuild"] ?? {}) as {
    readonly substitute?: Readonly<Record<string, string>>;
    readonly substituteFrom?: readonly unknown[];
  };
  return substituteFrom.length > 0 ? undefined : substitute;
}

function textsOf({ set, at }: Taken): Text[] {
  const patches = (set.spec["patches"] ?? []) as readonly { readonly patch?: string }[];
  return [
    ...patches.map(({ patch }, index) => ({ text: patch ?? "", path: () => at("patches", index, "patch") })),
    ...fields.flatMap((field) => {
      const value = set.spec[field];
      return value == null ? [] : { text: JSON.stringify(value), path: () => at(field) };
    }),
  ];
}

function appTexts(checked: Checked, { name, apps }: Cluster): Text[] {
  return apps.flatMap((app) => {
    const path: Path = ["clusters", name, "apps", app.name, "patch"];
    return app.patch ? { text: JSON.stringify(app.patch), path: () => originIn(checked, path) ?? path } : [];
  });
}
