import type { ApiObject } from "../status/index.ts";
import { asList, asMap, asText, type YamlMap } from "../values/maps.ts";

/** Whether an object does what it is there for. */
export type Health =
  | { readonly state: "ready" }
  /** `why` ends a sentence: `Deployment shop/web: 1 of 3 replicas are ready`. */
  | { readonly state: "waiting" | "failed"; readonly why: string };

const ready: Health = { state: "ready" };
const waiting = (why: string): Health => ({ state: "waiting", why });
const failed = (why: string): Health => ({ state: "failed", why });

/**
 * The health of an object as Flux's kstatus sees it: what it asks for is seen by its controller, and is there. Objects
 * without a status are ready as soon as they exist.
 */
export function healthOf(object: ApiObject | undefined): Health {
  if (object === undefined) return waiting("it is not there");
  const { deletionTimestamp, generation } = asMap(object["metadata"]);
  if (deletionTimestamp !== undefined) return waiting("it is being deleted");
  const [spec, status] = [asMap(object["spec"]), asMap(object["status"])];
  const { observedGeneration } = status;
  if (typeof observedGeneration === "number" && observedGeneration !== generation)
    return waiting("its controller has not seen the change yet");
  const rule = rules[asText(object["kind"]) ?? ""];
  return rule === undefined || !isBuiltIn(object) ? byConditions(status) : rule(spec, status);
}

function isBuiltIn({ apiVersion }: ApiObject): boolean {
  return /^(v1|apps\/v1|batch\/v1|apiextensions\.k8s\.io\/v1|policy\/v1)$/.test(String(apiVersion));
}

type Rule = (spec: YamlMap, status: YamlMap) => Health;

const rules: Readonly<Record<string, Rule>> = {
  Deployment(spec, status) {
    const progressing = condition(status, "Progressing");
    if (progressing?.reason === "ProgressDeadlineExceeded") return failed(progressing.message);
    const want = numberOf(spec["replicas"], 1);
    const [total, updated, available] = [
      status["replicas"],
      status["updatedReplicas"],
      status["availableReplicas"],
    ].map((count) => numberOf(count, 0));
    if (updated! < want) return waiting(`${updated} of ${want} replicas are new`);
    if (total! > updated!) return waiting(`${total! - updated!} old replicas are still there`);
    return available! < want ? waiting(`${available} of ${want} replicas are available`) : ready;
  },
  StatefulSet(spec, status) {
    const want = numberOf(spec["replicas"], 1);
    const count = numberOf(status["readyReplicas"], 0);
    if (count < want) return waiting(`${count} of ${want} replicas are ready`);
    const isOnDelete = asMap(spec["updateStrategy"])["type"] === "OnDelete";
    return !isOnDelete && status["currentRevision"] !== status["updateRevision"]
      ? waiting("not all replicas are new")
      : ready;
  },
  DaemonSet(_, status) {
    if (status["observedGeneration"] === undefined) return waiting("its controller has not seen it yet");
    const want = numberOf(status["desiredNumberScheduled"], 0);
    const updated = numberOf(status["updatedNumberScheduled"], 0);
    const available = numberOf(status["numberAvailable"], 0);
    return Math.min(updated, available) < want
      ? waiting(`${Math.min(updated, available)} of ${want} pods are ready`)
      : ready;
  },
  ReplicaSet(spec, status) {
    const want = numberOf(spec["replicas"], 1);
    const count = numberOf(status["availableReplicas"], 0);
    return count < want ? waiting(`${count} of ${want} replicas are available`) : ready;
  },
  Pod(_, status) {
    const phase = asText(status["phase"]) ?? "Pending";
    if (phase === "Succeeded") return ready;
    if (phase === "Failed") return failed("it failed");
    return condition(status, "Ready")?.status === "True" ? ready : waiting(`it is ${phase}`);
  },
  Job(_, status) {
    const end = condition(status, "Failed");
    if (end?.status === "True") return failed(end.message || "it failed");
    return condition(status, "Complete")?.status === "True" ? ready : waiting("it has not ended yet");
  },
  // Many classes bind a claim only once a pod uses it, which may be of a later set.
  PersistentVolumeClaim: (_, status) => (status["phase"] === "Lost" ? failed("its volume is lost") : ready),
  Service(spec, status) {
    if (spec["type"] !== "LoadBalancer") return ready;
    return asList(asMap(status["loadBalancer"])["ingress"]).length > 0
      ? ready
      : waiting("it has no address of a load balancer");
  },
  Namespace: (_, status) => (status["phase"] === "Terminating" ? waiting("it is being deleted") : ready),
  CustomResourceDefinition(_, status) {
    const names = condition(status, "NamesAccepted");
    if (names?.status === "False") return failed(names.message);
    return condition(status, "Established")?.status === "True" ? ready : waiting("it is not served yet");
  },
};

/** What the conditions of any other kind say. */
function byConditions(status: YamlMap): Health {
  const stalled = condition(status, "Stalled");
  if (stalled?.status === "True") return failed(stalled.message);
  const reconciling = condition(status, "Reconciling");
  if (reconciling?.status === "True") return waiting(reconciling.message);
  const said = condition(status, "Ready");
  return said === undefined || said.status === "True" ? ready : waiting(said.message || "it is not ready");
}

interface Condition {
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

function condition(status: YamlMap, type: string): Condition | undefined {
  const found = asList(status["conditions"])
    .map(asMap)
    .find((one) => one["type"] === type);
  if (found === undefined) return undefined;
  const [state = "", reason = "", message = ""] = [found["status"], found["reason"], found["message"]].map(
    asText,
  );
  return { status: state, reason, message };
}

function numberOf(value: unknown, otherwise: number): number {
  return typeof value === "number" ? value : otherwise;
}
