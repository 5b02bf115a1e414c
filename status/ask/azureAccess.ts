import type { TokenCredential } from "@azure/core-auth";

/** How Azure is reached. */
export interface AzureAccess {
  readonly credential: TokenCredential;
  /** Of Azure Resource Manager; absent for the public cloud. */
  readonly endpoint?: string;
  /** Subscriptions to look in; all that the caller may read where none is named. */
  readonly subscriptions: readonly string[];
}

/**
 * Azure as the environment says: the service principal of Pulumi's provider (`ARM_*`), else whatever Azure's own tools
 * find (`AZURE_*`, workload or managed identity, `az login`). `ARCFLUX_ARM_ENDPOINT` names another endpoint, such as a
 * sovereign cloud's. Nothing is sent yet.
 */
export async function azureAccess(env: NodeJS.ProcessEnv): Promise<AzureAccess> {
  const endpoint = env["ARCFLUX_ARM_ENDPOINT"];
  const subscription = env["ARM_SUBSCRIPTION_ID"] ?? env["AZURE_SUBSCRIPTION_ID"];
  return {
    credential: isLoopback(endpoint) ? anyToken : await credentialOf(env),
    ...(endpoint !== undefined && endpoint !== "" && { endpoint }),
    subscriptions: subscription ? [subscription] : [],
  };
}

async function credentialOf(env: NodeJS.ProcessEnv): Promise<TokenCredential> {
  const { ClientAssertionCredential, ClientSecretCredential, DefaultAzureCredential } =
    await import("@azure/identity");
  const [tenant = "", client = "", secret = "", token = ""] = [
    ...["ARM_TENANT_ID", "ARM_CLIENT_ID", "ARM_CLIENT_SECRET", "ARM_OIDC_TOKEN"],
  ].map((name) => env[name] ?? "");
  if (tenant !== "" && client !== "" && secret !== "")
    return new ClientSecretCredential(tenant, client, secret);
  if (tenant !== "" && client !== "" && token !== "")
    return new ClientAssertionCredential(tenant, client, () => Promise.resolve(token));
  return new DefaultAzureCredential();
}

/** Whether an endpoint is on this machine, where a token may go in the clear and any will do. */
export function isLoopback(endpoint: string | undefined): boolean {
  const host = endpoint === undefined ? undefined : URL.parse(endpoint)?.hostname;
  return host === "127.0.0.1" || host === "localhost" || host === "[::1]";
}

const anyToken: TokenCredential = {
  getToken: () => Promise.resolve({ token: "loopback", expiresOnTimestamp: Date.now() + 3_600_000 }),
};
