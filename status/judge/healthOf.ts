import type { PartState } from "../model.ts";
import { type FluxObject, readyOf } from "../fluxObject.ts";
import { meaningOf } from "./meaning.ts";

/** Messages of Flux can hold whole pages of a server. */
const longest = 300;

/**
 * How an object fares by its own account: `ready` at whatever revision it has, `progressing`, `held back`, `suspended` or
 * `failing`.
 */
export function healthOf(object: FluxObject): PartState {
  const { name, revision, suspended, failedBefore } = object;
  const ready = readyOf(object);
  const base = {
    name,
    ...(revision !== undefined && { revision }),
    ...(ready?.since !== undefined && { since: ready.since }),
    healthy: ready?.status === "True",
  };
  if (suspended) return { ...base, word: "suspended", ...whoSuspended(object) };
  if (ready?.status === "True") return { ...base, word: "ready" };
  if (ready?.status === "Unknown" && failedBefore !== undefined) {
    // Else a set that fails its health check would be progressing half of the time.
    const reason = `${failedBefore}; Flux tries the same revision again`;
    return { ...base, word: "failing", reason, ...meaningOf(failedBefore) };
  }
  if (ready?.status !== "False") {
    const reason = ready === undefined ? "Flux has not looked at it yet" : said(ready);
    return { ...base, word: "progressing", reason };
  }
  const word = ready.reason === "DependencyNotReady" ? "held back" : "failing";
  return { ...base, word, reason: said(ready), ...meaningOf(ready.reason) };
}

/** `HealthCheckFailed: timeout waiting for: [Deployment/default/web status: 'InProgress']`, in one line. */
function said({ reason, message }: { readonly reason: string; readonly message: string }): string {
  const line = `${reason}: ${message}`.replace(/\s+/g, " ").trim();
  return line.length > longest ? `${line.slice(0, longest - 1)}…` : line;
}

/** Flux takes fields of kubectl back when it applies the object again; those of its own command line stay. */
function whoSuspended({
  suspendedBy,
  kind,
  name,
}: FluxObject): Pick<PartState, "reason" | "meaning" | "next"> {
  const resume = `flux resume ${commandKind(kind)} ${name}`;
  if (suspendedBy === undefined) return { reason: "suspended on the cluster", next: resume };
  if (suspendedBy.startsWith("kubectl")) {
    return {
      reason: "suspended on the cluster by kubectl",
      meaning: "Flux undoes it when it next applies the object, within minutes.",
      next: `To keep it, run arcflux suspend. To end it now, run ${resume}`,
    };
  }
  return {
    reason: `suspended on the cluster by ${suspendedBy}`,
    meaning: "It stays until somebody resumes it.",
    next: resume,
  };
}

function commandKind(kind: string): string {
  switch (kind) {
    case "GitRepository":
      return "source git";
    case "OCIRepository":
      return "source oci";
    case "Bucket":
      return "source bucket";
    default:
      return kind.toLowerCase();
  }
}
