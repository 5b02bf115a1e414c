import { readFile } from "node:fs/promises";
import type { Credential } from "./credentials.ts";
import type { CredentialSource, SourceContext } from "./credentialsSource.ts";
import { GitError } from "../words/errors.ts";

/** The resource id of Azure DevOps in every tenant. */
const scope = "499b84ac-1321-427f-aa17-267ca6975798/.default";
const defaultAuthority = "https://login.microsoftonline.com/";
const reserve = 5 * 60_000;

const kept = new Map<string, { readonly credential: Credential; readonly until: number }>();

/** An access token of Azure's workload identity, for Azure DevOps Services alone: no other host may get it. */
export function azureSource(url: string, context: SourceContext): CredentialSource | undefined {
  const { env } = context;
  const [file = "", client = "", tenant = ""] = [
    "AZURE_FEDERATED_TOKEN_FILE",
    "AZURE_CLIENT_ID",
    "AZURE_TENANT_ID",
  ].map((name) => env[name]?.trim() ?? "");
  if (file === "" || client === "" || tenant === "" || !isAzureDevOps(url)) return undefined;
  const authority = env["AZURE_AUTHORITY_HOST"]?.trim() || defaultAuthority;
  const get = async (fresh: boolean): Promise<Credential> => {
    const cacheKey = [authority, tenant, client].join("\n");
    const known = kept.get(cacheKey);
    if (!fresh && known !== undefined && context.now() < known.until) return known.credential;
    const token = await requestToken({ authority, tenant, client, file }, context);
    kept.set(cacheKey, token);
    return token.credential;
  };
  return { name: `the workload identity ${client}`, get };
}

/** Whether the URL is one of Azure DevOps Services, over https. */
function isAzureDevOps(url: string): boolean {
  const parsed = URL.parse(url);
  if (parsed?.protocol !== "https:") return false;
  return parsed.hostname === "dev.azure.com" || parsed.hostname.endsWith(".visualstudio.com");
}

async function requestToken(
  { authority, tenant, client, file }: Readonly<Record<"authority" | "tenant" | "client" | "file", string>>,
  context: SourceContext,
): Promise<{ credential: Credential; until: number }> {
  // Read each time: the file is renewed by the platform.
  const assertion = (
    await readFile(file, "utf8").catch((error: unknown) => {
      const code = (error as NodeJS.ErrnoException).code ?? "unknown error";
      throw new GitError(
        "invalid",
        `AZURE_FEDERATED_TOKEN_FILE names a file that cannot be read (${code}): ${JSON.stringify(file)}.`,
      );
    })
  ).trim();
  if (assertion !== "") context.hide(assertion);
  const form = new URLSearchParams({
    grant_type: "client_credentials",
    client_id: client,
    scope,
    client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
    client_assertion: assertion,
  });
  const { json } = await context.http({
    method: "POST",
    url: `${authority.replace(/\/+$/, "")}/${encodeURIComponent(tenant)}/oauth2/v2.0/token`,
    headers: { accept: "application/json" },
    form,
    what: "The access token of the workload identity",
  });
  const { access_token: token, expires_in: seconds } = json as {
    access_token?: unknown;
    expires_in?: unknown;
  };
  if (typeof token !== "string" || token === "") {
    throw new GitError("authentication", `${authority} gave no access token for the client ${client}.`);
  }
  const until = context.now() + Number(seconds ?? 0) * 1000 - reserve;
  return {
    credential: { username: "x-access-token", token, bearer: true },
    until: Number.isNaN(until) ? 0 : until,
  };
}
