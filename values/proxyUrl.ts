/** Why a text is no URL of a proxy, as messages go on after its place; undefined for one. */
export function proxyUrlFault(text: string): string | undefined {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol) || url.hostname === "")
    return "is not the URL of a proxy; write one such as http://proxy.example.com:3128";
  if (url.username !== "" || url.password !== "")
    return "has a user or password, which would stand in the fleet file and in Azure; let the proxy trust the site's addresses";
  return undefined;
}
