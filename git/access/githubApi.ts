/**
 * Base of GitHub's REST interface for a repository URL; undefined where the host is not known to be GitHub.
 * `override`: an interface whose own host then counts as GitHub, for an Enterprise Server of any name.
 */
export function githubApiOf(url: string, override?: string): string | undefined {
  const repository = URL.parse(url);
  if (repository === null) return undefined;
  const { hostname, host, protocol } = repository;
  if (override !== undefined && override !== "") {
    const api = URL.parse(override);
    if (api !== null && (api.host === host || api.host === `api.${host}`))
      return override.replace(/\/+$/, "");
  }
  if (protocol !== "https:") return undefined;
  if (hostname === "github.com") return "https://api.github.com";
  // Enterprise Cloud with data residency.
  if (/^[a-z0-9-]+\.ghe\.com$/.test(hostname)) return `https://api.${hostname}`;
  if (/^github[.-]/.test(hostname)) return `https://${host}/api/v3`;
  return undefined;
}
