import * as pulumi from "@pulumi/pulumi";

import type { Cluster, Fleet } from "../fleet/model.ts";
import { sealedSecrets } from "../flux/secrets/folder.ts";
import {
  isReadHere,
  readValues,
  sealedFile,
  sealingKeyConfig,
  sealingKeyFault,
  secretObject,
  sourceReader,
} from "../secrets/index.ts";

/** The secrets of a stack's clusters, with their values read. */
export interface StackSecrets {
  /** Encrypted files of a cluster, by key of the secret. */
  readonly sealedOf: (cluster: Cluster) => Readonly<Record<string, string>>;
  /** Secrets that Pulumi itself creates on a cluster, as plain objects whose data is secret. */
  readonly createdOf: (cluster: Cluster) => readonly ReturnType<typeof secretObject>[];
}

/**
 * Reads every value that goes to clusters from here, in a preview too: what cannot be read stops before anything is
 * registered. Nothing is asked for without a secret to deliver.
 *
 * @throws a RunError that names all that is missing.
 */
export async function readStackSecrets(fleet: Fleet, fleetFile: string): Promise<StackSecrets> {
  const active = fleet.clusters.filter(({ lifecycle }) => lifecycle !== "lost");
  if (!active.some(({ secrets = [] }) => secrets.some(isReadHere)))
    return { sealedOf: () => ({}), createdOf: () => [] };
  const stack = new pulumi.Config("arcflux");
  const config = (key: string): string | undefined => stack.get(key);
  const sealingKey = config(sealingKeyConfig) ?? "";
  const keyFault = sealingKeyFault(sealingKey);
  const read = await readValues(active, sourceReader({ fleetFile, env: process.env, config }));
  const faults = [...(keyFault === undefined ? [] : [keyFault]), ...read.faults];
  if (faults.length > 0) throw new pulumi.RunError(faults.join("\n"));
  return {
    sealedOf: (cluster) => {
      const recipients = [cluster.recipient ?? "", ...(cluster.coRecipients ?? [])];
      return Object.fromEntries(
        sealedSecrets(cluster).map((secret) => [
          secret.key,
          sealedFile(secret, read.valuesOf(secret), { recipients, sealingKey }),
        ]),
      );
    },
    createdOf: ({ secrets = [] }) =>
      secrets
        .filter(({ deliver }) => deliver === "pulumi")
        .map((secret) => secretObject(secret, read.valuesOf(secret), sealingKey)),
  };
}
