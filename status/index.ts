export { applied, type Applied } from "./applied.ts";
export { type Arrival, arrivalNotes, arrivalOf, type Sent } from "./arrival.ts";
export { appliedBy } from "./appliedBy.ts";
export { askNow, askOptions, objectsIn, objectsOf } from "./askNow.ts";
export { askFleet, type AskOptions, type FleetStatus } from "./askFleet.ts";
export { type AzureAccess, azureAccess, isLoopback } from "./ask/azureAccess.ts";
export {
  type ArmGet,
  type AzureSubscription,
  armReader,
  azureNext,
  armDelete,
  azureWords,
  configurationClient,
  onlySubscription,
  queryGraph,
  quotedInQuery,
} from "./ask/azureClients.ts";
export { arcKey, inTheirGroups, isInSubscription, reaching } from "./ask/graphQuery.ts";
export { ClusterError, Declined, Refused, Unreachable, unusable } from "./ask/clusterError.ts";
export { contextOf, fluxKinds } from "./ask/askCluster.ts";
export { type ClusterEvent, type ObjectName, readEvents } from "./ask/events.ts";
export { inParallel } from "./ask/inParallel.ts";
export { ofContext } from "./ask/ofContext.ts";
export type { ApiObject, KubernetesApi } from "./ask/kubernetesApi.ts";
export type { ObjectApi, ObjectRef } from "./ask/objectApi.ts";
export { reconcile, reconcileSteps } from "./ask/reconcile.ts";
export { countByGate, type StageCount } from "./countByGate.ts";
export { type Credential, credentialsOf, daysLeft, endingText } from "./credentials.ts";
export { statusDocument, statusJsonSchema, statusSchema, type StatusDocument } from "./document.ts";
export { type History, type HistoryCommit, historyOf, noHistory } from "./history.ts";
export { metricNames, metricsText, recordedMetric } from "./metrics.ts";
export type * from "./model.ts";
export { defaultGate, type Gate, readyAt, type ReadyContext, type ReadyCount, wordAt } from "./ready.ts";
export { type Entry, readRecord, recordBranch, recorded, recordPath } from "./record.ts";
export { hashOf, refOf, shortRevision } from "./revision.ts";
export { sayOnce } from "./sayOnce.ts";
export { statusText } from "./text.ts";
export { unhealthyObjects, whySteps, type WhyStep } from "./why.ts";
export { isAlarm, type Word, words, worst } from "./words.ts";
