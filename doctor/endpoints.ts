import { regionKey } from "../values/region.ts";

/** A host that the agents of Azure Arc call on port 443, and what they call it for. */
export interface Endpoint {
  readonly host: string;
  readonly use: string;
}

/** What a cloud of Azure has under which names. */
interface Cloud {
  readonly everywhere: readonly Endpoint[];
  readonly inRegion: (region: string) => readonly Endpoint[];
  /** Names with a wildcard, which nobody can try. */
  readonly wildcards: readonly string[];
}

const images = { host: "mcr.microsoft.com", use: "images of the agents" };
const tokens = { host: "sts.windows.net", use: "cluster connect" };

const publicCloud: Cloud = {
  everywhere: [
    { host: "management.azure.com", use: "Azure itself" },
    { host: "login.microsoftonline.com", use: "login" },
    { host: "login.windows.net", use: "login" },
    images,
    { host: "gbl.his.arc.azure.com", use: "the certificate of the cluster's identity" },
    { host: "guestnotificationservice.azure.com", use: "cluster connect" },
    tokens,
  ],
  inRegion: (region) => [
    {
      host: `${region}.dp.kubernetesconfiguration.azure.com`,
      use: "configuration of the agents and of Flux",
    },
    { host: `${region}.login.microsoft.com`, use: "login" },
  ],
  wildcards: [
    ...["*.data.mcr.microsoft.com", "*.his.arc.azure.com", "*.guestnotificationservice.azure.com"],
    "*.servicebus.windows.net",
  ],
};

const government: Cloud = {
  everywhere: [
    { host: "management.usgovcloudapi.net", use: "Azure itself" },
    { host: "login.microsoftonline.us", use: "login" },
    images,
    { host: "gbl.his.arc.azure.us", use: "the certificate of the cluster's identity" },
    { host: "usgv.his.arc.azure.us", use: "the certificate of the cluster's identity" },
    { host: "guestnotificationservice.azure.us", use: "cluster connect" },
    tokens,
  ],
  inRegion: (region) => [
    { host: `${region}.dp.kubernetesconfiguration.azure.us`, use: "configuration of the agents and of Flux" },
    { host: `${region}.login.microsoftonline.us`, use: "login" },
  ],
  wildcards: [
    ...["*.data.mcr.microsoft.com", "*.guestnotificationservice.azure.us", "*.servicebus.usgovcloudapi.net"],
  ],
};

/** By the names that Pulumi's provider has for clouds. */
const clouds: Readonly<Record<string, Cloud>> = { public: publicCloud, usgovernment: government };

/** What Azure documents for agents in these regions; undefined for a cloud of which there is no list here. */
export function endpointsOf(
  cloud: string | undefined,
  regions: readonly string[],
): { readonly endpoints: readonly Endpoint[]; readonly wildcards: readonly string[] } | undefined {
  const name = cloud?.toLowerCase() || "public";
  const found = Object.hasOwn(clouds, name) ? clouds[name] : undefined;
  if (found === undefined) return undefined;
  const inRegions = [...new Set(regions.map(regionKey))].sort().flatMap(found.inRegion);
  return { endpoints: [...found.everywhere, ...inRegions], wildcards: found.wildcards };
}
