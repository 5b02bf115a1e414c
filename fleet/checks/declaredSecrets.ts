import { textsIn } from "../../values/maps.ts";
import { fullPath } from "../../values/path.ts";
import { show, showNames } from "../../values/show.ts";
import type { Path } from "../finding.ts";
import { matchable, matches } from "../layers.ts";
import { fluxNamespace, type Cluster, type ClusterSecret } from "../model.ts";
import { clusterKeySecret, isApplied, namespacesFile, secretsName } from "../resolveSecrets.ts";
import type { SecretEntry } from "../schema/secrets.ts";
import { inClusters, type Check, type Checked, Shared } from "./report.ts";

/** What the entries of `secrets` say of each other, of the sets and of the clusters that they are for. */
export const checkDeclaredSecrets: Check = (checked) => {
  const { file, fleet, report, warn } = checked;
  for (const [key, entry] of Object.entries(file.secrets)) {
    const add = (field: string, message: string, at?: "key") =>
      report(["secrets", key, ...(field === "" ? [] : [field])], message, at);
    checkEntry(entry, add);
    const match = Object.entries(entry.match ?? {});
    if (fleet.clusters.length > 0 && !fleet.clusters.some((one) => matches(matchable(one), match)))
      warn(["secrets", key], "is for no cluster; correct its match, or drop it", "key");
  }
  const shared = new Shared();
  for (const cluster of fleet.clusters) checkCluster(cluster, shared);
  shared.report(report);
  keyless(checked);
  sharedKeys(checked);
};

type Add = (field: string, message: string, at?: "key") => void;

function checkEntry(entry: SecretEntry, add: Add): void {
  const { external, keys = {}, deliver = "git", identity, version, previous } = entry;
  if (external) {
    const more = (["keys", "deliver", "identity", "version", "previous", "type"] as const).filter(
      (field) => entry[field] !== undefined,
    );
    if (more.length > 0)
      add("external", `says that the Secret is there already; drop ${showNames(more)}, or drop external`);
    return;
  }
  if (Object.keys(keys).length === 0)
    add(
      "",
      "has no keys; write where each value comes from, or external: true if the Secret is there",
      "key",
    );
  const fetched = deliver === "externalSecrets" || deliver === "csi";
  if (fetched) {
    const sources = Object.values(keys);
    const vaults = new Set(sources.map(({ keyVault }) => keyVault?.vault));
    if (sources.length > 0 && (vaults.size > 1 || vaults.has(undefined)))
      add("keys", `have to come from one Key Vault, which the cluster fetches from by ${deliver}`);
    if (identity === undefined)
      add("deliver", `${deliver} needs identity; write clientId and tenantId of the workload identity`);
  } else if (identity !== undefined) add("identity", "is for deliver: externalSecrets and csi; drop it");
  const usesVersion = JSON.stringify(keys).includes("{version}");
  if (version !== undefined && !usesVersion)
    add("version", "stands nowhere in keys; write {version} into the names of its values");
  if (version === undefined && usesVersion) add("keys", "name {version}; write version: 1 beside them");
  if (previous !== undefined && (fetched || previous === version || version === undefined))
    add(
      "previous",
      fetched
        ? "is for values that Arcflux delivers; the cluster fetches these itself, so drop it"
        : "has to be another version than version; drop it if the rotation is over",
    );
}

function checkCluster(cluster: Cluster, shared: Shared): void {
  const { name, secrets = [], kubeconfig, device } = cluster;
  const known = new Map<string, ClusterSecret>();
  for (const secret of secrets) {
    const add = (field: Path, message: string, at?: "key") =>
      shared.add(["secrets", secret.key, ...field], message, name, at);
    const object = `${secret.namespace}/${secret.name}`;
    const other = known.get(object);
    if (other !== undefined)
      add([], `is the Secret ${object}, as ${other.key} is; give them other names, or match others`, "key");
    known.set(object, secret);
    if (object === `${fluxNamespace}/${clusterKeySecret}` && secret.deliver !== "external")
      add([], "is the Secret that holds the cluster's own key; choose another name", "key");
    if (secret.key === namespacesFile || secret.key === "kustomization")
      add([], `${show(secret.key)} is a file of the folder already; choose another key`, "key");
    if (secret.deliver === "pulumi" && kubeconfig === undefined && device === undefined)
      add(["deliver"], "pulumi needs a kubeconfig; write one for the cluster, or deliver: git");
    // What could not be filled in still stands there in braces.
    for (const text of textsIn(secret.keys))
      for (const [whole, missing] of text.matchAll(/\{([^{}]*)\}/g))
        if (missing !== "version")
          add(["keys"], `name ${whole}, which is no attribute or label there; add it, or correct the name`);
  }
  if (!secrets.some(isApplied)) return;
  const taken = cluster.sets.find((set) => set.name === secretsName);
  if (taken !== undefined)
    shared.add(
      ["sets", secretsName],
      "has the name of the Kustomization that applies `secrets`; rename the set (deletionPolicy: Orphan first keeps what it applied)",
      name,
      "key",
    );
  const place = `${fullPath(cluster.folder, secretsName)}/`;
  for (const [field, folder] of [
    ["sets", cluster.setsFolder],
    ["flux", cluster.fluxFolder],
  ] as const)
    if (`${folder}/`.startsWith(place))
      shared.add(
        ["layout", field],
        `is where encrypted secrets are written; write another folder, such as ${field}`,
        name,
      );
}

/** Keys that open more than the secrets of one cluster, each said once. */
function sharedKeys({ fleet, warn }: Checked): void {
  const active = fleet.clusters.filter(({ lifecycle }) => lifecycle === "active");
  const byKey = Map.groupBy(active, ({ recipient }) => recipient);
  const another = "delete Secret flux-system/sops-age there and run arcflux secrets bootstrap";
  for (const [recipient, clusters] of byKey) {
    const [first, ...others] = clusters;
    if (recipient === undefined || first === undefined) continue;
    const path = ["clusters", first.name, "recipient"];
    if (others.length > 0)
      warn(
        path,
        `is the key of ${showNames(
          others.map(({ name }) => name),
          3,
        )} too, so that a stolen device reads the secrets of all of them; for a key of their own, ${another}`,
      );
    if (first.coRecipients?.includes(recipient))
      warn(
        path,
        `is among recipients too, so that ${first.name} reads the secrets of every cluster; ${another}`,
      );
  }
}

/** Clusters that nothing can be encrypted for yet, once for all, with what waits there. */
function keyless({ fleet, warn }: Checked): void {
  const waiting = fleet.clusters.filter(
    ({ recipient, lifecycle, secrets = [] }) =>
      recipient === undefined && lifecycle === "active" && secrets.some(({ deliver }) => deliver === "git"),
  );
  const [first] = waiting;
  if (first === undefined) return;
  const sets = new Set(
    waiting
      .flatMap((one) =>
        one.sets.filter(({ dependsOn }) => dependsOn.some(({ name }) => name === secretsName)),
      )
      .map(({ name }) => name),
  );
  const held = sets.size === 0 ? "" : `, and Flux holds ${showNames(sets, 5)} up`;
  warn(
    ["clusters", first.name],
    `has no recipient, so its secrets are not sent${held} (${inClusters(waiting.map(({ name }) => name))}); put a key on it: arcflux secrets bootstrap`,
    "key",
  );
}
