import type { z } from "zod";
import type { Finding, Path } from "./finding.ts";
import { nearest } from "./nearest.ts";
import { fleetFileSchema, type FleetFile } from "./schema.ts";
import { show } from "./show.ts";
import type { Source } from "./source.ts";

/** What single values of a file amount to. */
export interface Shape {
  /** The file with its defaults; without its faulty values where there are any; undefined when too little is left. */
  readonly file: FleetFile | undefined;
  readonly findings: readonly Finding[];
}

/** Stands in for what is required and missing, so that the rest of the file can be checked in the same go. */
const substitutes = { apiVersion: "arcflux/v1", repository: {}, clusters: {} };
const substituteUrls = { other: "https://git.invalid/missing", ssh: "ssh://git@git.invalid/missing" };

/** Checks every value by itself. All findings come at once, and what is sound goes on to the checks between values. */
export function checkShape(data: unknown, source: Source): Shape {
  const result = fleetFileSchema.safeParse(data);
  if (result.success) return { file: result.data, findings: [] };
  const findings = result.error.issues.flatMap((issue) => describe(issue, data, source));
  if (typeof data !== "object" || data === null || Array.isArray(data)) return { file: undefined, findings };
  return { file: fleetFileSchema.safeParse(withoutFaults(data, result.error.issues)).data, findings };
}

type Issue = z.core.$ZodIssue;

function describe(issue: Issue, data: unknown, source: Source): Finding[] {
  const path = issue.path as Path;
  if (issue.code === "unrecognized_keys") {
    const known = knownKeys(path);
    return issue.keys.map((key) => {
      const near = nearest(key, known);
      const hint = near === undefined ? "" : ` the nearest known key is ${near};`;
      return source.finding(
        "error",
        [...path, key],
        `unknown key;${hint} allowed here: ${known.join(", ")}`,
        "key",
      );
    });
  }
  const value = valueAt(data, path);
  if (value === undefined) {
    return [source.finding("error", path, `is missing; it is required: ${expectation(issue)}`)];
  }
  const received = mayHoldSecret(path) ? "this value" : show(value);
  const message =
    issue.code === "invalid_type" && !issue.message.includes(";")
      ? `${received} is not allowed; write ${expectation(issue)}`
      : issue.code === "invalid_value"
        ? `${received} is not allowed; write ${expectation(issue)}`
        : issue.message;
  return [source.finding("error", path, message)];
}

/** Places where a token or a whole kubeconfig is put by mistake; messages do not repeat what stands there. */
function mayHoldSecret(path: Path): boolean {
  return path[0] === "repository" || path[2] === "kubeconfig";
}

const words: Readonly<Record<string, string>> = {
  string: "text, in quotes where it could be read as something else",
  boolean: "true or false",
  object: "a map",
  record: "a map",
  array: "a list",
};

function expectation(issue: Issue): string {
  if (issue.path.join(".") === "repository.url")
    return "the URL that clusters fetch, such as https://git.example.com/edge/fleet.git";
  if (issue.code === "invalid_value") return issue.values.map(String).join(" or ");
  if (issue.code === "invalid_type") return words[issue.expected] ?? issue.expected;
  return "a value";
}

/** Keys that the schema knows at a path, sorted as in the schema. */
function knownKeys(path: Path): string[] {
  let schema: unknown = fleetFileSchema;
  for (const part of [...path, undefined]) {
    schema = unwrapped(schema);
    const { def } = schema as {
      def: { shape?: Record<string, unknown>; valueType?: unknown; element?: unknown };
    };
    if (part === undefined) return Object.keys(def.shape ?? {});
    schema = def.shape?.[part] ?? def.valueType ?? def.element;
  }
  return [];
}

/** The schema inside optional, nullable and default. */
function unwrapped(schema: unknown): unknown {
  let inner = schema as { def?: { innerType?: unknown } };
  while (inner.def?.innerType !== undefined) inner = inner.def.innerType as typeof inner;
  return inner;
}

function valueAt(data: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (value, part) =>
      typeof value === "object" && value !== null && Object.hasOwn(value, part)
        ? (value as Record<string | number, unknown>)[part]
        : undefined,
    data,
  );
}

function withoutFaults(data: object, issues: readonly Issue[]): unknown {
  const rest = structuredClone(data) as Record<string, unknown>;
  const faulty = issues.flatMap((issue) => {
    const path = issue.path as Path;
    return issue.code === "unrecognized_keys" ? issue.keys.map((key) => [...path, key]) : [path];
  });
  for (const path of faulty) {
    const parent = valueAt(rest, path.slice(0, -1));
    const last = path.at(-1)!;
    // A faulty set or cluster still exists: others may depend on it.
    const isEntry = /^(sets|clusters)\.[^.]+$|^clusters\.[^.]+\.sets\.[^.]+$/.test(
      path.map(withoutDots).join("."),
    );
    // Kept as an empty text, so that the items after it keep their indexes and with them their positions.
    if (Array.isArray(parent)) parent[Number(last)] = "";
    else if (typeof parent === "object" && parent !== null) {
      if (isEntry) (parent as Record<string, unknown>)[last] = {};
      else delete (parent as Record<string, unknown>)[last];
    }
  }
  const whole: Record<string, unknown> = { ...substitutes, ...rest };
  const repository = whole.repository as { access?: unknown };
  whole.repository = { url: substituteUrls[repository.access === "ssh" ? "ssh" : "other"], ...repository };
  return whole;
}

function withoutDots(part: string | number): string {
  return String(part).replaceAll(".", "_");
}
