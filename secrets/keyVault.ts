import {
  createDefaultHttpClient,
  createPipelineFromOptions,
  createPipelineRequest,
} from "@azure/core-rest-pipeline";
import { type AzureAccess, azureNext, azureWords, isLoopback } from "../status/index.ts";
import { asMap, asText } from "../values/maps.ts";

/** A secret of Azure Key Vault, in its current version. */
export interface VaultSecret {
  readonly vault: string;
  readonly secret: string;
}

const apiVersion = "7.4";
/** Of one request with its retries, in milliseconds. */
const patience = 30_000;

/** Domain of vaults, by the cloud that `ARM_ENVIRONMENT` names. */
const domains: Readonly<Record<string, string>> = {
  usgovernment: "vault.usgovcloudapi.net",
  china: "vault.azure.cn",
};

/**
 * Reads a secret as the identity of the update; undefined where the vault has none of that name. `ARCFLUX_VAULT_URL` names
 * another place, such as `http://127.0.0.1:4000/{vault}`. Rejects with words that hold no value and no token.
 */
export async function readVaultSecret(
  { vault, secret }: VaultSecret,
  { credential }: AzureAccess,
  env: NodeJS.ProcessEnv,
): Promise<string | undefined> {
  const domain = domains[env["ARM_ENVIRONMENT"]?.toLowerCase() ?? ""] ?? "vault.azure.net";
  const base = (env["ARCFLUX_VAULT_URL"] || `https://{vault}.${domain}`).replace("{vault}", vault);
  const isLocal = isLoopback(base);
  if (!base.startsWith("https://") && !isLocal)
    throw new Error("ARCFLUX_VAULT_URL is not https://; a token goes there.");
  const token = await credential.getToken(`https://${domain}/.default`).catch((error: unknown) => {
    throw new Error(`${azureWords(error)}. ${azureNext(error)}`);
  });
  const request = createPipelineRequest({
    url: `${base}/secrets/${encodeURIComponent(secret)}?api-version=${apiVersion}`,
    ...{ abortSignal: AbortSignal.timeout(patience), allowInsecureConnection: isLocal },
  });
  request.headers.set("authorization", `Bearer ${token?.token ?? ""}`);
  // Proxies and retries of what is throttled are the clients' own; a redirection would take the token elsewhere.
  const pipeline = createPipelineFromOptions({
    retryOptions: { maxRetries: 3 },
    redirectOptions: { maxRetries: 0 },
  });
  const { status, bodyAsText } = await pipeline
    .sendRequest(createDefaultHttpClient(), request)
    .catch((error: unknown) => {
      const { code } = error as NodeJS.ErrnoException;
      const why = code === undefined || code === "ABORT_ERR" ? "no answer in time" : code;
      throw new Error(`${new URL(base).host} does not answer (${why}). Check vault, network and proxy.`);
    });
  const body = parsed(bodyAsText);
  if (status === 200) {
    const value = asText(body["value"]);
    if (value === undefined) throw new Error("what the vault answered is no secret. Try again.");
    return value;
  }
  if (status === 404) return undefined;
  throw new Error(refusal(status, body));
}

/** What to do about a refusal, by Key Vault's own code for it. */
function refusal(status: number, body: Readonly<Record<string, unknown>>): string {
  const error = asMap(body["error"]);
  const code = asText(asMap(error["innererror"])["code"]) ?? asText(error["code"]) ?? "";
  const next: Readonly<Record<string, string>> = {
    SecretDisabled: "It is disabled: enable it in the vault.",
    ForbiddenByFirewall: "The firewall of the vault refuses this machine: let its address in.",
    ForbiddenByRbac: "Give your identity the role Key Vault Secrets User.",
    AccessDenied: "Give your identity the permission Get in the access policies of the vault.",
    BadParameter: "Names in Key Vault have letters, digits and '-'. Correct it in the fleet file.",
  };
  const usual =
    status === 401
      ? "Sign in to the tenant of the vault (az login, or ARM_*)."
      : status === 403
        ? "Give your identity the role Key Vault Secrets User."
        : "Try again.";
  return `HTTP ${status}${/^\w+$/.test(code) ? ` ${code}` : ""}. ${next[code] ?? usual}`;
}

/** A map without anything for what is no JSON: the parser's own words would quote it. */
function parsed(text: string | null | undefined): Readonly<Record<string, unknown>> {
  try {
    return asMap(JSON.parse(text ?? ""));
  } catch {
    return {};
  }
}
