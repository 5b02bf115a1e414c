import type { Path } from "./finding.ts";
import { fleetFileSchema } from "./schema.ts";
import { valueAt } from "./withoutFaults.ts";

interface Schema {
  readonly def: {
    readonly innerType?: Schema;
    readonly options?: readonly Schema[];
    readonly shape?: Readonly<Record<string, Schema>>;
    readonly valueType?: Schema;
    readonly element?: Schema;
    readonly discriminator?: string;
    readonly values?: readonly unknown[];
  };
}

/** Keys that the schema knows at a path, in the order of the schema. */
export function knownKeys(path: Path, data: unknown): string[] {
  let schema: Schema | undefined = fleetFileSchema as unknown as Schema;
  for (const [depth, part] of [...path, undefined].entries()) {
    schema = unwrapped(schema, valueAt(data, path.slice(0, depth)));
    if (part === undefined) return Object.keys(schema?.def.shape ?? {});
    schema = schema?.def.shape?.[part] ?? schema?.def.valueType ?? schema?.def.element;
  }
  return [];
}

/** The schema inside optional, nullable and default, and the option of a union that a value is of. */
function unwrapped(schema: Schema | undefined, value: unknown): Schema | undefined {
  let inner = schema;
  while (inner?.def.innerType !== undefined) inner = inner.def.innerType;
  const { options, discriminator } = inner?.def ?? {};
  if (options === undefined) return inner;
  const maps = options.filter(({ def }) => def.shape !== undefined);
  const kind = discriminator && valueAt(value, [discriminator]);
  return maps.find(({ def }) => kind && def.shape?.[discriminator]?.def.values?.includes(kind)) ?? maps[0];
}
