const defaultPorts: Readonly<Record<string, string>> = { "http:": "80", "https:": "443" };

/**
 * What makes two URLs the same repository: host in lower case, port where it is not the usual one, and path without
 * slashes around it and without `.git`. Credentials, query and fragment are gone, so the result may be printed.
 * SSH and HTTPS addresses of one path on one host are equal; local paths and file URLs too.
 */
export function repositoryIdentity(url: string): string {
  const scpLike = /^(?:[^@/]+@)?([^@/:]+):(?!\/\/)(.+)$/.exec(url);
  if (scpLike) return identity(scpLike[1] ?? "", "", scpLike[2] ?? "");
  if (!URL.canParse(url)) return identity("", "", url);
  const { protocol, hostname, port, pathname } = new URL(url);
  // The port of SSH says nothing about which repository it is.
  const shownPort = protocol === "ssh:" || port === defaultPorts[protocol] ? "" : port;
  return identity(hostname, shownPort, pathname);
}

function identity(host: string, port: string, path: string): string {
  const plain = decoded(path)
    .replace(/\/+$/, "")
    .replace(/\.git$/, "")
    .replace(/^\/+/, "");
  return `${host.toLowerCase()}${port === "" ? "" : `:${port}`}/${plain}`;
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
