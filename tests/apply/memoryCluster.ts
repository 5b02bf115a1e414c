import { isDeepStrictEqual } from "node:util";
import type { ApiObject, Declined, ObjectApi, ObjectRef } from "../../status/index.ts";

/** An API server in memory: server-side apply of one manager, versions, and what a test says beside that. */
export class MemoryCluster implements ObjectApi {
  readonly objects = new Map<string, ApiObject>();
  /** Calls that change something, in order. */
  readonly calls: string[] = [];
  /** Kinds that it does not know. */
  unknown: readonly string[] = [];
  /** Asked before each apply. */
  refuse: (object: ApiObject) => Declined | Error | undefined = () => undefined;
  /** What a controller adds to an object once it is applied. */
  status: (object: ApiObject) => object = () => ({});
  #version = 0;

  kind(_: string, kind: string): Promise<{ namespaced: boolean } | undefined> {
    return Promise.resolve(this.unknown.includes(kind) ? undefined : { namespaced: true });
  }

  read(ref: ObjectRef): Promise<ApiObject | undefined> {
    return Promise.resolve(this.objects.get(nameOf(ref)));
  }

  list(_: string, kind: string, namespace?: string): Promise<readonly ApiObject[]> {
    const all = [...this.objects.values()].filter((object) => object["kind"] === kind);
    return Promise.resolve(
      all.filter(
        ({ metadata }) => namespace === undefined || (metadata as ObjectRef).namespace === namespace,
      ),
    );
  }

  apply(object: ApiObject): Promise<ApiObject> {
    const refused = this.refuse(object);
    if (refused !== undefined) return Promise.reject(refused);
    const { kind, metadata, ...rest } = object as { kind: string; metadata: ObjectRef };
    const key = nameOf({ ...metadata, kind });
    const before = this.objects.get(key);
    const meant = { kind, ...rest, ...this.status(object) };
    const { metadata: { resourceVersion = "", ...old } = {}, ...was } = (before ?? {}) as {
      metadata?: { resourceVersion?: string };
    };
    const isSame = isDeepStrictEqual({ ...was, metadata: old }, { ...meant, metadata });
    if (!isSame) this.calls.push(`apply ${key}`);
    const version = isSame ? resourceVersion : String((this.#version += 1));
    const after = { ...meant, metadata: { ...metadata, resourceVersion: version } };
    this.objects.set(key, after);
    return Promise.resolve(after);
  }

  remove(ref: ObjectRef): Promise<boolean> {
    this.calls.push(`delete ${nameOf(ref)}`);
    return Promise.resolve(this.objects.delete(nameOf(ref)));
  }

  /** Puts an object there, as somebody else does. */
  put(object: ApiObject): void {
    const { kind, metadata } = object as { kind: string; metadata: ObjectRef };
    this.objects.set(nameOf({ ...metadata, kind }), object);
  }
}

function nameOf({ kind, namespace, name }: Pick<ObjectRef, "kind" | "namespace" | "name">): string {
  return [kind, ...(namespace === undefined ? [] : [namespace]), name].join("/");
}
