import { writeJsonAtomic } from "../../lab/atomicFile.ts";
import path from "node:path";
import { registeredCluster } from "../../lab/azure/registerConnectedCluster.ts";

/** A cluster of a lab's Azure, as its agents would have reported it. */
export interface Reported {
  readonly name: string;
  /** Defaults to `rg-edge`. */
  readonly resourceGroup?: string;
  /** Commit that bootstrap and sets run. */
  readonly runs: string;
  readonly sets: readonly string[];
  readonly connectivity?: "Connected" | "Offline" | "Expired";
  readonly lastSeen?: string;
  /** Conditions Ready in place of the good ones, by name of the object. */
  readonly ready?: Readonly<Record<string, { status: string; reason: string; message: string }>>;
  /** Objects that stand at another commit. */
  readonly at?: Readonly<Record<string, string>>;
  readonly suspended?: readonly string[];
  readonly extension?: string;
  /** Why the extension failed. */
  readonly extensionError?: string;
}

const since = "2026-11-01T10:00:00Z";

/** Writes a connected cluster with extension and Flux configuration into the folder of a lab's Azure. */
export function report(dir: string, one: Reported, window?: string): void {
  const { name, connectivity = "Connected", lastSeen = since, extension = "1.24.1" } = one;
  const { resourceGroup = "rg-edge" } = one;
  const folder = path.join(dir, "azure", resourceGroup, name);
  const cluster = registeredCluster(resourceGroup, name);
  const properties = {
    ...(cluster["properties"] as object),
    connectivityStatus: connectivity,
    lastConnectivityTime: lastSeen,
    managedIdentityCertificateExpirationTime: "2026-12-10T00:00:00Z",
  };
  writeJsonAtomic(path.join(folder, "cluster.json"), { ...cluster, properties });
  const id = `${String(cluster["id"])}/providers/Microsoft.KubernetesConfiguration`;
  const child = (type: string, child: string, properties: object): void => {
    writeJsonAtomic(path.join(folder, type, `${child}.json`), {
      id: `${id}/${type}/${child}`,
      ...{ name: child, type: `Microsoft.KubernetesConfiguration/${type}`, properties },
    });
  };
  child("extensions", "flux", {
    ...{ extensionType: "microsoft.flux", currentVersion: extension },
    provisioningState: one.extensionError === undefined ? "Succeeded" : "Failed",
    errorInfo: one.extensionError === undefined ? null : { message: one.extensionError },
  });
  const status = (kind: string, object: string, message: string, appliedBy: string | null): object => {
    const suspended = one.suspended?.includes(object) === true;
    const ready = one.ready?.[object] ?? { status: "True", reason: "Succeeded", message };
    const compliance = suspended ? "Suspended" : ready.status === "True" ? "Compliant" : "Non-Compliant";
    return {
      ...{ name: object, namespace: "flux-system", kind, complianceState: compliance },
      appliedBy: appliedBy === null ? null : { name: appliedBy, namespace: "flux-system" },
      statusConditions: [{ type: "Ready", ...ready, lastTransitionTime: since }],
    };
  };
  const applied = (object: string): string => `Applied revision: main@sha1:${one.at?.[object] ?? one.runs}`;
  const statuses = [
    status("GitRepository", "edge-config", `stored artifact for revision 'main@sha1:${one.runs}'`, null),
    status("Kustomization", "edge-config-bootstrap", applied("edge-config-bootstrap"), null),
    ...(window === undefined
      ? []
      : [
          {
            ...status(
              "GitRepository",
              `window-${window}`,
              applied(`window-${window}`),
              "edge-config-bootstrap",
            ),
            complianceState: "Suspended",
          },
        ]),
    ...one.sets.map((set) => status("Kustomization", set, applied(set), "edge-config-bootstrap")),
  ];
  const bad = statuses.some(
    (each) => (each as { complianceState: string }).complianceState === "Non-Compliant",
  );
  child("fluxConfigurations", "edge-config", {
    ...{ complianceState: bad ? "Non-Compliant" : "Compliant", errorMessage: "", statuses },
    ...{ provisioningState: "Succeeded", statusUpdatedAt: lastSeen },
  });
}
