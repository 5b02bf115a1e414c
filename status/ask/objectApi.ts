import type { KubeConfig, KubernetesObject, ResponseContext } from "@kubernetes/client-node";
import { ApiException, HttpMethod, KubernetesObjectApi, PatchStrategy } from "@kubernetes/client-node";

import { Declined } from "./clusterError.ts";
import { absent, type ApiObject, apiFailure } from "./kubernetesApi.ts";
import { ofContext } from "./ofContext.ts";
import { messageIn, request } from "./request.ts";

/* Loaded by those alone who change a cluster: the client takes a moment. */

/** Which object, as manifests name it; without a namespace, the namespace `default` for a kind that has them. */
export interface ObjectRef {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace?: string | undefined;
  readonly name: string;
}

/** The objects of one cluster, of any kind. Rejects with Refused, Unreachable or, where it is said, Declined. */
export interface ObjectApi {
  /** Whether the cluster knows a kind, and whether its objects are in namespaces. */
  kind(apiVersion: string, kind: string): Promise<{ readonly namespaced: boolean } | undefined>;
  /** Undefined where there is none, or the cluster does not know its kind. */
  read(ref: ObjectRef): Promise<ApiObject | undefined>;
  /** All objects of a kind, of every namespace or of one; none where the cluster does not know the kind. */
  list(apiVersion: string, kind: string, namespace?: string): Promise<readonly ApiObject[]>;
  /** Server-side apply in the name of `manager`, which takes over fields of others. Returns the object as it is then. */
  apply(object: ApiObject, manager: string): Promise<ApiObject>;
  /** Deletes it, and what belongs to it later; false where there was none. */
  remove(ref: ObjectRef): Promise<boolean>;
}

/** Opens a context of a kubeconfig, where it has that. Nothing is sent. `timeout` is of one request, in milliseconds. */
export function openObjects(kubeconfig: KubeConfig, context: string, timeout: number): ObjectApi | undefined {
  const config = ofContext(kubeconfig, context);
  if (config === undefined) return undefined;
  const client = config.makeApiClient(PlainObjects);

  const ask = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await request(work, { timeout });
    } catch (error) {
      if (error instanceof Declined) throw error;
      throw apiFailure(error, context, `within ${Math.round(timeout / 1000)} s`);
    }
  };
  return {
    kind: (apiVersion, kind) => ask(() => client.kind(apiVersion, kind)),
    read: (ref) => ask(() => client.send(HttpMethod.GET, ref).catch(absent)),
    list: (apiVersion, kind, namespace) => ask(() => client.all(apiVersion, kind, namespace)),
    apply: (object, manager) =>
      ask(
        async () =>
          (await client.send(HttpMethod.PATCH, refOf(object), { object, manager }).catch(declined))!,
      ),
    remove: (ref) => ask(async () => (await client.send(HttpMethod.DELETE, ref).catch(absent)) !== undefined),
  };
}

/** The client, with objects as they are: its own models drop fields that they do not know. */
class PlainObjects extends KubernetesObjectApi {
  async kind(apiVersion: string, kind: string): Promise<{ readonly namespaced: boolean } | undefined> {
    const found = await this.resource(apiVersion, kind).catch(absent);
    return found && { namespaced: found.namespaced };
  }

  /** Objects of a list carry no kind of their own. */
  async all(apiVersion: string, kind: string, namespace?: string): Promise<ApiObject[]> {
    if ((await this.kind(apiVersion, kind)) === undefined) return [];
    const metadata = namespace === undefined ? {} : { namespace };
    const path = await this.specUriPath({ apiVersion, kind, metadata }, "list");
    const request = this.configuration.baseServer.makeRequestContext(path, HttpMethod.GET);
    request.setHeaderParam("Accept", "application/json");
    const { items } = (await this.requestPromise<KubernetesObject>(request)) as { items?: ApiObject[] };
    return (items ?? []).map((item) => ({ apiVersion, kind, ...item }));
  }

  /** Undefined where the kind is not known. */
  async send(
    method: HttpMethod,
    { apiVersion, kind, namespace, name }: ObjectRef,
    apply?: { readonly object: ApiObject; readonly manager: string },
  ): Promise<ApiObject | undefined> {
    if ((await this.kind(apiVersion, kind)) === undefined) {
      if (apply === undefined) return undefined;
      throw new Declined(`the cluster does not know the kind ${kind} of ${apiVersion}`, true);
    }
    const spec = { apiVersion, kind, metadata: { name, ...(namespace && { namespace }) } };
    const action = { GET: "read", PATCH: "patch", DELETE: "delete" } as const;
    const path = await this.specUriPath(spec, action[method as keyof typeof action]);
    const request = this.configuration.baseServer.makeRequestContext(path, method);
    request.setHeaderParam("Accept", "application/json");
    if (apply !== undefined) {
      request.setQueryParam("fieldManager", apply.manager);
      request.setQueryParam("force", "true");
      request.setHeaderParam("Content-Type", PatchStrategy.ServerSideApply);
      request.setBody(JSON.stringify(apply.object));
    }
    if (method === HttpMethod.DELETE) request.setQueryParam("propagationPolicy", "Background");
    return this.requestPromise<KubernetesObject & ApiObject>(request);
  }

  protected override async processResponse(response: ResponseContext, type?: string): Promise<never> {
    // Lists of kinds are the client's own business.
    if (type !== undefined || response.httpStatusCode < 200 || response.httpStatusCode > 299)
      return super.processResponse<never>(response, type);
    return JSON.parse(await response.body.text()) as never;
  }
}

function refOf(object: ApiObject): ObjectRef {
  const { apiVersion, kind, metadata } = object as {
    readonly apiVersion: string;
    readonly kind: string;
    readonly metadata: { readonly name: string; readonly namespace?: string };
  };
  return { apiVersion, kind, namespace: metadata.namespace, name: metadata.name };
}

/** A namespace or a webhook that is not there yet comes later; a manifest that is wrong stays wrong. */
function declined(error: unknown): never {
  if (!(error instanceof ApiException)) throw error;
  const { code } = error;
  const said = messageIn(error.body as unknown) ?? `HTTP status ${code}`;
  const isLater = /being terminated|failed calling webhook/.test(said);
  if ((code === 401 || code === 403) && !isLater) throw error;
  throw new Declined(said, isLater || code === 404 || code === 409 || code === 429 || code >= 500);
}
