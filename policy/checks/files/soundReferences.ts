import type { ResourceValidationPolicy, StackValidationPolicy } from "@pulumi/policy";

import type { ClusterFacts } from "../../../fleet/facts.ts";
import { fluxNamespace } from "../../../fleet/model.ts";
import { asList, asMap, asText } from "../../../values/maps.ts";
import { probable } from "../../../values/nearest.ts";
import { type About, listed, texts } from "../../about.ts";
import { checkClusterFolders } from "../../clusterFolders.ts";
import { type CommittedObject, isFlux, namespaceOf } from "../../committedFiles.ts";
import type { PlainMap } from "../../plainValue.ts";
import { rememberInputs } from "../../registeredInputs.ts";
import { gitFilesType } from "../../resourceTypes.ts";

/** `spec.sourceRef`, and the object that it names: `GitRepository/infra`. */
type Reference = readonly [field: string, kind: string, name: string];

/**
 * Names in Flux's namespace that stand for nothing. Judged are kinds that the fleet file declares, or says of which ones are
 * on the cluster without it. Others (HelmRepository, HelmRelease, ExternalArtifact) come with manifests of sets or are made by
 * controllers, which the files cannot tell, so they are not judged; nor are Secrets, nor other namespaces, which are others'.
 */
export const soundReferences: ResourceValidationPolicy & StackValidationPolicy & About = {
  name: "sound-references",
  description: "Sources, providers and objects that Flux objects of a cluster name are there.",
  why: "Flux applies nothing of a set whose source nobody makes, and an alert without its provider is silent.",
  onlyOf: gitFilesType,
  configSchema: {
    properties: {
      external: texts("Objects that exist on clusters, such as GitRepository/vendor or Provider/ops."),
    },
  },
  validateResource: rememberInputs,
  validateStack: (args, report) => {
    const settings = listed(args.getConfig<PlainMap>()["external"]);
    checkClusterFolders(args.resources, report, (placed, facts) => {
      const ours = placed.filter(
        ({ object }) => isFlux(object) && namespaceOf(object.whole) === fluxNamespace,
      );
      const known = new Set([
        ...ours.map(({ object: { kind, name } }) => `${kind}/${name}`),
        ...settings,
        ...onCluster(facts),
      ]);
      return placed.flatMap((at) =>
        referencesOf(at.object).flatMap(([field, kind, name]) => {
          const wanted = `${kind}/${name}`;
          if (known.has(wanted)) return [];
          const isTold = kind === "Provider" || (facts?.config !== undefined && statedKinds.has(kind));
          if (!isTold) return [];
          const near = nearOf(kind, name, known);
          const meant = near === undefined ? "correct it" : `write '${near}'`;
          return {
            at,
            fault: `${field} names ${kind} '${name}', which no committed file makes; ${meant}, or put ${wanted} into this policy's setting external.`,
          };
        }),
      );
    });
  },
};

/** Kinds of which the facts say what is there without a committed file. */
const statedKinds: ReadonlySet<string> = new Set([
  "Kustomization",
  "GitRepository",
  "OCIRepository",
  "Bucket",
]);

/** What is on a cluster without a committed file: Azure makes it, or the fleet file says so. */
function onCluster(facts: ClusterFacts | undefined): string[] {
  if (facts?.config === undefined) return [];
  const { config, external = [], externalSources = [] } = facts;
  return [
    ...[`GitRepository/${config}`, `Kustomization/${config}-bootstrap`],
    ...external.map((name) => `Kustomization/${name}`),
    ...externalSources,
  ];
}

/** A name of the same kind that was probably meant. */
function nearOf(kind: string, name: string, known: ReadonlySet<string>): string | undefined {
  const start = `${kind}/`;
  const names = [...known].flatMap((one) => (one.startsWith(start) ? one.slice(start.length) : []));
  return probable(name, names);
}

/** What an object of Flux names in Flux's namespace. */
function referencesOf(object: CommittedObject): Reference[] {
  if (!isFlux(object)) return [];
  const { spec, kind, whole } = object;
  const chart = asMap(asMap(spec["chart"])["spec"]);
  const found: (readonly [field: string, value: unknown, kind?: string])[] =
    kind === "Alert"
      ? [
          ["spec.providerRef", spec["providerRef"], "Provider"],
          ...asList(spec["eventSources"]).map((one, at) => [`spec.eventSources[${at}]`, one] as const),
        ]
      : [
          ["spec.sourceRef", spec["sourceRef"]],
          ["spec.chartRef", spec["chartRef"]],
          ["spec.chart.spec.sourceRef", chart["sourceRef"]],
        ];
  return found.flatMap(([field, value, byDefault]): Reference[] => {
    const { kind: stated, name, namespace } = asMap(value);
    const [of, called] = [byDefault ?? asText(stated), asText(name)];
    const isOurs = (asText(namespace) ?? namespaceOf(whole)) === fluxNamespace;
    return of === undefined || called === undefined || called === "*" || !isOurs ? [] : [[field, of, called]];
  });
}
