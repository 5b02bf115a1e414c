import { FaultList } from "./armError.ts";
import type { ArmId } from "./armId.ts";
import { flag, oneOf } from "./fieldRules.ts";
import { checkSource } from "./fluxSource.ts";
import type { Json } from "./json.ts";
import { asObject, isObject, show, without } from "./json.ts";
import { checkKustomizations, completeKustomizations, fluxName } from "./kustomizations.ts";

const namespaceName = /^(?=.{1,63}$)[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;

/** Azure's part of a PUT on a Flux configuration; see putConnectedCluster for the manner. */
export function putFluxConfiguration(id: ArmId, body: Json, old: Json | undefined): Json {
  const faults = new FaultList();
  const properties = asObject(body["properties"]);
  if (!fluxName.test(id.name)) {
    faults.add(
      "name",
      `${show(id.name)}: a configuration name has 1 to 63 lower-case letters, digits, '-' and '.'.`,
    );
  }
  const namespace = properties["namespace"] ?? "default";
  if (typeof namespace !== "string" || !namespaceName.test(namespace)) {
    faults.add(
      "properties.namespace",
      `${show(namespace)}: a namespace has 1 to 63 lower-case letters, digits and '-'.`,
    );
  }
  oneOf(faults, "properties.scope", properties["scope"], ["cluster", "namespace"]);
  checkCreateOnly(faults, properties, asObject(old?.["properties"]));
  flag(faults, "properties.suspend", properties["suspend"]);
  flag(faults, "properties.waitForReconciliation", properties["waitForReconciliation"]);
  checkWait(faults, properties["reconciliationWaitDuration"]);
  checkSource(faults, properties);
  checkKustomizations(faults, id.name, properties["kustomizations"]);
  faults.throwIfAny();

  const kept = without(properties, "configurationProtectedSettings");
  return {
    properties: {
      scope: "cluster",
      namespace: "default",
      sourceKind: "GitRepository",
      suspend: false,
      waitForReconciliation: false,
      ...kept,
      ...(isObject(kept["gitRepository"]) ? { gitRepository: completeGit(kept["gitRepository"]) } : {}),
      kustomizations: completeKustomizations(properties["kustomizations"]),
      provisioningState: "Succeeded",
      complianceState: kept["suspend"] === true ? "Suspended" : "Pending",
      statuses: [],
      errorMessage: "",
      repositoryPublicKey: "",
      sourceSyncedCommitId: null,
      sourceUpdatedAt: null,
      // The agents say how it fares; to be told something is no answer.
      statusUpdatedAt: asObject(old?.["properties"])["statusUpdatedAt"] ?? null,
    },
  };
}

/** `scope` and `namespace` are create-only: another value needs another resource. */
function checkCreateOnly(faults: FaultList, properties: Json, old: Json): void {
  for (const [field, initial] of [
    ["scope", "cluster"],
    ["namespace", "default"],
  ] as const) {
    const before = old[field];
    const after = properties[field] ?? initial;
    if (before === undefined || before === after) continue;
    faults.add(
      `properties.${field}`,
      `The value was set to ${show(before)} at creation and cannot become ${show(after)}.`,
      "PropertyChangeNotAllowed",
    );
  }
}

function checkWait(faults: FaultList, value: unknown): void {
  if (value === undefined || value === null) return;
  if (typeof value === "string" && /^P(?=.)(\d+D)?(T(?=.)(\d+H)?(\d+M)?(\d+S)?)?$/.test(value)) return;
  faults.add("properties.reconciliationWaitDuration", `${show(value)} is not a duration such as 'PT30M'.`);
}

function completeGit(git: Json): Json {
  return {
    httpsUser: null,
    httpsCACert: null,
    sshKnownHosts: null,
    localAuthRef: null,
    timeoutInSeconds: 600,
    syncIntervalInSeconds: 600,
    ...git,
    repositoryRef: { branch: null, tag: null, semver: null, commit: null, ...asObject(git["repositoryRef"]) },
  };
}
