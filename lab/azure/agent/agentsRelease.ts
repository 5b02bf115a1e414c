import { gunzipSync } from "node:zlib";
import type { ClusterApi, KubernetesObject } from "../../cluster/clusterApi.ts";
import type { Json } from "../json.ts";
import { asObject } from "../json.ts";

/** What the Helm release of the agents says about the cluster. */
export interface AgentsRelease {
  readonly subscriptionId: string;
  readonly resourceGroupName: string;
  readonly resourceName: string;
  /** PEM. Secret. */
  readonly onboardingPrivateKey: string;
  /** Version of the chart. */
  readonly agentVersion: string;
  /** Goes up with each upgrade. */
  readonly revision: string;
}

const place = { namespace: "azure-arc-release", labels: "owner=helm,name=azure-arc,status=deployed" };

/** The agents' release on a cluster; undefined when there is none, or one whose values name no cluster. */
export async function findAgentsRelease(api: ClusterApi): Promise<AgentsRelease | undefined> {
  const secrets = await api.list("v1", "Secret", place);
  const revision = ({ metadata }: KubernetesObject): number => Number(metadata.labels?.["version"] ?? 0);
  const newest = [...secrets].sort((a, b) => revision(b) - revision(a))[0];
  if (newest === undefined) return undefined;
  const release = decodeRelease(asObject(newest["data"])["release"]);
  const values = asObject(asObject(release["config"])["global"]);
  const text = (key: string): string => (typeof values[key] === "string" ? values[key] : "");
  const found = {
    subscriptionId: text("subscriptionId"),
    resourceGroupName: text("resourceGroupName"),
    resourceName: text("resourceName"),
    onboardingPrivateKey: text("onboardingPrivateKey"),
  };
  if (Object.values(found).includes("")) return undefined;
  const { version } = asObject(asObject(release["chart"])["metadata"]);
  return {
    ...found,
    agentVersion: typeof version === "string" ? version : "unknown",
    revision: `${String(newest.metadata["uid"])}/${revision(newest)}`,
  };
}

/** Helm keeps a release as base64 of gzipped JSON, and Kubernetes puts base64 around it once more. */
export function decodeRelease(data: unknown): Json {
  if (typeof data !== "string") return {};
  const packed = Buffer.from(Buffer.from(data, "base64").toString("latin1"), "base64");
  return asObject(JSON.parse(gunzipSync(packed).toString("utf8")));
}
