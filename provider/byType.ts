import type { Provider } from "@pulumi/pulumi/provider/provider.js";

type Resource = Required<Pick<Provider, "check" | "diff" | "create" | "read" | "update" | "delete">>;

/** The plugin of several resources: each request goes to the one whose type stands in its URN. */
export function byType(version: string, resources: Readonly<Record<string, Resource>>): Provider {
  const of = (urn: string): Resource => {
    // urn:pulumi:STACK::PROJECT::PARENT$TYPE::NAME
    const type = urn.split("::")[2]?.split("$").at(-1) ?? "";
    const found = resources[type];
    if (found === undefined) throw new Error(`There is no resource of type ${type}.`);
    return found;
  };
  return {
    version,
    check: (urn, olds, news) => of(urn).check(urn, olds, news),
    diff: (id, urn, olds, news) => of(urn).diff(id, urn, olds, news),
    create: (urn, inputs) => of(urn).create(urn, inputs),
    read: (id, urn, props) => of(urn).read(id, urn, props),
    update: (id, urn, olds, news) => of(urn).update(id, urn, olds, news),
    delete: (id, urn, props) => of(urn).delete(id, urn, props),
  };
}
