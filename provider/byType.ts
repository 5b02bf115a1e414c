import type { Provider } from "@pulumi/pulumi/provider/provider.js";

type Resource = Required<Pick<Provider, "check" | "diff" | "create" | "read" | "update" | "delete">>;

/** The plugin of several resources: each request goes to the one whose type stands in its URN, loaded when it is asked for. */
export function byType(
  version: string,
  resources: Readonly<Record<string, () => Resource | Promise<Resource>>>,
): Provider {
  const loaded = new Map<string, Resource | Promise<Resource>>();
  const of = (urn: string): Resource | Promise<Resource> => {
    // urn:pulumi:STACK::PROJECT::PARENT$TYPE::NAME
    const type = urn.split("::")[2]?.split("$").at(-1) ?? "";
    const found = resources[type];
    if (found === undefined) throw new Error(`There is no resource of type ${type}.`);
    const resource = loaded.get(type) ?? found();
    loaded.set(type, resource);
    return resource;
  };
  return {
    version,
    check: async (urn, olds, news) => (await of(urn)).check(urn, olds, news),
    diff: async (id, urn, olds, news) => (await of(urn)).diff(id, urn, olds, news),
    create: async (urn, inputs) => (await of(urn)).create(urn, inputs),
    read: async (id, urn, props) => (await of(urn)).read(id, urn, props),
    update: async (id, urn, olds, news) => (await of(urn)).update(id, urn, olds, news),
    delete: async (id, urn, props) => (await of(urn)).delete(id, urn, props),
  };
}
