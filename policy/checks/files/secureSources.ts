import { asText } from "../../../values/maps.ts";
import { isLoopback, mayHoldCredentials } from "../../../values/repositoryUrl.ts";
import { listed, texts } from "../../about.ts";
import { filePolicy } from "../../filePolicy.ts";

/** Kinds that fetch from somewhere, and the field that says from where. */
const addresses: Readonly<Record<string, string>> = {
  GitRepository: "url",
  OCIRepository: "url",
  HelmRepository: "url",
  Bucket: "endpoint",
};

/** Whoever stands between a cluster and its source decides what runs there. */
export const secureSources = filePolicy({
  name: "secure-sources",
  description: "Sources are fetched without plain HTTP, without credentials in the URL, from allowed hosts.",
  why: "Whoever stands between a cluster and a source in plain HTTP decides what runs there.",
  configSchema: {
    properties: { allowedHosts: texts("Hosts of sources, such as git.example.com. Default: all hosts.") },
  },
  check: ({ kind, group, spec }, { settings }) => {
    const field = group === "source.toolkit.fluxcd.io" ? addresses[kind] : undefined;
    if (field === undefined) return undefined;
    const address = asText(spec[field]) ?? "";
    const faults: string[] = [];
    // No part of the URL is shown: what stands in the wrong place is often a token.
    if (mayHoldCredentials(address) || /:\/\/[^/]*:[^/]*@/.test(address))
      faults.push(`spec.${field} holds credentials; put them into a Secret and name that in spec.secretRef.`);
    if (/^http:\/\//i.test(address) && !isLoopback(address))
      faults.push(`spec.${field} is plain HTTP; write https://.`);
    if (spec["insecure"] === true)
      faults.push("spec.insecure is true, which allows plain HTTP; take it out.");
    const hosts = listed(settings["allowedHosts"]).map((host) => host.toLowerCase());
    const host = hostOf(address);
    if (hosts.length > 0 && host !== undefined && !hosts.includes(host))
      faults.push(`spec.${field} is on host '${host}'; allowed are ${hosts.join(", ")}. Mirror it there.`);
    return faults;
  },
});

/** `git.example.com`, without user and port, of a URL, an SSH address or an endpoint. */
function hostOf(address: string): string | undefined {
  const plain = /^(?:[a-z]+:\/\/)?(?:[^/@]*@)?([^/:]+)/i.exec(address);
  return plain?.[1]?.toLowerCase();
}
