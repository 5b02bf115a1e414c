import type { ExtensionSettings } from "../fleet/model.ts";

/** What Azure needs of the settings of its Flux extension. */
export interface AzureExtension {
  readonly autoUpgradeMinorVersion: boolean;
  readonly version?: string;
  readonly releaseTrain: string;
  /** By Azure's own names; all of it text. */
  readonly configurationSettings: Record<string, string>;
}

/** Translates the settings into Azure's fields. Azure upgrades by itself what no version holds: both at once it refuses. */
export function azureExtension(
  { version, releaseTrain = "Stable", ...settings }: ExtensionSettings,
  lockdown: boolean,
): AzureExtension {
  return {
    autoUpgradeMinorVersion: version === undefined,
    ...(version !== undefined && { version }),
    releaseTrain,
    configurationSettings: {
      "multiTenancy.enforce": String(lockdown),
      ...controllerSettings(settings),
      ...(settings.strictSubstitution !== undefined && {
        "kustomize-controller.strict-substitution-mode": String(settings.strictSubstitution),
      }),
      ...identitySettings(settings.workloadIdentity),
      ...settings.settings,
    },
  };
}

function controllerSettings({ controllers = {}, resources = {} }: ExtensionSettings): Record<string, string> {
  const enabled = Object.entries(controllers).map(([name, on]) => [`${name}.enabled`, on] as const);
  const sizes = Object.entries(resources).flatMap(([name, kinds]) =>
    Object.entries(kinds ?? {}).flatMap(([kind, amounts]) =>
      Object.entries(amounts ?? {}).map(
        ([what, value]) => [`${name}.resources.${kind}.${what}`, value] as const,
      ),
    ),
  );
  const stated = [...enabled, ...sizes].filter(([, value]) => value !== undefined);
  return Object.fromEntries(stated.map(([key, value]) => [key, String(value)]));
}

function identitySettings(identity: ExtensionSettings["workloadIdentity"]): Record<string, string> {
  if (identity === undefined) return {};
  const { clientId, tenantId } = identity;
  return {
    "workloadIdentity.enable": "true",
    ...(clientId !== undefined && { "workloadIdentity.azureClientId": clientId }),
    ...(tenantId !== undefined && { "workloadIdentity.azureTenantId": tenantId }),
  };
}
