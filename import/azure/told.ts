import { fluxNamespace } from "../../fleet/model.ts";
import { asList, asMap, asText } from "../../values/maps.ts";
import { showNames, showSome } from "../../values/show.ts";
import type { Matter, NotTaken } from "../notTaken.ts";
import type { Successor } from "./asSets.ts";
import type { FromConfiguration } from "./configuration.ts";

/** What there is to say of a Flux configuration of a cluster. */
export interface Told {
  readonly configuration: string;
  readonly cluster: string;
  readonly reason: string;
  readonly matter: Matter;
}

/** Why a configuration goes on beside the fleet file. */
export function staysReason({ source }: FromConfiguration): string {
  const takes =
    source?.kind === "GitRepository" ? "another repository than the fleet's" : "no Git repository";
  return `is left out: it takes ${takes}, so adopt leaves it as it is in Azure`;
}

/** What is right to know of a configuration before adopt lets it go. */
export function goesReasons({ from, sets, source }: Successor): readonly Pick<Told, "reason" | "matter">[] {
  const { namespace, kustomizations } = from;
  const named = new Set(kustomizations.flatMap(({ value }) => valuesOf(asMap(value["spec"])["postBuild"])));
  const secret = asText(asMap(asMap(from.source?.value["spec"])["secretRef"])["name"]);
  return [
    { reason: deletes, matter: "decide" },
    {
      reason: `is written as ${sets.length === 1 ? "set" : "sets"} ${showNames(sets, 5)} in ${fluxNamespace}: Azure's own Kustomizations go with it, and adopt moves what they applied`,
      matter: "know",
    },
    ...(namespace !== fluxNamespace && named.size > 0
      ? ([
          {
            reason: `names ${showNames(named, 5)} of ${namespace}; put that into ${fluxNamespace} too, where its sets are`,
            matter: "decide",
          },
        ] as const)
      : []),
    ...(source !== undefined && secret !== undefined
      ? ([
          {
            reason: `has credentials, which Azure gives nobody; put them into Secret ${secret} of ${fluxNamespace}, for source ${source}`,
            matter: "decide",
          },
        ] as const)
      : []),
  ];
}

const deletes =
  "deletes its Kustomizations with all that they applied when it is deleted while they prune: leave that to arcflux adopt, which switches prune off first";

/** ConfigMaps and Secrets with values of variables. */
function valuesOf(postBuild: unknown): readonly string[] {
  return asList(asMap(postBuild)["substituteFrom"])
    .map(asMap)
    .map(({ kind, name }) => `${asText(kind) ?? ""} ${asText(name) ?? ""}`);
}

/** The same words of many clusters, once. */
export function toldOnce(all: readonly Told[]): readonly Pick<NotTaken, "path" | "reason" | "matter">[] {
  return [...Map.groupBy(all, ({ reason }) => reason)].map(([reason, found]) => {
    const [{ configuration, matter }] = found as [Told];
    const isOne = found.every((each) => each.configuration === configuration);
    const path = isOne
      ? `Flux configuration ${configuration} of ${showSome(found.map(({ cluster }) => cluster))}`
      : `Flux configurations ${showSome(found.map((each) => `${each.configuration} of ${each.cluster}`))}`;
    return { path, reason, matter };
  });
}
