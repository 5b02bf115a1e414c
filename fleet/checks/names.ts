import type { Path } from "../finding.ts";
import { reservedSetName, rules, type Rule } from "../rules.ts";
import { show } from "../show.ts";
import type { Check } from "./report.ts";

/** Device names that no folder can have on Windows, where some will have their clone. */
const windowsDevice = /^(con|prn|aux|nul|com\d|lpt\d)$/i;

/** Keys that are names: clusters, sets, variables, labels, annotations, tags. */
export const checkNames: Check = ({ file, report }) => {
  const keys = (path: Path, map: object | undefined, rule: Rule) => {
    for (const key of Object.keys(map ?? {})) {
      if (!rule.pattern.test(key))
        report([...path, key], `${show(key)} is not allowed; ${rule.allowed}`, "key");
    }
  };
  const setFields = (
    path: Path,
    fields: { labels?: object | undefined; annotations?: object | undefined } | null | undefined,
  ) => {
    keys([...path, "labels"], fields?.labels, rules.labelKey);
    keys([...path, "annotations"], fields?.annotations, rules.labelKey);
    const reconcile = "kustomize.toolkit.fluxcd.io/reconcile";
    for (const map of ["labels", "annotations"] as const) {
      const value = (fields?.[map] as Record<string, string> | undefined)?.[reconcile];
      if (value === "disabled") {
        report(
          [...path, map, reconcile],
          "disabled is not allowed; with it in Git, Flux would never create the set",
        );
      }
    }
  };
  const sets = (path: Path, map: Readonly<Record<string, object | null>> | undefined) => {
    keys(path, map, rules.setName);
    for (const [name, fields] of Object.entries(map ?? {})) {
      const holder = reservedSetName(name, file.config);
      if (holder) report([...path, name], `${show(name)} is reserved: ${holder}; choose another name`, "key");
      setFields([...path, name], fields);
    }
  };

  keys(["arc", "tags"], file.arc.tags, rules.tagKey);
  setFields(["defaults"], file.defaults);
  sets(["sets"], file.sets);
  keys(["clusters"], file.clusters, rules.clusterName);
  for (const [name, cluster] of Object.entries(file.clusters)) {
    const path = ["clusters", name];
    if (windowsDevice.test(name)) {
      report(path, `${show(name)} cannot be a folder on Windows; choose another name`, "key");
    }
    keys([...path, "labels"], cluster.labels, rules.labelKey);
    keys([...path, "variables"], cluster.variables, rules.variableName);
    keys([...path, "arc", "tags"], cluster.arc?.tags, rules.tagKey);
    setFields([...path, "defaults"], cluster.defaults);
    sets([...path, "sets"], cluster.sets);
  }
};
