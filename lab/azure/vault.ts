import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A secret of the stand-in: its value, or why Key Vault does not give it. */
export type LabSecret =
  string | { readonly refusal: "SecretDisabled" | "ForbiddenByRbac" | "ForbiddenByFirewall" };

export interface LabVault {
  /** To be set as `ARCFLUX_VAULT_URL`. */
  readonly url: string;
  /** Method and path of each request; never a header. */
  readonly requests: readonly string[];
  close(): Promise<void>;
}

/**
 * Azure Key Vault on loopback, as far as reading secrets goes: `/VAULT/secrets/NAME`. It refuses what Key Vault refuses: no
 * bearer token, no API version, a name that it does not take, one that is not there, disabled or not for the caller, and
 * every other method. `throttle` answers so many requests with 429 first.
 */
export async function startVault(
  vaults: Readonly<Record<string, Readonly<Record<string, LabSecret>>>>,
  { throttle = 0 }: { readonly throttle?: number } = {},
): Promise<LabVault> {
  const requests: string[] = [];
  let throttled = throttle;
  const server = createServer(({ method = "", url = "", headers }, response) => {
    requests.push(`${method} ${url}`);
    const answer = (status: number, body: object, more: Record<string, string> = {}): void =>
      void response
        .writeHead(status, { "content-type": "application/json", ...more })
        .end(JSON.stringify(body));
    const refuse = (status: number, code: string, inner?: string, more?: Record<string, string>): void =>
      answer(status, { error: { code, message: code, ...(inner && { innererror: { code: inner } }) } }, more);

    const { pathname, searchParams } = new URL(url, "http://127.0.0.1");
    const [, vault = "", kind, name = "", version] = pathname.split("/");
    const secrets = Object.hasOwn(vaults, vault) ? vaults[vault] : undefined;
    // A vault that is not there has no name in DNS.
    if (secrets === undefined) return void response.destroy();
    if (!/^Bearer \S+$/.test(headers.authorization ?? ""))
      return refuse(401, "Unauthorized", undefined, {
        "www-authenticate":
          'Bearer authorization="https://login.microsoftonline.com/lab", resource="https://vault.azure.net"',
      });
    if (method !== "GET") return refuse(405, "MethodNotAllowed");
    if (searchParams.get("api-version") !== "7.4" || kind !== "secrets") return refuse(400, "BadParameter");
    if (!/^[0-9a-zA-Z-]{1,127}$/.test(decodeURIComponent(name))) return refuse(400, "BadParameter");
    if (throttled > 0) {
      throttled -= 1;
      return refuse(429, "Throttled", undefined, { "retry-after": "0" });
    }
    const found = Object.hasOwn(secrets, name) ? secrets[name] : undefined;
    if (found === undefined || version) return refuse(404, "SecretNotFound");
    if (typeof found !== "string") return refuse(403, "Forbidden", found.refusal);
    answer(200, {
      value: found,
      id: `https://${vault}.vault.azure.net/secrets/${name}/1`,
      attributes: { enabled: true },
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/{vault}`,
    requests,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
