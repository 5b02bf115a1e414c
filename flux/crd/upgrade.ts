import { fluxMinors, type FluxMinor } from "../../values/fluxVersions.ts";
import { isMap } from "../../values/maps.ts";
import type { CrdKind } from "./kinds.ts";
import type { SpecSchema } from "./schema.ts";
import { schemas } from "./schemas.ts";
import { fieldsSince } from "./since.ts";
import { validateSpec } from "./validate.ts";

/** What a minor version of Flux changes for a spec. */
export interface FieldChange {
  /** The version that brings it. */
  readonly minor: FluxMinor;
  /** From the spec down, as in `healthCheckExprs[0].kind`. */
  readonly path: string;
  /** What happens, to follow the path and a colon. */
  readonly what: string;
  /** Whether the API server would refuse the spec. */
  readonly isRefused: boolean;
}

/** Changes that no schema shows, each measured on the controllers. */
const behaviours: readonly { minor: FluxMinor; kind: CrdKind; field: string; what: string }[] = [
  {
    ...{ minor: "2.9", kind: "Kustomization", field: "postBuild" },
    what: "a ${NAME} that nothing defines stops the set, and became nothing before; `arcflux validate --repo` names them",
  },
];

/** Versions after one up to another, oldest first. */
export function minorsBetween(from: FluxMinor, to: FluxMinor): readonly FluxMinor[] {
  return fluxMinors.slice(fluxMinors.indexOf(from) + 1, fluxMinors.indexOf(to) + 1);
}

/** What the versions after `from`, up to `to`, change for a spec: refusals, other defaults of what it leaves out, behaviour. */
export function changesOf(kind: CrdKind, spec: unknown, from: FluxMinor, to: FluxMinor): FieldChange[] {
  const known = new Set(validateSpec(kind, from, spec).map(({ path }) => shown(path)));
  let before = from;
  return minorsBetween(from, to).flatMap((minor) => {
    const faults = validateSpec(kind, minor, spec)
      .map(({ path, message }) => ({ path: shown(path), message }))
      .filter(({ path }) => !known.has(path));
    for (const { path } of faults) known.add(path);
    const changes = [
      ...faults.map(({ path, message }) => ({ minor, path, what: message, isRefused: true })),
      ...defaults(schemas[kind][before], schemas[kind][minor], spec).map((change) => ({ minor, ...change })),
      ...behaviours
        .filter(
          (one) => one.minor === minor && one.kind === kind && isMap(spec) && spec[one.field] !== undefined,
        )
        .map(({ field, what }) => ({ minor, path: field, what, isRefused: false })),
    ];
    before = minor;
    return changes;
  });
}

/** Fields of a kind that came with a version, as `postBuild.substituteStrategy`. */
export function newFields(kind: CrdKind, minor: FluxMinor): string[] {
  return [...fieldsSince(kind)].filter(([, since]) => since === minor).map(([path]) => path);
}

/** Fields that a spec leaves out and that the API server fills in otherwise than before. */
function defaults(
  old: SpecSchema,
  next: SpecSchema,
  value: unknown,
  path: readonly (string | number)[] = [],
): Omit<FieldChange, "minor">[] {
  if (Array.isArray(value) && old.items && next.items)
    return value.flatMap((item, index) => defaults(old.items!, next.items!, item, [...path, index]));
  if (!isMap(value)) return [];
  return Object.entries(old.properties ?? {}).flatMap(([name, before]) => {
    const after = next.properties?.[name];
    const here = [...path, name];
    if (after === undefined) return [];
    if (value[name] !== undefined) return defaults(before, after, value[name], here);
    if (before.default === after.default) return [];
    const was = before.default === undefined ? "had none" : `was ${JSON.stringify(before.default)}`;
    const is = after.default === undefined ? "there is none" : `is ${JSON.stringify(after.default)}`;
    return [
      {
        path: shown(here),
        what: `the default ${was}, and ${is} now; write the value that you mean`,
        isRefused: false,
      },
    ];
  });
}

function shown(path: readonly (string | number)[]): string {
  return path
    .map((step) => (typeof step === "number" ? `[${step}]` : `.${step}`))
    .join("")
    .replace(/^\./, "");
}
