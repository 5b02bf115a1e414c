import { ownerLabels } from "../flux/owner.ts";
import { hashOf, revisionInMessage } from "./revision.ts";

/** A condition of a Flux object. */
export interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
  /** Since when it has that status, ISO. */
  readonly since?: string;
  readonly observedGeneration?: number;
}

/** A Flux object as a source tells of it; Azure tells less than the cluster. */
export interface FluxObject {
  readonly kind: string;
  readonly name: string;
  readonly namespace: string;
  readonly suspended: boolean;
  /** Field manager that wrote `suspend`, such as `kubectl-patch` or `flux`. */
  readonly suspendedBy?: string;
  /** When `suspend` was last written, be it to false, ISO. */
  readonly suspendWrittenAt?: string;
  readonly conditions: readonly Condition[];
  /** What a Kustomization applied, or a source holds, as Flux writes it. */
  readonly revision?: string;
  readonly generation?: number;
  /** Reason of the failure of the attempt before, at the revision that is attempted again now. */
  readonly failedBefore?: string;
  /** Only from the cluster itself. */
  readonly spec?: Readonly<Record<string, unknown>>;
  readonly labels?: Readonly<Record<string, string>>;
  /** Name of the Kustomization that applied it. */
  readonly appliedBy?: string;
  /** Objects that a Kustomization applied, as Flux lists them: `default_web_apps_Deployment`. */
  readonly inventory?: readonly string[];
}

type Json = Readonly<Record<string, unknown>>;

/** A Flux object from what the Kubernetes API returns. */
export function fluxObject(object: Json, kind: string): FluxObject {
  const [metadata, spec, status] = [map(object["metadata"]), map(object["spec"]), map(object["status"])];
  const revision =
    kind === "Kustomization" ? status["lastAppliedRevision"] : map(status["artifact"])["revision"];
  const written = writerOf(metadata["managedFields"], "f:suspend");
  const suspendedBy = spec["suspend"] === true ? written?.manager : undefined;
  const labels = map(metadata["labels"]) as Record<string, string>;
  const appliedBy = labels[ownerLabels.name];
  const failedBefore = failureBefore(status);
  const entries = list(map(status["inventory"])["entries"]);
  return {
    kind,
    name: text(metadata["name"]),
    namespace: text(metadata["namespace"]),
    suspended: spec["suspend"] === true,
    ...(suspendedBy !== undefined && { suspendedBy }),
    ...(written !== undefined && { suspendWrittenAt: written.time }),
    conditions: list(status["conditions"]).map(condition),
    ...(typeof revision === "string" && { revision }),
    ...(typeof metadata["generation"] === "number" && { generation: metadata["generation"] }),
    ...(failedBefore !== undefined && { failedBefore }),
    spec,
    labels,
    ...(appliedBy !== undefined && { appliedBy }),
    ...(entries.length > 0 && { inventory: entries.map(({ id }) => text(id)) }),
  };
}

/** A Flux object from an entry of `statuses` of a Flux configuration in Azure. The revision stands in Flux's message alone. */
export function azureObject(status: Json): FluxObject {
  const conditions = list(status["statusConditions"]).map(condition);
  const ready = conditions.find(({ type }) => type === "Ready");
  const revision = ready?.status === "True" ? revisionInMessage(ready.message) : undefined;
  const appliedBy = map(status["appliedBy"])["name"];
  return {
    kind: text(status["kind"]),
    name: text(status["name"]),
    namespace: text(status["namespace"]),
    suspended: status["complianceState"] === "Suspended",
    conditions,
    ...(revision !== undefined && { revision }),
    ...(typeof appliedBy === "string" && { appliedBy }),
  };
}

/** The condition Ready, unless it is about an earlier spec. */
export function readyOf({ conditions, generation }: FluxObject): Condition | undefined {
  const ready = conditions.find(({ type }) => type === "Ready");
  const seen = ready?.observedGeneration;
  return seen !== undefined && generation !== undefined && seen < generation ? undefined : ready;
}

/** A folder from the root as Flux writes it: `./stores/b/flux`, or `./` for the root. */
export function folderOf(path: string): string {
  return path
    .replace(/^(\.?\/)+/, "")
    .replace(/\/+$/, "")
    .replace(/^\.$/, "");
}

export function commitOf(object: FluxObject | undefined): string | undefined {
  return hashOf(object?.revision);
}

/** From the history that Flux keeps since 2.7: its first entry is the last attempt that ended. */
function failureBefore(status: Json): string | undefined {
  const [last = {}] = list(status["history"]);
  const reason = text(last["lastReconciledStatus"]);
  const isSame = map(last["metadata"])["revision"] === status["lastAttemptedRevision"];
  return isSame && reason !== "" && reason !== "ReconciliationSucceeded" ? reason : undefined;
}

/** Who wrote a field of the spec last, and when, as the API server keeps it. */
function writerOf(managedFields: unknown, field: string): { manager: string; time: string } | undefined {
  return list(managedFields)
    .filter(({ fieldsV1 }) => Object.hasOwn(map(map(fieldsV1)["f:spec"]), field))
    .map(({ manager, time }) => ({ manager: text(manager), time: text(time) }))
    .sort((a, b) => (a.time < b.time ? -1 : 1))
    .at(-1);
}

function condition(value: Json): Condition {
  const { type, status, reason, message, lastTransitionTime, observedGeneration } = value;
  return {
    type: text(type),
    status: text(status),
    reason: text(reason),
    message: text(message),
    ...(typeof lastTransitionTime === "string" && { since: lastTransitionTime }),
    ...(typeof observedGeneration === "number" && { observedGeneration }),
  };
}

function map(value: unknown): Json {
  return typeof value === "object" && value !== null ? (value as Json) : {};
}

function list(value: unknown): Json[] {
  return Array.isArray(value) ? value.map(map) : [];
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}
