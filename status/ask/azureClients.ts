import type { SourceControlConfigurationClient } from "@azure/arm-kubernetesconfiguration";
import { type AzureAccess, isLoopback } from "./azureAccess.ts";

/** Rows of one page, the most that Azure gives. */
const pageSize = 1000;

/** Rows of a query of Resource Graph, page by page. */
export async function* queryGraph<Row>(
  query: string,
  { credential, endpoint, subscriptions }: AzureAccess,
  signal: AbortSignal,
): AsyncGenerator<Row> {
  const { ResourceGraphClient } = await import("@azure/arm-resourcegraph");
  const client = new ResourceGraphClient(credential, clientOptions(endpoint));
  if (isLoopback(endpoint)) await allowPlain(client.pipeline, credential);
  let skipToken: string | undefined;
  do {
    const answer = await client.resources(
      {
        query,
        ...(subscriptions.length > 0 && { subscriptions: [...subscriptions] }),
        options: {
          top: pageSize,
          resultFormat: "objectArray",
          ...(skipToken !== undefined && { skipToken }),
        },
      },
      { abortSignal: signal },
    );
    yield* answer.data as Row[];
    skipToken = answer.skipToken;
  } while (skipToken !== undefined && skipToken !== "");
}

/** Opens the extensions and Flux configurations of a subscription. */
export async function configurationClient(
  subscription: string,
  { credential, endpoint }: AzureAccess,
): Promise<SourceControlConfigurationClient> {
  const { SourceControlConfigurationClient } = await import("@azure/arm-kubernetesconfiguration");
  const client = new SourceControlConfigurationClient(credential, subscription, clientOptions(endpoint));
  if (isLoopback(endpoint)) await allowPlain(client.pipeline, credential);
  return client;
}

/** One GET of Azure Resource Manager: `path` from `/subscriptions/…` on, with the API version. Rejects with its refusal. */
export type ArmGet = <Body>(path: string, apiVersion: string) => Promise<Body>;

/** What no client of a single service is needed for. */
export async function armReader(access: AzureAccess, signal: AbortSignal): Promise<ArmGet> {
  const send = await armSender(access, signal);
  return async <Body>(path: string, apiVersion: string): Promise<Body> =>
    (await send("GET", path, apiVersion)) as Body;
}

/** A subscription as Azure lists it. */
export interface AzureSubscription {
  readonly subscriptionId: string;
  readonly displayName?: string;
  readonly state?: string;
}

/** The one subscription that the login reaches; undefined where there are several, or none. */
export async function onlySubscription(get: ArmGet): Promise<AzureSubscription | undefined> {
  const { value = [] } = await get<{ value?: readonly AzureSubscription[] }>("/subscriptions", "2022-12-01");
  return value.length === 1 ? value[0] : undefined;
}

/** Deletes a resource by its id; one that is gone already is no fault. */
export async function armDelete(
  id: string,
  apiVersion: string,
  access: AzureAccess,
  signal: AbortSignal,
): Promise<void> {
  const send = await armSender(access, signal);
  await send("DELETE", id, apiVersion);
}

type Send = (method: "GET" | "DELETE", path: string, apiVersion: string) => Promise<unknown>;

async function armSender(
  { credential, endpoint = "https://management.azure.com" }: AzureAccess,
  signal: AbortSignal,
): Promise<Send> {
  const [{ ServiceClient }, { createPipelineRequest }] = await Promise.all([
    import("@azure/core-client"),
    import("@azure/core-rest-pipeline"),
  ]);
  const scopes = `${endpoint}/.default`;
  const client = new ServiceClient({
    ...clientOptions(endpoint),
    ...{ endpoint, credential, credentialScopes: scopes },
    // Whoever waits for an answer here looks before the work: an outage is told in seconds.
    retryOptions: { maxRetries: 2, retryDelayInMs: 300 },
  });
  if (isLoopback(endpoint)) await allowPlain(client.pipeline, credential);
  return async (method, path, apiVersion) => {
    const url = `${endpoint}${path}?api-version=${apiVersion}`;
    const request = createPipelineRequest({
      ...{ url, method, abortSignal: signal },
      ...(isLoopback(endpoint) && { allowInsecureConnection: true }),
    });
    const { status, bodyAsText } = await client.sendRequest(request);
    const body = asJson(bodyAsText);
    if (status === 200) return body;
    // Azure goes on by itself, or has nothing left to delete.
    if (method === "DELETE" && (status === 202 || status === 204 || status === 404)) return body;
    const { code, message } = body.error ?? {};
    throw Object.assign(new Error(message ?? code ?? `HTTP status ${status}`), { code, statusCode: status });
  };
}

interface ArmAnswer {
  readonly error?: { readonly code?: string; readonly message?: string };
}

function asJson(text: string | null | undefined): ArmAnswer {
  try {
    return JSON.parse(text ?? "") as ArmAnswer;
  } catch {
    return {};
  }
}

/** A text of a query. */
export function quotedInQuery(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}

function clientOptions(endpoint: string | undefined) {
  return {
    ...(endpoint !== undefined && { endpoint, credentials: { scopes: [`${endpoint}/.default`] } }),
    ...(isLoopback(endpoint) && { allowInsecureConnection: true }),
    // Azure says itself how long to wait; what it refuses four times in a row is told.
    retryOptions: { maxRetries: 4 },
  };
}

/** The clients' own policy gives no token away over plain HTTP, not even on loopback. */
async function allowPlain(
  pipeline: { removePolicy(policy: { name: string }): unknown; addPolicy(policy: never): void },
  credential: AzureAccess["credential"],
): Promise<void> {
  const token = (await credential.getToken([]))?.token ?? "";
  const name = "bearerTokenAuthenticationPolicy";
  pipeline.removePolicy({ name });
  pipeline.addPolicy({
    name,
    sendRequest(request: { headers: Headers }, next: (request: unknown) => Promise<unknown>) {
      request.headers.set("authorization", `Bearer ${token}`);
      return next(request);
    },
  } as never);
}

/** Azure's words, without the pages of a stack and without a full stop: what to do follows them. */
export function azureWords(error: unknown): string {
  const { name, message } = error as Error;
  if (name === "AbortError") return "no answer in time";
  return (message.split("\n")[0] ?? "").slice(0, 300).replace(/\.+$/, "");
}

/** What to do about an error of Azure: to sign in helps only where that is what lacks. */
export function azureNext(error: unknown): string {
  const { name, message, statusCode } = error as Error & { readonly statusCode?: number };
  if (statusCode === 403) return "Check that you may read the clusters (Reader)";
  const isNetwork =
    name === "AbortError" || /\bE(CONN|AI_|PIPE|TIMEDOUT|NOTFOUND|HOST|NET)|network/.test(message);
  const lacksSignIn = statusCode === 401 || /Authentication|Credential/.test(name);
  return lacksSignIn && !isNetwork
    ? "Sign in (az login, or ARM_*)"
    : "Check the network, proxy and ARCFLUX_ARM_ENDPOINT";
}
