import { hostKinds } from "./delivery.ts";
import { isAbsolute } from "node:path";
import { apiUrlFault } from "../../values/repositoryUrl.ts";
import { checkBranch, checkIdentity } from "./rules.ts";

/*
 * Rules for a delivery from outside, in the same words as git/words/rules.ts: every reason against it, each to follow the
 * word `delivery`. The value may be anything.
 */

type Check = (value: unknown) => string[];

const oneOf =
  (...allowed: readonly string[]): Check =>
  (value) =>
    typeof value === "string" && allowed.includes(value)
      ? []
      : [`is ${shown(value)}: allowed are ${allowed.join(", ")}`];

const text: Check = (value) => {
  if (typeof value !== "string" || value.trim() === "") return [`is ${shown(value)}: give a text`];
  if (/[\u0000-\u001f\u007f]/.test(value)) return [`is ${shown(value)}: it must not hold control characters`];
  return value.isWellFormed() ? [] : ["is not valid Unicode"];
};

const file: Check = (value) => {
  const reasons = text(value);
  if (reasons.length > 0 || isAbsolute(value as string)) return reasons;
  return [`is ${shown(value)}: give an absolute path, since the folder the provider runs in is not yours`];
};

const identity: Check = (value) => {
  const { name, email } = (value ?? {}) as Record<string, unknown>;
  return typeof name === "string" && typeof email === "string"
    ? checkIdentity({ name, email })
    : ["needs a name and an email"];
};

const apiUrl: Check = (value) => {
  const reasons = text(value);
  if (reasons.length > 0) return reasons;
  const fault = apiUrlFault(value as string);
  return fault === undefined ? [] : [fault];
};

const branch: Check = (value) =>
  typeof value === "string" ? checkBranch(value) : [`is ${shown(value)}: give a name`];

/** Members by name, each with its rule or the members below it. */
interface Shape {
  readonly [name: string]: Check | Shape;
}

const shape: Shape = {
  createBranch: oneOf("fromDefault", "orphan"),
  mode: oneOf("push", "pullRequest"),
  pullRequest: { branch, host: oneOf(...hostKinds, "git"), apiUrl, title: text },
  committer: identity,
  signing: { format: oneOf("ssh", "openpgp"), keyFile: file },
  caFile: file,
  commitPer: oneOf("push", "cluster"),
  cluster: text,
  stage: text,
};

/** How files are to reach their branch; undefined is fine. */
export function checkDelivery(delivery: unknown): string[] {
  return delivery === undefined ? [] : checkShape(delivery, shape, "");
}

function checkShape(value: unknown, members: Shape, place: string): string[] {
  const at = (name: string): string => (place === "" ? name : `${place}.${name}`);
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return [
      `${place === "" ? "" : `has ${place}, which `}is ${shown(value)}: give ${Object.keys(members).join(", ")}`,
    ];
  }
  return Object.entries(value).flatMap(([name, inner]: [string, unknown]) => {
    if (inner === undefined) return [];
    const rule = Object.hasOwn(members, name) ? members[name] : undefined;
    if (rule === undefined) {
      return [
        `has ${JSON.stringify(at(name))}, which is not known: allowed are ${Object.keys(members).join(", ")}`,
      ];
    }
    return typeof rule === "function"
      ? rule(inner).map((reason) => `has ${at(name)}, which ${reason}`)
      : checkShape(inner, rule, at(name));
  });
}

function shown(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value.slice(0, 100));
  return value === null ? "null" : Array.isArray(value) ? "a list" : `a ${typeof value}`;
}
