import type {
  ConfigurationOptions,
  KubeConfig,
  KubernetesObject,
  ObservableMiddleware,
} from "@kubernetes/client-node";
import {
  ApiException,
  CustomObjectsApi,
  KubernetesObjectApi,
  PatchStrategy,
  setHeaderOptions,
} from "@kubernetes/client-node";
// Middleware of this client wants its own kind of promise, which its door does not hand out.
import { of } from "@kubernetes/client-node/dist/gen/rxjsStub.js";

import { Declined, Refused, Unreachable, unusable } from "./clusterError.ts";
import { ofContext } from "./ofContext.ts";
import { messageIn, request } from "./request.ts";

/* Loaded by those alone who ask a cluster: the client takes a moment. */

/** Any object of the Kubernetes API. */
export type ApiObject = Readonly<Record<string, unknown>>;

/** Which kind, as paths of the API name it. */
export interface ApiKind {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
}

/** The API of one cluster, as far as it is asked. Rejects with Refused, Declined or Unreachable. */
export interface KubernetesApi {
  /** Objects of a namespace, or of all; none where the kind is not known. */
  list(kind: ApiKind, namespace?: string): Promise<readonly ApiObject[]>;
  read(kind: ApiKind, namespace: string, name: string): Promise<ApiObject | undefined>;
  /** An object of any kind, by the kind and name of this one. */
  find(object: ApiObject): Promise<ApiObject | undefined>;
  /** Creates an object of any kind, and changes none that is there. */
  create(object: ApiObject): Promise<"created" | "exists" | "noNamespace">;
  /** Merges into the metadata of an object. */
  annotate(
    kind: ApiKind,
    namespace: string,
    name: string,
    annotations: Readonly<Record<string, string>>,
  ): Promise<void>;
  /**
   * An object as it is, and as the server says that it would be if Flux applied this one; nothing is changed. `refused`:
   * the server's words where it would not take it.
   */
  dryRun(object: ApiObject): Promise<DryRun>;
}

export interface DryRun {
  /** Undefined where there is none yet. */
  readonly before: ApiObject | undefined;
  readonly after: ApiObject | { readonly refused: string };
}

/**
 * Opens a context of a kubeconfig, where it has that; without a name its current one. Nothing is sent. `timeout` is of one
 * request, in milliseconds.
 */
export function openContext(
  kubeconfig: KubeConfig,
  name: string | undefined,
  { timeout, signal }: { readonly timeout: number; readonly signal?: AbortSignal | undefined },
): KubernetesApi | undefined {
  const config = ofContext(kubeconfig, name);
  return config && new Api(config, timeout, signal);
}

class Api implements KubernetesApi {
  readonly #config: KubeConfig;
  readonly #timeout: number;
  readonly #signal: AbortSignal | undefined;
  #client: CustomObjectsApi | undefined;
  #anyKind: KubernetesObjectApi | undefined;

  constructor(config: KubeConfig, timeout: number, signal: AbortSignal | undefined) {
    this.#config = config;
    this.#timeout = timeout;
    this.#signal = signal;
  }

  async list(kind: ApiKind, namespace?: string): Promise<readonly ApiObject[]> {
    const found = await this.#ask(async (api, options) =>
      namespace === undefined
        ? ((await api.listCustomObjectForAllNamespaces(
            { group: kind.group, version: kind.version, resourcePlural: kind.plural },
            options,
          )) as unknown)
        : ((await api.listNamespacedCustomObject({ ...kind, namespace }, options)) as unknown),
    );
    return ((found as { items?: ApiObject[] } | undefined)?.items ?? []).filter(Boolean);
  }

  async read(kind: ApiKind, namespace: string, name: string): Promise<ApiObject | undefined> {
    return (await this.#ask((api, options) =>
      api.getNamespacedCustomObject({ ...kind, namespace, name }, options),
    )) as ApiObject | undefined;
  }

  async find(object: ApiObject): Promise<ApiObject | undefined> {
    const spec = object as unknown as KubernetesObject & { metadata: { name: string } };
    try {
      return (await this.#within(() => this.#ofAnyKind().read(spec).catch(absent))) as ApiObject | undefined;
    } catch (error) {
      // Of one that may not look the server says no more than that.
      throw mayNot(error) ? this.#failure(error) : this.#failureWith(error, object);
    }
  }

  async create(object: ApiObject): Promise<"created" | "exists" | "noNamespace"> {
    try {
      await this.#within(() => this.#ofAnyKind().create(object as unknown as KubernetesObject));
      return "created";
    } catch (error) {
      if (error instanceof ApiException && error.code === 409) return "exists";
      if (error instanceof ApiException && error.code === 404) return "noNamespace";
      throw this.#failureWith(error, object);
    }
  }

  async annotate(
    kind: ApiKind,
    namespace: string,
    name: string,
    annotations: Readonly<Record<string, string>>,
  ): Promise<void> {
    const body = { metadata: { annotations } };
    await this.#ask((api, options) =>
      api.patchNamespacedCustomObject(
        { ...kind, namespace, name, body, fieldManager: "flux-client-side-apply" },
        setHeaderOptions("Content-Type", PatchStrategy.MergePatch, options),
      ),
    );
  }

  async dryRun(object: ApiObject): Promise<DryRun> {
    const api = this.#ofAnyKind();
    const spec = object as unknown as KubernetesObject & { metadata: { name: string } };
    try {
      const before = (await this.#within(() => api.read(spec).catch(absent))) as ApiObject | undefined;
      const apply = [undefined, "All", "kustomize-controller", true, PatchStrategy.ServerSideApply] as const;
      return { before, after: (await this.#within(() => api.patch(spec, ...apply))) as unknown as ApiObject };
    } catch (error) {
      const isAnswer = error instanceof ApiException && !mayNot(error);
      // The client's own word for a kind that the server does not know.
      const isUnknown = error instanceof Error && /^Unrecognized API version and kind/.test(error.message);
      if (isAnswer) return { before: undefined, after: { refused: saidOf(error, object) } };
      if (isUnknown) return { before: undefined, after: { refused: error.message } };
      throw this.#failureWith(error, object);
    }
  }

  #ofAnyKind(): KubernetesObjectApi {
    return (this.#anyKind ??= KubernetesObjectApi.makeApiClient(this.#config));
  }

  #within<T>(send: (ends: AbortSignal) => Promise<T>): Promise<T> {
    return request(send, { timeout: this.#timeout, signal: this.#signal });
  }

  async #ask<T>(
    send: (api: CustomObjectsApi, options: ConfigurationOptions<ObservableMiddleware>) => Promise<T>,
  ): Promise<T | undefined> {
    const client = (this.#client ??= this.#config.makeApiClient(CustomObjectsApi));
    const limited = (ends: AbortSignal): ObservableMiddleware => ({
      pre: (context) => {
        context.setSignal(ends);
        return of(context);
      },
      post: (response) => of(response),
    });
    try {
      return await this.#within((ends) =>
        send(client, { middleware: [limited(ends)], middlewareMergeStrategy: "append" }),
      );
    } catch (error) {
      if (error instanceof ApiException && error.code === 404) return undefined;
      throw this.#failure(error);
    }
  }

  /** Of a request that is about an object: an answer that is no is told from none. */
  #failureWith(error: unknown, object: ApiObject): Error {
    if (!(error instanceof ApiException)) return this.#failure(error);
    const context = this.#config.getCurrentContext();
    const said = saidOf(error, object);
    if (mayNot(error)) return new Refused(`context ${context} of the kubeconfig was refused: ${said}`);
    return isOverloaded(error.code)
      ? new Unreachable(`the API server of context ${context} failed: ${said}`)
      : new Declined(
          `the API server of context ${context} does not take ${String(object["kind"])} ${nameOf(object)}: ${said}`,
          error.code >= 500,
        );
  }

  #failure(error: unknown): Error {
    const limit = this.#signal?.aborted ? "in time" : `within ${Math.round(this.#timeout / 1000)} s`;
    return apiFailure(error, this.#config.getCurrentContext(), limit);
  }
}

/** A failed request in our words; `limit` ends "no answer …". */
export function apiFailure(error: unknown, context: string, limit: string): Error {
  if (error instanceof ApiException) {
    const [, known] = /^Message: (.+)$/m.exec(error.message) ?? [];
    const said = messageIn(error.body) ?? known ?? `HTTP status ${error.code}`;
    return error.code === 401 || error.code === 403
      ? new Refused(`context ${context} of the kubeconfig was refused: ${said}`)
      : new Unreachable(`the API server of context ${context} failed: ${said}`);
  }
  const fault = unusable(error);
  if (fault !== undefined) return new Refused(`context ${context} of the kubeconfig: ${fault}`);
  const { name, message, cause } = error as Error & { cause?: { code?: string; message?: string } };
  const slow = name === "TimeoutError" || name === "AbortError";
  const why = slow ? `no answer ${limit}` : (cause?.code ?? cause?.message ?? message);
  return new Unreachable(`the API server of context ${context} does not answer (${why})`);
}

/** Whether the credentials are what is refused. */
function mayNot(error: unknown): boolean {
  return error instanceof ApiException && (error.code === 401 || error.code === 403);
}

/** Too many requests, or nobody behind the door: the request itself was not looked at. */
function isOverloaded(code: number): boolean {
  return code === 429 || (code >= 502 && code <= 504);
}

/** The server's words about an object; those about a Secret may repeat what is in it. */
function saidOf({ code, body }: ApiException<unknown>, object: ApiObject): string {
  return object["kind"] === "Secret"
    ? `HTTP ${code}, in words that are not shown, since they may hold its values`
    : (messageIn(body) ?? `HTTP ${code}`);
}

function nameOf({ metadata }: ApiObject): string {
  const { namespace, name } = (metadata ?? {}) as { readonly namespace?: string; readonly name?: string };
  return [namespace, name].filter((part) => part !== undefined).join("/");
}

/** What a request that found nothing gives. */
export function absent(error: unknown): undefined {
  if (error instanceof ApiException && error.code === 404) return undefined;
  throw error;
}
