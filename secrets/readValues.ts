import type { Cluster, ClusterSecret, ValueSource } from "../fleet/model.ts";
import { inParallel } from "../status/index.ts";
import { showNames } from "../values/show.ts";
import type { Values } from "./sealedFile.ts";

/** Reads one place. Rejects with words that hold no value; undefined where it is empty or not there. */
export type ReadSource = (source: ValueSource) => Promise<string | undefined>;

/** What was read of the secrets that Arcflux itself delivers. */
export interface ReadSecrets {
  /** The values of a secret of a cluster. */
  readonly valuesOf: (secret: ClusterSecret) => Values;
  /** What could not be read, each place once, with whom it is for. */
  readonly faults: readonly string[];
}

/** Sources asked at once. */
const parallel = 16;

/** Whether Arcflux itself reads the values, and not the cluster. */
export function isReadHere({ deliver }: ClusterSecret): boolean {
  return deliver === "git" || deliver === "pulumi";
}

/** Reads the values of all secrets that go to clusters from here, each place once. */
export async function readValues(clusters: readonly Cluster[], read: ReadSource): Promise<ReadSecrets> {
  const places = clusters.flatMap(({ name, secrets = [] }) =>
    secrets
      .filter(isReadHere)
      .flatMap(({ key, keys }) =>
        Object.values(keys).map((source): [ValueSource, string] => [source, `${key} of ${name}`]),
      ),
  );
  const { valueOf, faults } = await readPlaces(places, read);
  return {
    valuesOf: ({ keys }) =>
      Object.fromEntries(Object.entries(keys).map(([key, source]) => [key, valueOf(source) ?? ""])),
    faults,
  };
}

/** Reads places, each once; beside each stands whom it is for. `faults` are those that are missing or cannot be read. */
export async function readPlaces(
  places: readonly (readonly [ValueSource, string])[],
  read: ReadSource,
): Promise<{
  readonly valueOf: (source: ValueSource) => string | undefined;
  readonly faults: readonly string[];
}> {
  const wanted = new Map<string, { source: ValueSource; for: Set<string> }>();
  for (const [source, whom] of places) {
    const place = JSON.stringify(source);
    const known = wanted.get(place) ?? { source, for: new Set<string>() };
    wanted.set(place, known);
    known.for.add(whom);
  }
  const values = new Map<string, string>();
  const faults: string[] = [];
  await inParallel([...wanted], parallel, async ([place, { source, for: whom }]) => {
    const fault = (why: string): void => void faults.push(`${showNames(whom, 2)}: ${why}`);
    try {
      const value = await read(source);
      if (value === undefined || value === "")
        fault(`${placeText(source)} is missing or empty. ${wayTo(source)}`);
      else values.set(place, value);
    } catch (error) {
      fault(`${placeText(source)} cannot be read: ${(error as Error).message}`);
    }
  });
  return {
    valueOf: (source) => values.get(JSON.stringify(source)),
    faults: faults.sort(),
  };
}

/** A place in words. */
export function placeText(source: ValueSource): string {
  if ("config" in source) return `stack config arcflux:${source.config}`;
  if ("env" in source) return `variable ${source.env}`;
  if ("keyVault" in source) return `secret ${source.keyVault.secret} of vault ${source.keyVault.vault}`;
  return `${source.sops.key} of ${source.sops.file}`;
}

function wayTo(source: ValueSource): string {
  if ("config" in source) return `Set it: pulumi config set --secret arcflux:${source.config}`;
  if ("env" in source) return "Set it in the environment of the update.";
  if ("keyVault" in source)
    return `Set it: az keyvault secret set --vault-name ${source.keyVault.vault} --name ${source.keyVault.secret} --file …`;
  return "Correct file or key in the fleet file.";
}
