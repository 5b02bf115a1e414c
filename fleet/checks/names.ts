import type { Path } from "../finding.ts";
import { reservedSetName, rules, type Rule } from "../rules.ts";
import { own } from "../layers.ts";
import { ownPrefix } from "../ownVariables.ts";
import type { LayerEntry } from "../schema/layer.ts";
import type { SetFields } from "../schema/set.ts";
import { show } from "../../values/show.ts";
import { isWindowsDevice } from "../windowsName.ts";
import type { Check } from "./report.ts";

const reconcile = "kustomize.toolkit.fluxcd.io/reconcile";

/** Keys that are names: clusters, sets, variables, labels, annotations, tags and the like. */
export const checkNames: Check = ({ file, report }) => {
  const keys = (path: Path, map: object | null | undefined, rule: Rule) => {
    for (const key in map) {
      if (!rule.pattern.test(key))
        report([...path, key], `${show(key)} is not allowed; ${rule.allowed}`, "key");
    }
  };
  const variables = (path: Path, map: object | null | undefined) => {
    keys(path, map, rules.variableName);
    for (const key in map) {
      if (key.startsWith(ownPrefix))
        report(
          [...path, key],
          `${show(key)} is reserved: Arcflux sets variables that begin with ${ownPrefix}; choose another name`,
          "key",
        );
    }
  };
  const storable = (path: Path, map: object | undefined, what: string) => {
    for (const key in map) {
      if (isWindowsDevice(key))
        report([...path, key], `${show(key)} cannot be ${what} on Windows; choose another name`, "key");
    }
  };
  const setFields = (path: Path, fields: SetFields | null | undefined) => {
    if (!fields) return;
    const { labels, annotations, commonMetadata, postBuild } = fields;
    keys([...path, "labels"], labels, rules.labelKey);
    keys([...path, "annotations"], annotations, rules.labelKey);
    keys([...path, "commonMetadata", "labels"], commonMetadata?.labels, rules.labelKey);
    keys([...path, "commonMetadata", "annotations"], commonMetadata?.annotations, rules.labelKey);
    variables([...path, "postBuild", "substitute"], postBuild?.substitute);
    for (const [map, values] of [
      ["labels", labels],
      ["annotations", annotations],
    ] as const) {
      if (values?.[reconcile] === "disabled") {
        report(
          [...path, map, reconcile],
          "disabled is not allowed; with it in Git, Flux would never create the set",
        );
      }
    }
  };
  const sets = (path: Path, map: Readonly<Record<string, SetFields | null>> | undefined) => {
    keys(path, map, rules.setName);
    storable(path, map, "a file");
    for (const name in map) {
      const holder = reservedSetName(name, file.config);
      if (holder) report([...path, name], `${show(name)} is reserved: ${holder}; choose another name`, "key");
      setFields([...path, name], map[name]);
    }
  };
  const layers = (section: string, entries: Readonly<Record<string, LayerEntry>>, rule: Rule) => {
    keys([section], entries, rule);
    for (const [name, entry] of Object.entries(entries)) {
      const path = [section, name];
      variables([...path, "variables"], entry.variables);
      keys([...path, "arc", "tags"], entry.arc?.tags, rules.tagKey);
      keys([...path, "arc", "extension", "settings"], entry.arc?.extension?.settings, rules.extensionSetting);
      keys([...path, "apps"], entry.apps, rules.appName);
      storable([...path, "apps"], entry.apps, "a file");
      setFields([...path, "defaults"], entry.defaults);
      sets([...path, "sets"], entry.sets);
    }
  };

  keys(["arc", "tags"], file.arc.tags, rules.tagKey);
  keys(["arc", "extension", "settings"], file.arc.extension?.settings, rules.extensionSetting);
  setFields(["defaults"], file.defaults);
  sets(["sets"], file.sets);
  keys(["sources"], file.sources, rules.sourceName);
  if (Object.hasOwn(file.sources, file.config)) {
    const message = `${show(file.config)} is the name of the cluster's own GitRepository; choose another name`;
    report(["sources", file.config], message, "key");
  }
  for (const name in file.sources) {
    if (name.startsWith("window-"))
      report(
        ["sources", name],
        `${show(name)} is reserved: names that begin with window- belong to windows; choose another name`,
        "key",
      );
  }
  if (file.config.startsWith("window-"))
    report(["config"], "begins with window-, as the sources of windows do; choose another name");
  keys(["windows"], file.windows, rules.windowName);
  for (const [name, { match, openings }] of Object.entries(file.windows)) {
    keys(["windows", name, "match"], match, rules.labelKey);
    keys(["windows", name, "openings"], openings, rules.openingTime);
    for (const [start, one] of Object.entries(openings ?? {}))
      keys(["windows", name, "openings", start, "match"], one.match, rules.labelKey);
  }
  keys(["tenants"], file.tenants, rules.tenantName);
  for (const [name, { match, labels }] of Object.entries(file.tenants)) {
    keys(["tenants", name, "match"], match, rules.labelKey);
    keys(["tenants", name, "labels"], labels, rules.labelKey);
  }
  storable(["tenants"], file.tenants, "a folder");
  keys(["freezes"], file.freezes, rules.layerName);
  for (const [name, { match }] of Object.entries(file.freezes))
    keys(["freezes", name, "match"], match, rules.labelKey);
  keys(["alerts"], file.alerts, rules.alertName);
  for (const [name, { match }] of Object.entries(file.alerts))
    keys(["alerts", name, "match"], match, rules.labelKey);
  keys(["secrets"], file.secrets, rules.sourceName);
  storable(["secrets"], file.secrets, "a file");
  for (const [name, entry] of Object.entries(file.secrets)) {
    keys(["secrets", name, "match"], entry.match, rules.labelKey);
    keys(["secrets", name, "keys"], entry.keys, rules.secretKey);
  }
  layers("stages", file.stages, rules.layerName);
  layers("groups", file.groups, rules.layerName);
  for (const [name, { match }] of Object.entries(file.groups))
    keys(["groups", name, "match"], match, rules.labelKey);
  layers("clusters", file.clusters, rules.clusterName);
  for (const [name, { formerly }] of Object.entries(file.clusters)) {
    if (formerly !== undefined && own(file.clusters, formerly) !== undefined)
      report(
        ["clusters", name, "formerly"],
        `${show(formerly)} is a cluster of its own; write the name that ${name} had before`,
      );
  }
  storable(["clusters"], file.clusters, "a folder");
  for (const [name, cluster] of Object.entries(file.clusters)) {
    const path = ["clusters", name];
    keys([...path, "labels"], cluster.labels, rules.labelKey);
    const label = own(cluster.labels ?? {}, "stage");
    if (label !== undefined && cluster.stage !== undefined && label !== cluster.stage) {
      const message = `stage is ${show(cluster.stage)}, which labels match as stage: ${cluster.stage}; drop this label, or give it another name`;
      report([...path, "labels", "stage"], message, "key");
    }
    keys([...path, "attributes"], cluster.attributes, rules.attributeName);
    for (const [taken, what] of [
      ["cluster", "the name"],
      ["stage", "the stage"],
    ] as const) {
      if (cluster.attributes?.[taken] !== undefined) {
        const message = `stands for ${what} of the cluster; choose another name`;
        report([...path, "attributes", taken], message, "key");
      }
    }
  }
};
