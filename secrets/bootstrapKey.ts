import { type Cluster, fluxNamespace } from "../fleet/model.ts";
import { clusterKeySecret } from "../fleet/resolveSecrets.ts";
import { clusterKeyName } from "../flux/secrets/folder.ts";
import type { ApiObject, KubernetesApi } from "../status/index.ts";
import { identitiesIn, makeAgeKeyPair, recipientOfIdentity } from "../values/ageKey.ts";
import { asMap, asText } from "../values/maps.ts";

/** What became of the key of a cluster. The private key is on the cluster, and nowhere else. */
export type Bootstrapped =
  /** `has`: as the fleet file says. `found`: it has one that the fleet file does not name. */
  | { readonly state: "has" | "found" | "made"; readonly recipient: string }
  /** There is a Secret of that name that holds no key of age. */
  | { readonly state: "strange" };

const keySecret = {
  apiVersion: "v1",
  kind: "Secret",
  metadata: { name: clusterKeySecret, namespace: fluxNamespace },
} as const;

/** The key comes before Flux on a new device, so that all its secrets can come with the first update. */
const namespace = { apiVersion: "v1", kind: "Namespace", metadata: { name: fluxNamespace } } as const;

/**
 * Sees to it that a cluster has a private key: keeps the one that is there, else makes a pair and puts it there, with the
 * namespace where that is missing. Both are created and never changed, so that whoever comes second, or again, finds the
 * first one's. Rejects with Refused, Declined or Unreachable.
 */
export async function bootstrapKey(cluster: Cluster, api: KubernetesApi): Promise<Bootstrapped> {
  const there = await api.find(keySecret);
  if (there !== undefined) return keyIn(there, cluster.recipient);
  const { identity, recipient } = makeAgeKeyPair();
  const secret = {
    ...keySecret,
    data: { [clusterKeyName]: Buffer.from(`${identity}\n`).toString("base64") },
  };
  let answer = await api.create(secret);
  if (answer === "noNamespace") {
    await api.create(namespace);
    answer = await api.create(secret);
  }
  if (answer === "created") return { state: "made", recipient };
  const other = await api.find(keySecret);
  return other === undefined ? { state: "strange" } : keyIn(other, cluster.recipient);
}

/** The public key of the first private one that Flux would take from a Secret; that of the fleet file where it is among them. */
function keyIn(secret: ApiObject, known: string | undefined): Bootstrapped {
  const recipients = Object.entries(asMap(secret["data"]))
    .filter(([key]) => key.endsWith(".agekey"))
    .flatMap(([, value]) => identitiesIn(Buffer.from(asText(value) ?? "", "base64").toString("utf8")))
    .flatMap((identity) => recipientOfIdentity(identity) ?? []);
  const [first] = recipients;
  if (first === undefined) return { state: "strange" };
  return known !== undefined && recipients.includes(known)
    ? { state: "has", recipient: known }
    : { state: "found", recipient: first };
}
