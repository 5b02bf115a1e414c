import { asMap, asText } from "../../../values/maps.ts";
import { isLoopback, mayHoldCredentials } from "../../../values/repositoryUrl.ts";
import { listed, texts } from "../../about.ts";
import { andConfigurations, filePolicy } from "../../filePolicy.ts";
import type { PlainMap } from "../../plainValue.ts";

/** Where the URL stands in a Flux configuration of Azure. */
const ofConfiguration = ["gitRepository", "bucket", "azureBlob", "ociRepository"] as const;

/** Kinds that fetch from somewhere, and the field that says from where. */
const addresses: Readonly<Record<string, string>> = {
  GitRepository: "url",
  OCIRepository: "url",
  HelmRepository: "url",
  Bucket: "endpoint",
};

/** Names alone: a URL among them would fit no source. */
const hosts = {
  ...texts("Hosts of sources, such as git.example.com. Default: all hosts."),
  items: { type: "string", pattern: String.raw`^[^/:@\s]+$` },
} as const;

const inFiles = filePolicy({
  name: "secure-sources",
  description: "Sources are fetched without plain HTTP, without credentials in the URL, from allowed hosts.",
  why: "Whoever stands between a cluster and a source in plain HTTP decides what runs there.",
  configSchema: {
    properties: { allowedHosts: hosts },
  },
  check: ({ kind, group, spec }, { settings }) => {
    const field = group === "source.toolkit.fluxcd.io" ? addresses[kind] : undefined;
    if (field === undefined) return undefined;
    const faults = addressFaults(`spec.${field}`, asText(spec[field]) ?? "", settings);
    return spec["insecure"] === true
      ? [...faults, "spec.insecure is true, which allows plain HTTP; take it out."]
      : faults;
  },
});

/** Whoever stands between a cluster and its source decides what runs there. */
export const secureSources = andConfigurations(inFiles, (props, settings) =>
  ofConfiguration.map((field) => () => {
    const address = asText(asMap(props[field])["url"]);
    return address === undefined ? undefined : addressFaults(`${field}.url`, address, settings);
  }),
);

/** No part of the URL is shown but its host: what stands in the wrong place is often a token. */
function addressFaults(field: string, address: string, settings: PlainMap): string[] {
  const faults: string[] = [];
  if (mayHoldCredentials(address) || /:\/\/[^/]*(:|%3a)[^/]*@/i.test(address))
    faults.push(`${field} holds credentials; put them into a Secret and name that in secretRef.`);
  if (/^http:\/\//i.test(address) && !isLoopback(address))
    faults.push(`${field} is plain HTTP; write https://.`);
  const hosts = listed(settings["allowedHosts"]).map((host) => host.toLowerCase());
  const host = hostOf(address);
  if (hosts.length > 0 && !hosts.includes(host ?? "")) {
    const where = host === undefined ? "names no host" : `is on host '${host}'`;
    faults.push(`${field} ${where}; allowed are ${hosts.join(", ")}. Mirror it there.`);
  }
  return faults;
}

/** `git.example.com`, without user and port, of a URL, an SSH address or an endpoint. */
function hostOf(address: string): string | undefined {
  const plain = /^(?:[a-z]+:\/\/)?(?:[^/@]*@)?([^/:]+)/i.exec(address);
  return plain?.[1]?.toLowerCase();
}
