import type { ResourceValidationPolicy, StackValidationPolicy } from "@pulumi/policy";

import { isUnknownValue } from "./checkEachKnown.ts";

/** What is not known in this operation and was told, with the resource that it is of; of a stack, its first. */
const told = new Set<string>();

/**
 * The same policy, but a value that is not known yet is told once, by the first policy that needs it: a dozen read each
 * committed file, and each would say the same of it.
 */
export function tellUnknownOnce<T extends ResourceValidationPolicy & Partial<StackValidationPolicy>>(
  policy: T,
): T {
  const { validateResource: validate, validateStack } = policy;
  return {
    ...policy,
    ...(typeof validate === "function" && {
      validateResource: (args, report) => once(args.urn, () => validate(args, report)),
    }),
    ...(validateStack && {
      validateStack: (args, report) => once(args.resources[0]?.urn ?? "", () => validateStack(args, report)),
    }),
  };
}

async function once(urn: string, judge: () => Promise<void> | void): Promise<void> {
  try {
    await judge();
  } catch (error) {
    if (!isUnknownValue(error)) throw error;
    const keys = (error.parts ?? [error.message]).map((part) => `${urn} ${part}`);
    if (keys.every((key) => told.has(key))) return;
    for (const key of keys) told.add(key);
    throw error;
  }
}
