/** The proxy of a URL by the usual variables, lower case first as curl and git have it; undefined where none is to be used. */
export function proxyFor(url: URL, env: NodeJS.ProcessEnv): URL | undefined {
  if (isExcepted(url, env["no_proxy"] ?? env["NO_PROXY"] ?? "")) return undefined;
  // curl reads HTTP_PROXY in lower case only, since a web server hands request headers over in that form.
  const names =
    url.protocol === "https:"
      ? ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]
      : ["http_proxy", "all_proxy", "ALL_PROXY"];
  const text = names.map((name) => env[name]?.trim() ?? "").find((value) => value !== "");
  if (text === undefined) return undefined;
  return URL.parse(text.includes("://") ? text : `http://${text}`) ?? undefined;
}

function isExcepted({ hostname, port, protocol }: URL, list: string): boolean {
  const actualPort = port === "" ? (protocol === "https:" ? "443" : "80") : port;
  return list
    .split(/[\s,]+/)
    .filter((entry) => entry !== "")
    .some((entry) => {
      if (entry === "*") return true;
      const [, name = "", exceptedPort] = /^\.?(.*?)(?::(\d+))?$/.exec(entry.toLowerCase()) ?? [];
      if (exceptedPort !== undefined && exceptedPort !== actualPort) return false;
      return hostname === name || hostname.endsWith(`.${name}`);
    });
}
