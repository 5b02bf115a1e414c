import type {
  ReportViolation,
  ResourceValidationArgs,
  ResourceValidationPolicy,
  StackValidationPolicy,
} from "@pulumi/policy";

import { isUnknownValue } from "./checkEachKnown.ts";
import { asMap, asText, type PlainMap } from "./plainValue.ts";
import { isGitFiles } from "./resourceTypes.ts";

/** The setting of policies that look at kinds of resources which others make too. */
const scopeSetting = {
  enum: ["arcflux", "all"],
  default: "arcflux",
  description:
    "arcflux: what Arcflux makes, and what others make on its clusters. all: the same kinds, whoever makes them.",
} as const;

/**
 * Whether a component of Arcflux makes a resource, however deep that is nested in those of a program. The URN tells it by the
 * types of all parents, which no option of a resource changes.
 */
function isMadeByArcflux(urn: string): boolean {
  const types = urn.split("::")[2] ?? "";
  return types.split("$").some((type) => /^arcflux(-git)?:/.test(type));
}

/**
 * The same policy, but what others make is left alone, unless it is on a cluster of Arcflux. A cluster is known to be one by
 * what Arcflux registers for it; what others registered for it before that is judged then.
 */
export function withScope<T extends ResourceValidationPolicy & Partial<StackValidationPolicy>>(policy: T): T {
  const { validateResource: validate, remediateResource: remediate, validateStack } = policy;
  if (typeof validate !== "function") throw new Error(`${policy.name} checks no resource by one function.`);
  const clusters = new Set<string>();
  const judged = new Set<string>();
  const waiting = new Map<string, ResourceValidationArgs[]>();

  /** Those that this one decides about: itself, and what waited for it. */
  const decided = (args: ResourceValidationArgs): readonly ResourceValidationArgs[] => {
    if (isAll(args.getConfig<PlainMap>())) return [args];
    const cluster = clusterOf(args);
    if (cluster === undefined) return isMadeByArcflux(args.urn) ? [args] : [];
    if (!isMadeByArcflux(args.urn)) {
      if (clusters.has(cluster)) return [args];
      waiting.set(cluster, [...(waiting.get(cluster) ?? []), args]);
      return [];
    }
    clusters.add(cluster);
    const before = waiting.get(cluster) ?? [];
    waiting.delete(cluster);
    return [...before, args];
  };

  return {
    ...policy,
    configSchema: {
      ...policy.configSchema,
      properties: { ...policy.configSchema?.properties, scope: scopeSetting },
    },
    validateResource: async (args, report) => {
      let unknown: Error | undefined;
      for (const one of decided(args)) {
        judged.add(one.urn);
        try {
          await validate(one, reportOf(one, report));
        } catch (error) {
          if (!isUnknownValue(error)) throw error;
          unknown = error;
        }
      }
      if (unknown !== undefined) throw unknown;
    },
    ...(remediate && {
      remediateResource: (args) =>
        isMadeByArcflux(args.urn) || isAll(args.getConfig<PlainMap>()) ? remediate(args) : undefined,
    }),
    ...(validateStack && {
      validateStack: (args, report) => {
        const all = isAll(args.getConfig<PlainMap>());
        const resources = args.resources.filter(({ urn }) => all || isMadeByArcflux(urn) || judged.has(urn));
        return validateStack({ ...args, resources }, report);
      },
    }),
  };
}

function isAll({ scope }: PlainMap): boolean {
  return scope === "all";
}

/** Reports of a resource are its own, also while another is registered. */
function reportOf({ urn: own }: ResourceValidationArgs, report: ReportViolation): ReportViolation {
  return (message, urn = own) => report(message, urn);
}

/** The cluster that a resource is on or for, by its name in Azure or in the fleet file; undefined while that is unknown. */
function clusterOf({ type, props }: ResourceValidationArgs): string | undefined {
  try {
    return asText(isGitFiles(type) ? asMap(props["delivery"])?.["cluster"] : props["clusterName"]);
  } catch (error) {
    if (isUnknownValue(error)) return undefined;
    throw error;
  }
}
