import { fluxMinors, type FluxMinor } from "../../values/fluxVersions.ts";
import type { NotTaken } from "./notTaken.ts";
import { bootstrapName, defaultConfig, type ImportedRepository } from "./repository.ts";
import type { ImportedSet } from "./setEntry.ts";
import type { ImportedSource } from "./sourceEntry.ts";

/** Whether a set takes its manifests from the repository that the folder is in. */
export function isOwn({ kind, name, namespace }: ImportedSet["sourceRef"]): boolean {
  return kind === "GitRepository" && name === bootstrapName && namespace === undefined;
}

/** Whether a set takes its manifests from this source. */
export function isSame({ kind, name, namespace }: ImportedSet["sourceRef"], source: ImportedSource): boolean {
  return namespace === undefined && kind === source.kind && name === source.name;
}

/**
 * The value of the fleet file. Nothing that a Kustomization does not say is filled in, so Arcflux's defaults are off. What
 * it decides without the folder saying so is noted down in `notTaken`.
 */
export function fleetOf(
  sets: readonly ImportedSet[],
  sources: readonly ImportedSource[],
  { config, url, branch, access, bootstrap }: ImportedRepository,
  cluster: string,
  notTaken: NotTaken[],
  parent = "clusters",
): object {
  const names = new Set(sets.map(({ name }) => name));
  const minors = [...sets, ...sources].map(({ minor }) => minor);
  const elsewhere = sets.some(({ sourceRef, dependsOn }) =>
    [sourceRef, ...dependsOn].some(({ namespace }) => namespace !== undefined),
  );
  const newest = fluxMinors.findLast((minor) => minors.includes(minor)) ?? fluxMinors[0];
  if (elsewhere) notTaken.push({ file: "", path: "flux.lockdown", reason: loosened });
  const own = (source: ImportedSource): boolean =>
    source.spec["url"] === url && (access === "public" || source.spec["secretRef"] !== undefined);
  return {
    apiVersion: "arcflux/v1",
    repository: {
      url,
      ...(branch !== undefined && { branch }),
      ...(access !== "public" && { access }),
    },
    ...(config !== defaultConfig && { config }),
    ...fluxSettings(newest, elsewhere),
    ...(parent !== "clusters" && {
      layout: { cluster: parent === "" ? "{cluster}" : `${parent}/{cluster}` },
    }),
    ...(bootstrap !== undefined && { bootstrap }),
    defaults: { retryInterval: null, timeout: null, wait: null },
    ...(sources.length > 0 && {
      sources: Object.fromEntries(
        sources.map((source) => [
          source.name,
          { kind: source.kind, ...source.spec, ...(own(source) && { url: "self" }) },
        ]),
      ),
    }),
    clusters: {
      [cluster]: {
        platform: "kubernetes",
        sets: Object.fromEntries(sets.map((set) => [set.name, fieldsOf(set, names, sources)])),
      },
    },
  };
}

const loosened =
  "is written as false, since a set depends on another namespace or takes its source from there, which lockdown refuses; " +
  "Flux from Azure's extension has lockdown on, so check that first";

function fluxSettings(version: FluxMinor, elsewhere: boolean): object {
  // Lockdown is what refuses references to other namespaces; with them the cluster has none.
  if (version === fluxMinors[0] && !elsewhere) return {};
  return { flux: { ...(version !== fluxMinors[0] && { version }), ...(elsewhere && { lockdown: false }) } };
}

function fieldsOf(
  { fields, sourceRef, dependsOn }: ImportedSet,
  names: ReadonlySet<string>,
  sources: readonly ImportedSource[],
): object {
  const declared = sources.some((source) => isSame(sourceRef, source));
  return {
    ...fields,
    ...(isOwn(sourceRef) ? {} : declared ? { source: sourceRef.name } : { sourceRef }),
    ...(dependsOn.length > 0 && {
      dependsOn: dependsOn.map((entry) => {
        const isSet = entry.namespace === undefined && names.has(entry.name);
        if (!isSet) return { ...entry, external: true };
        return entry.readyExpr === undefined ? entry.name : entry;
      }),
    }),
  };
}
