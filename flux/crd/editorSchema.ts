import { fluxMinors } from "../../values/fluxVersions.ts";
import { descriptions } from "./descriptions.ts";
import { type CrdKind } from "./kinds.ts";
import type { SpecSchema } from "./schema.ts";
import { schemas } from "./schemas.ts";
import { fieldsSince } from "./since.ts";

const notForEditors = ["$comment", "x-kubernetes-validations"];

/**
 * The JSON Schema of a kind's spec for editors: the newest known minor, with descriptions that say which fields need a newer
 * Flux than the oldest, and without unknown fields. Kubernetes' rules between fields are left out.
 */
export function editorSchema(kind: CrdKind): Record<string, unknown> {
  const since = fieldsSince(kind);

  const described = (schema: SpecSchema, path: string): object => {
    const minor = since.get(path);
    const sentences = [descriptions[kind][path], minor && `Needs Flux ${minor}.`].filter(Boolean);
    return {
      ...(sentences.length > 0 && { description: sentences.join(" ") }),
      ...plain(schema, path),
    };
  };
  // What a list or a free-form map holds has the path of the list, but not its description.
  const plain = (schema: SpecSchema, path: string): Record<string, unknown> => {
    const copy: Record<string, unknown> = { ...schema };
    for (const keyword of notForEditors) delete copy[keyword];
    if (schema.properties) {
      const fields = Object.entries(schema.properties).map(([name, field]) => [
        name,
        described(field, path === "" ? name : `${path}.${name}`),
      ]);
      copy.properties = Object.fromEntries(fields) as object;
      copy.additionalProperties = false;
    }
    if (schema.items) copy.items = plain(schema.items, path);
    if (schema.additionalProperties) copy.additionalProperties = plain(schema.additionalProperties, path);
    return copy;
  };

  return plain(schemas[kind][fluxMinors.at(-1)!], "");
}
