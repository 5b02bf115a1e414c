import type { z } from "zod";
import type { Documents } from "./documents.ts";
import type { Finding, Path } from "./finding.ts";
import { knownKeys } from "./knownKeys.ts";
import { nearest } from "../values/nearest.ts";
import { fleetFileSchema, type FleetFile } from "./schema.ts";
import { mayBeSecret } from "../values/secretShapes.ts";
import { show, showNames } from "../values/show.ts";
import { valueAt, withoutFaults } from "./withoutFaults.ts";

/** What single values of a file amount to. */
export interface Shape {
  /** The file with its defaults; without its faulty values where there are any; undefined when too little is left. */
  readonly file: FleetFile | undefined;
  readonly findings: readonly Finding[];
}

type Readable = Pick<Documents, "complete" | "finding" | "written">;

/** Checks every value by itself. All findings come at once, and what is sound goes on to the checks between values. */
export function checkShape(data: unknown, documents: Readable): Shape {
  const result = fleetFileSchema.safeParse(data);
  if (result.success) return { file: result.data, findings: [] };
  // What a file that could not be read lacks may stand in it.
  const issues = flattened(result.error.issues).filter(
    ({ path }) => documents.complete || path.length !== 1 || valueAt(data, path as Path) !== undefined,
  );
  const findings = issues.flatMap((issue) => describe(issue, data, documents));
  if (typeof data !== "object" || data === null || Array.isArray(data)) return { file: undefined, findings };
  let rest = withoutFaults(data, issues.map(faultyPaths).flat());
  // What lacks something it requires is left out itself, which may leave the next thing above it lacking.
  for (let round = 0; round < 6; round++) {
    const again = fleetFileSchema.safeParse(rest);
    if (again.success) return { file: again.data, findings };
    const lacking = again.error.issues.map((issue) => issue.path as Path);
    rest = withoutFaults(
      rest as object,
      lacking.map((path) => (valueAt(rest, path) === undefined ? path.slice(0, -1) : path)),
    );
  }
  return { file: undefined, findings };
}

type Issue = z.core.$ZodIssue;

/** Issues with those of the option of a union that was probably meant in the place of the union's own. */
function flattened(issues: readonly Issue[]): Issue[] {
  return issues.flatMap((issue) => {
    if (issue.code !== "invalid_union") return issue;
    const meant = issue.errors.find((option) => option.some(({ path }) => path.length > 0));
    const keys = issue.errors.find((option) => option.some(({ code }) => code === "unrecognized_keys"));
    const option = meant ?? keys;
    if (option === undefined) return issue;
    return flattened(option.map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] })));
  });
}

function faultyPaths(issue: Issue): Path[] {
  const path = issue.path as Path;
  return issue.code === "unrecognized_keys" ? issue.keys.map((key) => [...path, key]) : [path];
}

function describe(issue: Issue, data: unknown, documents: Readable): Finding[] {
  const path = issue.path as Path;
  if (issue.code === "unrecognized_keys") {
    const known = knownKeys(path, data);
    return issue.keys.map((key) => {
      const near = nearest(key, known);
      const hint = near === undefined ? "" : ` the nearest known key is ${near};`;
      return documents.finding(
        "error",
        [...path, key],
        `unknown key;${hint} allowed here: ${showNames(known, 12)}`,
        "key",
      );
    });
  }
  const value = valueAt(data, path);
  if (value === undefined) {
    return [documents.finding("error", path, `is missing; it is required: ${expectation(issue)}`)];
  }
  const plain = plainMistake(path, value, issue);
  if (plain !== undefined) return [documents.finding("error", path, plain, "key")];
  const received = mayHoldSecret(path) ? "this value" : show(value);
  const generic =
    issue.code === "invalid_type" || issue.code === "invalid_union" || issue.code === "invalid_value";
  const size = sizeFault(issue, received);
  const message =
    generic && !issue.message.includes(";")
      ? `${received} is not allowed; write ${expectation(issue)}`
      : (size ?? issue.message);
  return [documents.finding("error", path, asWritten(message, value, documents.written(path)))];
}

/** What YAML makes of a slip of the hand; undefined for anything else. */
function plainMistake(path: Path, value: unknown, issue: Issue): string | undefined {
  const key = String(path.at(-1));
  // Inside of braces, `{tier:prod}` is a key without a value.
  const [, name, rest] = /^([^:]+):([^:]+)$/.exec(key) ?? [];
  if (value === null && name !== undefined && rest !== undefined && !mayBeSecret(key))
    return `a blank is missing after the colon; write ${name}: ${rest}`;
  if (issue.code !== "invalid_type" || (issue.expected !== "object" && issue.expected !== "record"))
    return undefined;
  if (value === null && path.length === 2 && path[0] === "clusters")
    return "is empty; write {}, or its stage, labels and sets";
  if (typeof value === "string" && key.endsWith("Ref")) {
    // Only what is no token is shown.
    const shown = /^[a-z][a-z-]{0,39}$/.test(value) ? value : "…";
    return `is the name alone; write { name: ${shown} }`;
  }
  return undefined;
}

/** A message that begins with a number or boolean, which it shows as the file does: 0042, not 42. */
function asWritten(message: string, value: unknown, written: string | undefined): string {
  const shown = show(value);
  const isOther = (typeof value === "number" || typeof value === "boolean") && written !== undefined;
  return isOther && written.length <= 60 && message.startsWith(`${shown} `)
    ? written + message.slice(shown.length)
    : message;
}

function sizeFault(issue: Issue, received: string): string | undefined {
  if (issue.code === "too_small" && !issue.message.includes(";"))
    return `${received} is too short; write at least ${String(issue.minimum)} ${issue.origin === "array" ? "entry" : "character"}`;
  if (issue.code === "too_big")
    return `${received} is too long; write at most ${String(issue.maximum)} characters`;
  return undefined;
}

/** Places where a token or a whole kubeconfig is put by mistake; messages do not repeat what stands there. */
function mayHoldSecret(path: Path): boolean {
  return (
    path[0] === "repository" ||
    (path[0] === "sources" && path.length <= 3 && path[2] !== "kind") ||
    path.includes("kubeconfig") ||
    path.includes("variables") ||
    path.includes("substitute") ||
    path.includes("provider") ||
    (path[0] === "secrets" && path.includes("keys")) ||
    path.includes("recipient") ||
    path[0] === "recipients"
  );
}

const words: Readonly<Record<string, string>> = {
  string: "text, in quotes where it could be read as something else",
  boolean: "true or false",
  object: "a map",
  record: "a map",
  array: "a list",
};

/** What unions take, by the key they stand at. */
const unions: Readonly<Record<string, string>> = {
  suspend: "a reason, such as {reason: INC-4711, until: 2026-12-24}, or false",
  dependsOn: "the name of a set, or a map with name, namespace, readyExpr and external",
  kind: "GitRepository, OCIRepository or Bucket",
};

function expectation(issue: Issue): string {
  const path = issue.path.map(String);
  if (path.join(".") === "repository.url")
    return "the URL that clusters fetch, such as https://git.example.com/edge/fleet.git";
  if (issue.code === "invalid_value") return issue.values.map(String).join(" or ");
  if (issue.code === "invalid_type") return words[issue.expected] ?? issue.expected;
  if (issue.code === "invalid_union") return unions[path.findLast((part) => unions[part]) ?? ""] ?? "a value";
  return "a value";
}
