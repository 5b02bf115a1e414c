import * as pulumi from "@pulumi/pulumi";

import { askGraph, type ExistingRow } from "../existing/index.ts";
import type { Fleet } from "../fleet/model.ts";
import { type AzureAccess, azureAccess, azureNext, azureWords } from "../status/index.ts";
import { printable } from "../values/show.ts";

/** What Azure has of the clusters of the stack, by one query of Resource Graph; or why nobody could tell. */
export type AzureLook = Seen | { readonly fault: string; readonly next: string };

/** What was seen, and how more is asked. */
export interface Seen {
  readonly rows: ReadonlyMap<string, readonly ExistingRow[]>;
  /** For what the rows leave open. */
  readonly access: AzureAccess;
  readonly signal: AbortSignal;
  /** An error of Azure in one line. */
  readonly words: (error: unknown) => string;
}

/** For all that is asked, in milliseconds. */
const patience = 60_000;

/** Asks once for all clusters that are behind Azure. Never rejects. */
export async function lookAtAzure(fleet: Fleet, env: NodeJS.ProcessEnv = process.env): Promise<AzureLook> {
  const clusters = fleet.clusters.filter(
    ({ platform, lifecycle }) => platform === "arc" && lifecycle !== "lost",
  );
  const signal = AbortSignal.timeout(patience);
  try {
    const access = await azureAccess(azureEnvironment(env));
    const rows = clusters.length === 0 ? new Map<string, never>() : await askGraph(clusters, access, signal);
    return { rows, access, signal, words };
  } catch (error) {
    return { fault: words(error), next: azureNext(error) };
  }
}

/** The row of a cluster that the last update knew, by its id: another subscription may have one of its name. */
export function rowOf(arcId: string, rows: readonly ExistingRow[] = []): ExistingRow | undefined {
  return rows.find(({ id }) => id.toLowerCase() === arcId.toLowerCase());
}

function words(error: unknown): string {
  return printable(azureWords(error));
}

/** The provider of azure-native reads its stack config before the environment, and so does this look. */
function azureEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const config = new pulumi.Config("azure-native");
  const stated = {
    ...{ ARM_SUBSCRIPTION_ID: "subscriptionId", ARM_TENANT_ID: "tenantId", ARM_CLIENT_ID: "clientId" },
    ...{ ARM_CLIENT_SECRET: "clientSecret", ARM_OIDC_TOKEN: "oidcToken", ARM_ENVIRONMENT: "environment" },
  };
  const given = Object.entries(stated).flatMap(([name, key]) => {
    const value = config.get(key);
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...env, ...Object.fromEntries(given) };
}
