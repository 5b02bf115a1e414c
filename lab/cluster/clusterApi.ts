import type { SendCall } from "./apiRequest.ts";
import { ApiError, openApi } from "./apiRequest.ts";

/** Any object of the Kubernetes API. */
export interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly [key: string]: unknown;
  };
  readonly [key: string]: unknown;
}

/** Which object. Those of a namespaced kind need a namespace. */
export interface ObjectRef {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
}

interface Resource {
  readonly name: string;
  readonly kind: string;
  readonly namespaced: boolean;
}

/** A cluster's API as the lab and the tests use it: any kind, plain JSON in and out, and the server's words on failure. */
export class ClusterApi {
  readonly #send: SendCall;
  readonly #kinds = new Map<string, Promise<Resource[]>>();

  constructor(kubeconfig: string, context: string) {
    this.#send = openApi(kubeconfig, context);
  }

  /** Any request. Rejects with {@link ApiError} when the server refuses it. */
  get request(): SendCall {
    return this.#send;
  }

  /** Whether the cluster has this kind now. */
  async knows(apiVersion: string, kind: string): Promise<boolean> {
    this.#kinds.delete(apiVersion);
    try {
      await this.#resource(apiVersion, kind);
      return true;
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return false;
      throw error;
    }
  }

  /** Undefined when there is no such object, or no such kind. */
  async read(ref: ObjectRef): Promise<KubernetesObject | undefined> {
    try {
      return (await this.#send({ path: await this.#path(ref) })) as unknown as KubernetesObject;
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return undefined;
      throw error;
    }
  }

  /** Of one namespace, or of all. Empty when there is no such kind. */
  async list(
    apiVersion: string,
    kind: string,
    { namespace, labels }: { namespace?: string; labels?: string } = {},
  ): Promise<KubernetesObject[]> {
    try {
      const answer = await this.#send({
        path: await this.#path({ apiVersion, kind, name: "", ...(namespace !== undefined && { namespace }) }),
        ...(labels !== undefined && { query: { labelSelector: labels } }),
      });
      // The items of a list do not say what they are.
      return ((answer["items"] ?? []) as KubernetesObject[]).map((item) => ({ ...item, apiVersion, kind }));
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return [];
      throw error;
    }
  }

  /** Creates the object or brings it to this state (server-side apply, taking fields over from others). */
  async apply(object: KubernetesObject, fieldManager = "arcflux-lab"): Promise<KubernetesObject> {
    const answer = await this.#send({
      method: "PATCH",
      path: await this.#path(refOf(object)),
      query: { fieldManager, force: "true" },
      body: object,
      contentType: "application/apply-patch+yaml",
    });
    return answer as unknown as KubernetesObject;
  }

  /** Merges into the object, or into its `status`; null deletes a field. */
  async patch(ref: ObjectRef, change: object, subresource?: "status"): Promise<KubernetesObject> {
    const answer = await this.#send({
      method: "PATCH",
      path: `${await this.#path(ref)}${subresource === undefined ? "" : `/${subresource}`}`,
      body: change,
      contentType: "application/merge-patch+json",
    });
    return answer as unknown as KubernetesObject;
  }

  /** Asks for the deletion; the object is gone when its finalizers are. One that is not there is no error. */
  async delete(ref: ObjectRef): Promise<void> {
    try {
      await this.#send({
        method: "DELETE",
        path: await this.#path(ref),
        query: { propagationPolicy: "Background" },
      });
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 404)) throw error;
    }
  }

  /** A token of a service account, good for an hour: to act as what runs on the cluster. */
  async serviceAccountToken(namespace: string, name: string): Promise<string> {
    const answer = await this.#send({
      method: "POST",
      path: `/api/v1/namespaces/${namespace}/serviceaccounts/${name}/token`,
      body: {
        apiVersion: "authentication.k8s.io/v1",
        kind: "TokenRequest",
        spec: { expirationSeconds: 3600 },
      },
    });
    return String((answer["status"] as { token?: unknown } | undefined)?.token);
  }

  async #path({ apiVersion, kind, name, namespace }: ObjectRef): Promise<string> {
    const { name: plural, namespaced } = await this.#resource(apiVersion, kind);
    if (namespaced && namespace === undefined && name !== "") {
      throw new Error(`${kind} ${name} needs a namespace.`);
    }
    const parts = [namespaced && namespace !== undefined ? `namespaces/${namespace}` : "", plural, name];
    return [rootOf(apiVersion), ...parts.filter((part) => part !== "")].join("/");
  }

  async #resource(apiVersion: string, kind: string): Promise<Resource> {
    // A kind that is not known may have been added since: it is looked for once more.
    for (const known of [this.#kinds.get(apiVersion), undefined]) {
      const kinds = known ?? this.#discover(apiVersion);
      this.#kinds.set(apiVersion, kinds);
      try {
        const found = (await kinds).find((one) => one.kind === kind && !one.name.includes("/"));
        if (found !== undefined) return found;
      } catch (error) {
        this.#kinds.delete(apiVersion);
        throw error;
      }
    }
    throw new ApiError(`${apiVersion} ${kind}`, 404, {
      message: "the cluster does not know this kind",
      reason: "NotFound",
    });
  }

  async #discover(apiVersion: string): Promise<Resource[]> {
    return (await this.#send({ path: rootOf(apiVersion) }))["resources"] as Resource[];
  }
}

/** Where an object is. */
export function refOf({ apiVersion, kind, metadata: { name, namespace } }: KubernetesObject): ObjectRef {
  return { apiVersion, kind, name, ...(namespace !== undefined && { namespace }) };
}

function rootOf(apiVersion: string): string {
  return `${apiVersion.includes("/") ? "/apis" : "/api"}/${apiVersion}`;
}
