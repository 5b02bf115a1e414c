import { FaultList } from "./armError.ts";
import type { ArmId } from "./armId.ts";
import { tenantId } from "./armId.ts";
import { flag, oneOf, requiredText, textMap } from "./fieldRules.ts";
import { stableGuid } from "./guid.ts";
import type { Json } from "./json.ts";
import { asObject, isObject, show, without } from "./json.ts";

/** Type of the Flux extension, as Azure compares it: without regard to case. */
export const fluxExtensionType = "microsoft.flux";

/** Version the lab installs when none is asked for. */
export const fluxExtensionVersion = "1.24.1";

/** Azure's part of a PUT on an extension; see putConnectedCluster for the manner. */
export function putExtension(id: ArmId, body: Json): Json {
  const faults = new FaultList();
  const properties = asObject(body["properties"]);
  if (!/^[a-zA-Z0-9][-a-zA-Z0-9.]{0,199}$/.test(id.name)) {
    faults.add("name", `${show(id.name)}: an extension name has 1 to 200 letters, digits, '-' and '.'.`);
  }
  const { extensionType, version } = properties;
  requiredText(faults, "properties.extensionType", extensionType);
  const isFlux = String(extensionType).toLowerCase() === fluxExtensionType;
  oneOf(faults, "identity.type", asObject(body["identity"])["type"], ["SystemAssigned"]);
  oneOf(faults, "properties.releaseTrain", properties["releaseTrain"], [
    "Stable",
    "Preview",
    "stable",
    "preview",
  ]);
  flag(faults, "properties.autoUpgradeMinorVersion", properties["autoUpgradeMinorVersion"]);
  checkVersion(faults, version, properties["autoUpgradeMinorVersion"]);
  checkScope(faults, properties["scope"], isFlux);
  textMap(faults, "properties.configurationSettings", properties["configurationSettings"]);
  textMap(
    faults,
    "properties.configurationProtectedSettings",
    properties["configurationProtectedSettings"],
    true,
  );
  faults.throwIfAny();

  const kept = without(properties, "configurationProtectedSettings", "statuses");
  const identity = body["identity"];
  return {
    ...(isObject(identity)
      ? {
          identity: {
            type: identity["type"],
            principalId: stableGuid(`principal ${id.resourceGroup}/${id.cluster}/${id.name}`),
            tenantId,
          },
        }
      : {}),
    ...(body["plan"] === undefined ? {} : { plan: body["plan"] }),
    properties: {
      autoUpgradeMinorVersion: true,
      releaseTrain: "Stable",
      scope: { cluster: { releaseNamespace: isFlux ? "flux-system" : id.name } },
      configurationSettings: {},
      ...kept,
      currentVersion: version ?? fluxExtensionVersion,
      provisioningState: "Succeeded",
      statuses: [],
      errorInfo: null,
      isSystemExtension: false,
      packageUri: null,
    },
  };
}

function checkVersion(faults: FaultList, version: unknown, autoUpgrade: unknown): void {
  if (version === undefined || version === null) return;
  if (typeof version !== "string" || !/^\d+\.\d+\.\d+/.test(version)) {
    faults.add("properties.version", `${show(version)} is not a version such as '1.24.1'.`);
  }
  if (autoUpgrade !== false) {
    faults.add(
      "properties.version",
      "A version can be given only with autoUpgradeMinorVersion false; true is the default.",
    );
  }
}

function checkScope(faults: FaultList, scope: unknown, isFlux: boolean): void {
  if (scope === undefined || scope === null) return;
  const target = "properties.scope";
  const { cluster, namespace } = asObject(scope);
  if ((cluster === undefined) === (namespace === undefined)) {
    faults.add(target, "Give either 'cluster' or 'namespace', and not both.");
    return;
  }
  if (!isFlux) return;
  const releaseNamespace = asObject(cluster)["releaseNamespace"];
  if (namespace !== undefined)
    faults.add(target, "microsoft.flux can be installed for the whole cluster only.");
  else if (releaseNamespace !== undefined && releaseNamespace !== "flux-system") {
    faults.add(
      `${target}.cluster.releaseNamespace`,
      `${show(releaseNamespace)}: microsoft.flux is installed in flux-system.`,
    );
  }
}
