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
 * find (`AZURE_*`, workload or managed identity, `az login`), in the cloud that `ARM_ENVIRONMENT` names.
 * `ARCFLUX_ARM_ENDPOINT` names another endpoint. Nothing is sent yet.
 */
export async function azureAccess(env: NodeJS.ProcessEnv): Promise<AzureAccess> {
  const endpoint = nonEmpty(env["ARCFLUX_ARM_ENDPOINT"]) ?? cloudOf(env)?.endpoint;
  const subscription = env["ARM_SUBSCRIPTION_ID"] ?? env["AZURE_SUBSCRIPTION_ID"];
  return {
    credential: isLoopback(endpoint) ? anyToken : await credentialOf(env),
    ...(endpoint !== undefined && { endpoint }),
    subscriptions: subscription ? [subscription] : [],
  };
}

/** Clouds beside the public one, by the names that Pulumi's provider has for them. */
const clouds: Readonly<Record<string, { readonly endpoint: string; readonly authorityHost: string }>> = {
  usgovernment: {
    endpoint: "https://management.usgovcloudapi.net",
    authorityHost: "https://login.microsoftonline.us",
  },
  china: { endpoint: "https://management.chinacloudapi.cn", authorityHost: "https://login.chinacloudapi.cn" },
};

function cloudOf(env: NodeJS.ProcessEnv) {
  const name = env["ARM_ENVIRONMENT"]?.toLowerCase() ?? "";
  return Object.hasOwn(clouds, name) ? clouds[name] : undefined;
}

function nonEmpty(text: string | undefined): string | undefined {
  return text === "" ? undefined : text;
}

async function credentialOf(env: NodeJS.ProcessEnv): Promise<TokenCredential> {
  const authority = cloudOf(env);
  const options = authority === undefined ? {} : { authorityHost: authority.authorityHost };
  const { ClientAssertionCredential, ClientSecretCredential, DefaultAzureCredential } =
    await import("@azure/identity");
  const [tenant = "", client = "", secret = "", token = ""] = [
    ...["ARM_TENANT_ID", "ARM_CLIENT_ID", "ARM_CLIENT_SECRET", "ARM_OIDC_TOKEN"],
  ].map((name) => env[name] ?? "");
  if (tenant !== "" && client !== "" && secret !== "")
    return new ClientSecretCredential(tenant, client, secret, options);
  if (tenant !== "" && client !== "" && token !== "")
    return new ClientAssertionCredential(tenant, client, () => Promise.resolve(token), options);
  return new DefaultAzureCredential(options);
}

/** Whether an endpoint is on this machine, where a token may go in the clear and any will do. */
export function isLoopback(endpoint: string | undefined): boolean {
  const host = endpoint === undefined ? undefined : URL.parse(endpoint)?.hostname;
  return host === "127.0.0.1" || host === "localhost" || host === "[::1]";
}

const anyToken: TokenCredential = {
  getToken: () => Promise.resolve({ token: "loopback", expiresOnTimestamp: Date.now() + 3_600_000 }),
};
