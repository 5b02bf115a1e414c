import { cloneUrl, urlFault } from "../values/repositoryUrl.ts";

const schemes: Readonly<Record<string, string>> = {
  https: "https://host/path",
  http: "http://host/path",
  ssh: "ssh://git@host/path",
  oci: "oci://host/path",
};

/** git@host:path is short for ssh://git@host/path, and Flux takes only the long form; of a clone URL, no user part. */
export function fluxUrl(url: string): string {
  const [, host, path] = /^((?:[\w.-]+@)?[A-Za-z0-9][\w.-]*):(?!\/\/)(.+)$/.exec(url) ?? [];
  return host !== undefined && path !== undefined
    ? `ssh://${host}/${path.replace(/^\/+/, "")}`
    : cloneUrl(url);
}

/**
 * Checks the URL of a source, as Flux takes it. The message never repeats any of it: what stands in the wrong place is
 * often a token.
 */
export function sourceUrlFault(
  allowed: readonly string[],
  self = false,
): (url: string) => string | undefined {
  const words = [...allowed.map((scheme) => schemes[scheme]!), ...(self ? ["self"] : [])];
  const write = `write ${words.slice(0, -1).join(", ")}${words.length > 1 ? " or " : ""}${words.at(-1)}`;
  return (stated) => {
    if (self && stated === "self") return undefined;
    const url = allowed.includes("ssh") ? fluxUrl(stated) : stated;
    const scheme = /^([a-z]+):\/\//.exec(url)?.[1];
    if (scheme === undefined || !allowed.includes(scheme)) return `is no URL that Flux takes here; ${write}`;
    // An OCI reference is checked as the address it stands for.
    return urlFault(
      scheme === "oci" ? `https${url.slice(3)}` : url,
      "in a Secret on the cluster that secretRef names",
    );
  };
}
