import { asList, asMap, asText } from "../../../values/maps.ts";
import { namespaceOf } from "../../committedFiles.ts";
import { filePolicy } from "../../filePolicy.ts";

/** With multi-tenancy lockdown Flux refuses these, and the set fails on every cluster. */
export const lockdownReferences = filePolicy({
  name: "lockdown-references",
  description: "Flux objects refer to nothing in another namespace.",
  why: "With lockdown Flux refuses such a reference on the cluster; without it, one tenant reaches another's source.",
  check: ({ group, spec, whole }) => {
    if (!group.endsWith(".toolkit.fluxcd.io")) return undefined;
    const own = namespaceOf(whole);
    const references: (readonly [field: string, value: unknown])[] = [
      ["spec.sourceRef", spec["sourceRef"]],
      ["spec.chartRef", spec["chartRef"]],
      ["spec.imageRepositoryRef", spec["imageRepositoryRef"]],
      ["spec.chart.spec.sourceRef", asMap(asMap(spec["chart"])["spec"])["sourceRef"]],
      ...asList(spec["dependsOn"]).map((one, index) => [`spec.dependsOn[${index}]`, one] as const),
      ...asList(spec["resources"]).map((one, index) => [`spec.resources[${index}]`, one] as const),
      ...asList(spec["eventSources"]).map((one, index) => [`spec.eventSources[${index}]`, one] as const),
    ];
    return references.flatMap(([field, value]) => {
      const namespace = asText(asMap(value)["namespace"]);
      if (namespace === undefined || namespace === own) return [];
      return `${field}.namespace is '${namespace}', another namespace than its own '${own}'; take one in '${own}'.`;
    });
  },
});
