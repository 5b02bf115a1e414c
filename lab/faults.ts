import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { readJson } from "./atomicFile.ts";
import { ArmError } from "./azure/armError.ts";

const operations = ["create", "update", "delete", "read"] as const;
export type Operation = (typeof operations)[number];

const rule = z.strictObject({
  type: z.string().optional(),
  name: z
    .string()
    .refine(
      isPattern,
      "begins and ends with / but is no regular expression in between; write one, or a name with *",
    )
    .optional(),
  operation: z.enum(operations).optional(),
  effect: z.enum(["fail", "slow", "conflict", "throttle"]),
  message: z.string().optional(),
  seconds: z.number().min(0).optional(),
  times: z.int().min(1).optional(),
});
type Rule = z.infer<typeof rule>;
const rules = z.array(rule);

/** A call that a fault may be meant for. */
export interface FaultTarget {
  readonly type: string;
  /** All names the resource goes by. */
  readonly names: readonly string[];
  readonly operation: Operation;
}

/**
 * Faults on demand: the rules in `DIR/faults.json`, read anew at each call. See lab/README.md for the format.
 * `times` is counted from the start of this process, or from the last change of that rule.
 */
export class FaultInjector {
  readonly #file: string;
  readonly #used = new Map<string, number>();

  constructor(dir: string) {
    this.#file = path.join(dir, "faults.json");
  }

  /** Does what the rules say for this call: nothing, a delay, or an error. */
  async before(target: FaultTarget): Promise<void> {
    for (const candidate of this.#rules()) {
      if (!matches(candidate, target) || !this.#take(candidate)) continue;
      await apply(candidate, target);
    }
  }

  #rules(): readonly Rule[] {
    const value = readJson(this.#file);
    if (value === undefined) return [];
    const parsed = rules.safeParse(value);
    if (parsed.success) return parsed.data;
    throw new Error(
      `${this.#file} is not a list of faults; lab/README.md has the format.\n${z.prettifyError(parsed.error)}`,
    );
  }

  #take(candidate: Rule): boolean {
    if (candidate.times === undefined) return true;
    const key = JSON.stringify(candidate);
    const used = this.#used.get(key) ?? 0;
    if (used >= candidate.times) return false;
    this.#used.set(key, used + 1);
    return true;
  }
}

function matches(candidate: Rule, target: FaultTarget): boolean {
  const short = target.type.split(":").at(-1);
  if (candidate.type !== undefined && candidate.type !== short && candidate.type !== target.type)
    return false;
  if (candidate.operation !== undefined && candidate.operation !== target.operation) return false;
  if (candidate.name === undefined) return true;
  const pattern = namePattern(candidate.name);
  return target.names.some((name) => pattern.test(name));
}

function isPattern(text: string): boolean {
  try {
    namePattern(text);
    return true;
  } catch {
    return false;
  }
}

/** `/…/` is a regular expression, anything else a glob with `*`. */
function namePattern(text: string): RegExp {
  const expression = /^\/(.*)\/$/.exec(text)?.[1];
  if (expression !== undefined) return new RegExp(expression);
  const escaped = text.split("*").map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${escaped.join(".*")}$`);
}

async function apply(candidate: Rule, target: FaultTarget): Promise<void> {
  const name = target.names.at(-1) ?? "";
  switch (candidate.effect) {
    case "slow":
      await sleep((candidate.seconds ?? 5) * 1000);
      return;
    case "fail":
      throw new ArmError(
        500,
        "InternalServerError",
        candidate.message ??
          `The server encountered an error while it processed '${name}' (fault set in faults.json).`,
      );
    case "conflict":
      throw new ArmError(
        409,
        "Conflict",
        candidate.message ?? `Another operation is in progress on '${name}'. Try again once it has finished.`,
      );
    case "throttle":
      throw new ArmError(
        429,
        "TooManyRequests",
        candidate.message ??
          `The number of requests exceeded the limit. Try again after ${candidate.seconds ?? 5} seconds.`,
        { retryAfter: candidate.seconds ?? 5 },
      );
  }
}
