import { asObject } from "../azure/json.ts";
import type { KubernetesObject } from "./clusterApi.ts";

/** What a Kustomization says about itself. */
export interface KustomizationState {
  readonly name: string;
  readonly ready: "Ready" | "Not ready" | "Unknown" | "Suspended";
  /** Flux's word for it, such as `ReconciliationSucceeded`; empty when it has said nothing yet. */
  readonly reason: string;
  /** Flux's sentence for it. */
  readonly message: string;
  /** Revision that was applied last, such as `main@sha1:` and the commit; empty before the first. */
  readonly applied: string;
  /** Revision that was tried last. */
  readonly attempted: string;
}

/** Reads the state. What was said of an earlier generation is no word about this one. */
export function kustomizationState(object: KubernetesObject): KustomizationState {
  const { metadata } = object;
  const status = asObject(object["status"]);
  const conditions = Array.isArray(status["conditions"]) ? (status["conditions"] as unknown[]) : [];
  const condition = conditions.map(asObject).find(({ type }) => type === "Ready") ?? {};
  const current = condition["observedGeneration"] === metadata["generation"];
  const known =
    condition["status"] === "True" ? "Ready" : condition["status"] === "False" ? "Not ready" : "Unknown";
  const suspended = asObject(object["spec"])["suspend"] === true;
  return {
    name: metadata.name,
    ready: suspended ? "Suspended" : current ? known : "Unknown",
    reason: text(condition["reason"]),
    message: text(condition["message"]),
    applied: text(status["lastAppliedRevision"]),
    attempted: text(status["lastAttemptedRevision"]),
  };
}

/** One line: name, state, reason, revision with a commit cut to seven digits. */
export function stateLine({ name, ready, reason, applied }: KustomizationState): string {
  const short = applied.replace(/^(.*@sha\d+:[0-9a-f]{7})[0-9a-f]*$/, "$1");
  return [name.padEnd(24), ready.padEnd(10), reason.padEnd(24), short].join(" ").trimEnd();
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}
