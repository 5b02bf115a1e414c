import { fluxNamespace } from "../../fleet/model.ts";
import type { ApiKind, ApiObject, KubernetesApi } from "./kubernetesApi.ts";

const events: ApiKind = { group: "events.k8s.io", version: "v1", plural: "events" };

/** Something that happened on a cluster. */
export interface ClusterEvent {
  /** ISO. */
  readonly time: string;
  readonly warning: boolean;
  readonly reason: string;
  /** `Kustomization/pos`, with the namespace where it is not flux-system. */
  readonly object: string;
  readonly message: string;
}

/** Which object. */
export interface ObjectName {
  readonly kind: string;
  readonly name: string;
  readonly namespace: string;
}

/** Events of a namespace, the oldest first; of some objects only, where they are named. Kubernetes keeps them an hour. */
export async function readEvents(
  api: KubernetesApi,
  namespace: string = fluxNamespace,
  of?: readonly ObjectName[],
): Promise<ClusterEvent[]> {
  const all = await api.list(events, namespace);
  return all
    .map(parseEvent)
    .filter(({ regarding }) => of === undefined || of.some((one) => isSame(one, regarding)))
    .map(({ event }) => event)
    .sort((a, b) => (a.time < b.time ? -1 : 1));
}

function parseEvent(object: ApiObject): { event: ClusterEvent; regarding: ObjectName } {
  const {
    regarding = {},
    reason,
    note,
    type,
    eventTime,
    deprecatedLastTimestamp,
    series,
    metadata,
  } = object as Readonly<Record<string, unknown>> & {
    regarding?: Partial<ObjectName>;
    series?: { lastObservedTime?: string };
    metadata?: { creationTimestamp?: string };
  };
  const { kind = "", name = "", namespace = "" } = regarding;
  const time = [series?.lastObservedTime, deprecatedLastTimestamp, eventTime, metadata?.creationTimestamp];
  return {
    regarding: { kind, name, namespace },
    event: {
      time: time.find((each): each is string => typeof each === "string") ?? "",
      warning: type === "Warning",
      reason: typeof reason === "string" ? reason : "",
      object: `${kind}/${namespace === fluxNamespace ? "" : `${namespace}/`}${name}`,
      message: typeof note === "string" ? note.replace(/\s+/g, " ").trim() : "",
    },
  };
}

function isSame(one: ObjectName, other: ObjectName): boolean {
  return one.kind === other.kind && one.name === other.name && one.namespace === other.namespace;
}
