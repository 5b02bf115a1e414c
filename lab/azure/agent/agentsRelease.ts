import { createPrivateKey, createPublicKey } from "node:crypto";
import { gunzipSync } from "node:zlib";
import type { ClusterApi } from "../../cluster/clusterApi.ts";
import type { Json } from "../json.ts";
import { asObject } from "../json.ts";

/** Where the Helm release of the agents is, whoever installed it. */
const release = { namespace: "azure-arc-release", name: "azure-arc" } as const;

/** What the release says of the cluster it runs on. */
export interface AgentsRelease {
  /** ARM id of the connected cluster. */
  readonly clusterId: string;
  /** Version of the chart. */
  readonly version: string;
  /** Base64 of the DER of the public key to the private one that the agents were given; undefined when that is none. */
  readonly publicKey: string | undefined;
}

/** The agents on a cluster; undefined while they are not installed. */
export async function readAgentsRelease(api: ClusterApi): Promise<AgentsRelease | undefined> {
  const { namespace, name } = release;
  const secrets = await api.list("v1", "Secret", {
    namespace,
    labels: `owner=helm,name=${name},status=deployed`,
  });
  const [newest] = secrets.sort((a, b) => revisionOf(b) - revisionOf(a));
  const data = asObject(newest?.["data"])["release"];
  return typeof data === "string" ? decodeRelease(data) : undefined;
}

/** Reads what Helm keeps of a release: base64 of base64 of gzip of JSON. */
export function decodeRelease(data: string): AgentsRelease {
  const zipped = Buffer.from(Buffer.from(data, "base64").toString("latin1"), "base64");
  const { config, chart } = JSON.parse(gunzipSync(zipped).toString("utf8")) as {
    config?: unknown;
    chart?: unknown;
  };
  const { subscriptionId, resourceGroupName, resourceName, onboardingPrivateKey } = asObject(
    asObject(config)["global"],
  );
  return {
    clusterId: `/subscriptions/${String(subscriptionId)}/resourceGroups/${String(resourceGroupName)}/providers/Microsoft.Kubernetes/connectedClusters/${String(resourceName)}`,
    version: String(asObject(asObject(chart)["metadata"])["version"]),
    publicKey: publicKeyOf(onboardingPrivateKey),
  };
}

/** In the form that a connected cluster has it: base64 of DER in PKCS#1. */
function publicKeyOf(privateKey: unknown): string | undefined {
  try {
    const pair = createPublicKey(createPrivateKey(String(privateKey)));
    return pair.export({ type: "pkcs1", format: "der" }).toString("base64");
  } catch {
    return undefined;
  }
}

function revisionOf({
  metadata,
}: {
  metadata: { labels?: Json | Readonly<Record<string, string>> };
}): number {
  return Number(asObject(metadata.labels)["version"] ?? 0);
}
