import { asMap, asText, type YamlMap } from "../../values/maps.ts";
import type { AzureRow } from "./query.ts";

/** What a fleet file says of Azure's Flux extension. */
export interface ImportedExtension {
  /** `arc.extension`; empty where it is as Arcflux makes it anyway. */
  readonly settings: YamlMap;
  readonly lockdown: boolean;
}

const sized = /^([a-z]+(?:-[a-z]+)*-controller)\.resources\.(limits|requests)\.(cpu|memory)$/;

/** The settings of an extension by the words of the fleet file, which has each in one place. */
export function extensionOf(row: AzureRow | undefined): ImportedExtension {
  const fields = lowered(asMap(row?.properties));
  const stated = Object.entries(asMap(fields["configurationSettings"])).map(
    ([key, value]) => [key, String(value)] as const,
  );
  const rest = new Map(stated);
  const take = (name: string): string | undefined => {
    const value = rest.get(name);
    rest.delete(name);
    return value;
  };
  const lockdown = take("multiTenancy.enforce") !== "false";
  const strict = take("kustomize-controller.strict-substitution-mode");
  const isSigned = take("workloadIdentity.enable") === "true";
  const identity = {
    clientId: take("workloadIdentity.azureClientId"),
    tenantId: take("workloadIdentity.azureTenantId"),
  };
  const controllers: Record<string, boolean> = {};
  const resources: Record<string, Record<string, Record<string, string>>> = {};
  for (const [key, value] of stated) {
    const [, optional] = /^(image-(?:automation|reflector)-controller)\.enabled$/.exec(key) ?? [];
    const [, controller, kind = "", what = ""] = sized.exec(key) ?? [];
    if (optional !== undefined) controllers[optional] = value === "true";
    if (controller !== undefined) ((resources[controller] ??= {})[kind] ??= {})[what] = value;
    // The other four are always on.
    if (optional !== undefined || controller !== undefined || /-controller\.enabled$/.test(key))
      rest.delete(key);
  }
  const train = asText(fields["releaseTrain"]);
  const version = fields["autoUpgradeMinorVersion"] === false ? asText(fields["version"]) : undefined;
  return {
    lockdown,
    settings: {
      ...(version !== undefined && { version }),
      ...(train?.toLowerCase() === "preview" && { releaseTrain: "Preview" }),
      ...(Object.keys(controllers).length > 0 && { controllers }),
      ...(Object.keys(resources).length > 0 && { resources }),
      ...(strict !== undefined && { strictSubstitution: strict === "true" }),
      ...(isSigned && identity.clientId && identity.tenantId && { workloadIdentity: identity }),
      ...(rest.size > 0 && { settings: Object.fromEntries([...rest].sort()) }),
    },
  };
}

/** Whether an extension is Azure's Flux. */
export function isFluxExtension({ properties }: AzureRow): boolean {
  return asText(lowered(asMap(properties))["extensionType"])?.toLowerCase() === "microsoft.flux";
}

/** Fields with a small letter first, whichever way Azure wrote them. */
function lowered(fields: YamlMap): YamlMap {
  return Object.fromEntries(
    Object.entries(fields).map(([key, value]) => [`${key.charAt(0).toLowerCase()}${key.slice(1)}`, value]),
  );
}
