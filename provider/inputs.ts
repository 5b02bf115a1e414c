import {
  checkBranch,
  checkDelivery,
  checkDirectory,
  checkFiles,
  checkIdentity,
  checkMessage,
  checkOwner,
  checkSideBranch,
  checkUrl,
} from "../git/index.ts";
import type { Delivery, Identity, ObjectId } from "../git/index.ts";
import {
  containsSecret,
  containsUnknown,
  isSecret,
  isUnknown,
  outputWarning,
  unknownValue,
  unwrapOutput,
  unwrapOutputs,
} from "./markers.ts";

/** Inputs of one GitFiles resource, all known. */
export interface GitFilesInputs {
  readonly repository: string;
  readonly branch: string;
  readonly directory: string;
  readonly files: Readonly<Record<string, string>>;
  readonly message: string;
  readonly author: Identity;
  readonly adopt?: "same" | "overwrite";
  readonly drift?: "stop" | "restore";
  readonly onDelete?: "delete" | "keep";
  readonly delivery?: Delivery;
  readonly followed?: string;
  readonly formerly?: string;
  readonly takeFrom?: string;
  readonly released?: readonly string[];
  readonly deletions?: Readonly<Record<string, ObjectId>>;
}

const requiredNames = ["repository", "branch", "directory", "files", "message", "author"] as const;

/** Inputs that choose, with what they may be; the first is what an absent one means. */
const choices = {
  adopt: ["same", "overwrite"],
  drift: ["stop", "restore"],
  onDelete: ["delete", "keep"],
} as const;

/** Inputs that are text, with what is against one. */
const texts: Readonly<Record<"followed" | "formerly" | "takeFrom", (text: string) => string[]>> = {
  followed: checkDirectory,
  formerly: (text) => checkOwner(`project/stack/${text}`),
  takeFrom: (text) =>
    /^[^/]+\/[^/]+$/.test(text) ? [] : [`is ${JSON.stringify(text)}; write PROJECT/STACK.`],
};

const inputNames = [
  ...requiredNames,
  ...(Object.keys(choices) as (keyof typeof choices)[]),
  ...(Object.keys(texts) as (keyof typeof texts)[]),
  ...(["delivery", "released", "deletions", "facts"] as const),
];

/**
 * Every fault of the inputs as the engine sent them, markers included, each starting with the place it is about.
 * Where a value is not known yet, the checks that need it are left for the update. `token`: whether a token will be
 * sent to the repository.
 */
export function findFaults(
  inputs: Readonly<Record<string, unknown>>,
  { token }: { readonly token: boolean },
): string[] {
  const faults: string[] = [];
  for (const name of Object.keys(inputs)) {
    if (!inputNames.some((known) => known === name)) {
      faults.push(`${name}: GitFiles has no such input; allowed are ${inputNames.join(", ")}.`);
    }
  }
  faults.push(
    ...checkText(inputs["repository"], "repository", (url) => checkUrl(url, { token })),
    ...checkText(inputs["branch"], "branch", checkBranch),
    ...checkText(inputs["directory"], "directory", checkDirectory),
    ...checkText(inputs["message"], "message", checkMessage),
    ...checkAuthor(inputs["author"]),
    ...checkFileMap(inputs["files"]),
    ...Object.entries(choices).flatMap(([name, allowed]) => checkChoice(inputs[name], name, allowed)),
    ...Object.entries(texts).flatMap(([name, check]) =>
      inputs[name] === undefined || inputs[name] === null ? [] : checkText(inputs[name], name, check),
    ),
    ...checkPaths(inputs["released"], "released", (folder) => checkText(folder, "released", checkDirectory)),
    ...checkPaths(inputs["deletions"], "deletions", (blob) => checkText(blob, "deletions", checkBlob)),
    ...checkDeliveryInput(inputs["delivery"]),
    ...checkBranches(inputs),
  );
  return faults;
}

/** The inputs as plain values. Throws when something is not known or not allowed: in an update all must be. */
export function knownInputs(inputs: Readonly<Record<string, unknown>>): GitFilesInputs {
  // The URL is judged again by the write itself, together with the credentials of that moment.
  const faults = findFaults(inputs, { token: false });
  for (const name of inputNames) {
    if (containsUnknown(inputs[name])) faults.push(`${name}: is still unknown at the time of the update.`);
  }
  if (faults.length > 0) throw new Error(faults.join("\n"));
  const given = inputNames.filter((name) => inputs[name] !== undefined && inputs[name] !== null);
  const known = Object.fromEntries(given.map((name) => [name, unwrapOutputs(inputs[name])]));
  const { released } = known;
  return {
    ...known,
    ...(released !== undefined && { released: Object.values(Object(released) as object) as string[] }),
  } as unknown as GitFilesInputs;
}

/** The branch is never pushed to by pull request, so it cannot be the side branch too. */
function checkBranches({ branch, delivery }: Readonly<Record<string, unknown>>): string[] {
  const { mode, pullRequest } = Object(unwrapOutputs(delivery)) as Delivery;
  if (mode !== "pullRequest" || typeof branch !== "string") return [];
  const reasons = checkSideBranch(pullRequest?.branch ?? "", branch);
  return reasons.map((reason) => `delivery.pullRequest.branch ${reason}.`);
}

/** Where a part is unknown, the rest waits for the update too. */
function checkDeliveryInput(value: unknown): string[] {
  if (value === undefined || value === null || containsUnknown(value)) return [];
  if (containsSecret(value)) return [secretFault("delivery")];
  const bare = unwrapOutputs(value);
  const leftover = checkLeftovers(JSON.stringify(bare), "delivery");
  return leftover.length > 0 ? leftover : checkDelivery(bare).map((reason) => `delivery: ${reason}`);
}

function checkText(value: unknown, place: string, check: (text: string) => string[]): string[] {
  if (containsSecret(value)) return [secretFault(place)];
  const bare = unwrapOutput(value);
  if (isUnknown(bare)) return [];
  if (typeof bare !== "string") return [`${place}: is ${kindOf(bare)}; a string is needed.`];
  const leftover = checkLeftovers(bare, place);
  return leftover.length > 0 ? leftover : check(bare).map((reason) => `${place}: ${reason}`);
}

function checkChoice(value: unknown, name: string, allowed: readonly string[]): string[] {
  if (value === undefined || value === null) return [];
  return checkText(value, name, (text) =>
    allowed.includes(text)
      ? []
      : [`is ${JSON.stringify(text)}; allowed are ${allowed.map((one) => `'${one}'`).join(" and ")}.`],
  );
}

/** The members of a list or map, each by itself. */
function checkPaths(value: unknown, name: string, check: (member: unknown) => string[]): string[] {
  if (value === undefined || value === null) return [];
  if (containsSecret(value)) return [secretFault(name)];
  const bare = unwrapOutput(value);
  if (isUnknown(bare)) return [];
  if (typeof bare !== "object" || bare === null)
    return [`${name}: is ${kindOf(bare)}; a list or map is needed.`];
  return Object.values(bare).flatMap(check);
}

function checkBlob(text: string): string[] {
  return /^([0-9a-f]{40}|[0-9a-f]{64})$/.test(text) ? [] : ["holds what is not the id of a Git object."];
}

function checkAuthor(value: unknown): string[] {
  const bare = unwrapOutput(value);
  if (isUnknown(bare)) return [];
  if (containsSecret(bare)) return [secretFault("author")];
  if (typeof bare !== "object" || bare === null)
    return [`author: is ${kindOf(bare)}; name and email are needed.`];
  const { name, email } = bare as Record<string, unknown>;
  const faults = [...checkText(name, "author.name", () => []), ...checkText(email, "author.email", () => [])];
  if (faults.length > 0 || containsUnknown(bare)) return faults;
  const identity = { name: unwrapOutput(name) as string, email: unwrapOutput(email) as string };
  return checkIdentity(identity).map((reason) => `author: ${reason}`);
}

function checkFileMap(value: unknown): string[] {
  // The whole map may be one secret: then no path is shown either.
  if (isSecret(value)) return [secretFault("files")];
  const bare = unwrapOutput(value);
  if (isUnknown(bare)) return [];
  if (typeof bare !== "object" || bare === null || Array.isArray(bare)) {
    return [`files: is ${kindOf(bare)}; a map of path to content is needed.`];
  }
  const contents = Object.entries(bare).flatMap(([path, content]) =>
    checkText(content, `files[${JSON.stringify(path)}]`, (text) =>
      text.includes("\0") ? ["holds a NUL character; only text is committed."] : [],
    ),
  );
  // What is not known yet counts as an empty file here: its path is known all the same.
  const known = Object.entries(bare).map(([path, content]) => {
    const text = unwrapOutput(content);
    return [path, typeof text === "string" ? text : ""] as const;
  });
  return [...checkFiles(Object.fromEntries(known)).map((reason) => `files ${reason}`), ...contents];
}

/** Traces of an Output that was used as text: they must never reach a repository. */
function checkLeftovers(text: string, place: string): string[] {
  if (text.includes(outputWarning)) {
    return [
      `${place}: holds the text of an Output that was put into a string. Use pulumi.interpolate or apply.`,
    ];
  }
  return text.includes(unknownValue)
    ? [
        `${place}: holds the placeholder of an unknown value inside other text. Use pulumi.interpolate or apply.`,
      ]
    : [];
}

function secretFault(place: string): string {
  return (
    `${place}: is a secret, and what is committed to Git is not. ` +
    `Leave it out; for a variable use postBuild.substituteFrom with a Secret on the cluster.`
  );
}

function kindOf(value: unknown): string {
  if (value === undefined) return "missing";
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
