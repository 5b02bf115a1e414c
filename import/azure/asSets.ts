import { isDeepStrictEqual } from "node:util";
import { fluxNamespace } from "../../fleet/model.ts";
import { asList, asMap, asText, type YamlMap } from "../../values/maps.ts";
import type { ImportedObject } from "../documents.ts";
import { nameOf } from "../readCluster.ts";
import { canBeSet } from "../setEntry.ts";
import type { FromConfiguration } from "./configuration.ts";

/** What takes the place of a configuration when it goes. */
export interface Successor {
  readonly from: FromConfiguration;
  /** Names of its sets. */
  readonly sets: readonly string[];
  /** The source of its sets, where that is not the fleet's own. */
  readonly source?: string;
  readonly objects: readonly ImportedObject[];
}

/**
 * Configurations of one repository as objects of flux-system, under names that Azure's own do not have: these go with their
 * configurations. The source of the first one stands for the repository. `all` are the configurations of the cluster.
 */
export function successorsOf(
  goes: readonly FromConfiguration[],
  all: readonly FromConfiguration[],
): readonly Successor[] {
  const names = setNames(goes, all);
  const [main] = goes;
  return goes.map((from): Successor => {
    const isOwn = isDeepStrictEqual(refOf(from), refOf(main!));
    const source = isOwn ? main!.name : freeSource(from.name, all);
    const ours = names.get(from.name)!;
    const sources = from === main || !isOwn ? [movedTo(from.source!, source)] : [];
    const sets = from.kustomizations.map((object) => {
      const { dependsOn, ...spec } = asMap(object.value["spec"]);
      const after = asList(dependsOn).map((entry) => {
        const name = asText(asMap(entry)["name"]) ?? "";
        return { name: ours.get(name) ?? name };
      });
      return movedTo(object, ours.get(nameOf(object))!, {
        ...spec,
        sourceRef: { kind: "GitRepository", name: source },
        ...(after.length > 0 && { dependsOn: after }),
      });
    });
    return {
      ...{ from, sets: [...ours.values()], objects: [...sources, ...sets] },
      ...(!isOwn && { source }),
    };
  });
}

/** Names of sets by those of the Kustomizations on the cluster, for each configuration. */
function setNames(
  goes: readonly FromConfiguration[],
  all: readonly FromConfiguration[],
): ReadonlyMap<string, ReadonlyMap<string, string>> {
  const keys = Map.groupBy(goes.flatMap(keysOf), (key) => key);
  const taken = new Set(all.flatMap(({ kustomizations }) => kustomizations.map(nameOf)));
  return new Map(
    goes.map((from) => [
      from.name,
      new Map(
        keysOf(from).map((key) => {
          // Adopt knows a Kustomization by its key, whatever its configuration: one that two have is no name for either.
          const other = [`${key}-${from.name}`, `set-${key}-${from.name}`].filter((name) => !keys.has(name));
          const candidates = keys.get(key)!.length === 1 ? [key, ...other] : other;
          const called = `${from.name}-${key}`;
          const name = candidates.find((each) => canBeSet(each) && !taken.has(each)) ?? called;
          taken.add(name);
          return [called, name] as const;
        }),
      ),
    ]),
  );
}

function keysOf({ name, kustomizations }: FromConfiguration): readonly string[] {
  return kustomizations.map((object) => nameOf(object).slice(name.length + 1));
}

function refOf({ source }: FromConfiguration): unknown {
  return asMap(source?.value["spec"])["ref"];
}

/** A name for a source that no configuration's own has. */
function freeSource(configuration: string, all: readonly FromConfiguration[]): string {
  const name = `${configuration}-source`;
  return all.some((each) => each.name === name) ? freeSource(name, all) : name;
}

function movedTo(
  object: ImportedObject,
  name: string,
  spec: YamlMap = asMap(object.value["spec"]),
): ImportedObject {
  return { ...object, value: { ...object.value, metadata: { name, namespace: fluxNamespace }, spec } };
}
