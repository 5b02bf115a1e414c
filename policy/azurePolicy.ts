import type { PolicyResourceOptions, ResourceValidationPolicy } from "@pulumi/policy";

import type { About } from "./about.ts";
import { checkEachKnown } from "./checkEachKnown.ts";
import type { PlainMap } from "./plainValue.ts";
import { remediation, type Remedy } from "./remediation.ts";

/** What a check of a resource is given. */
export interface ResourceContext {
  readonly props: PlainMap;
  readonly opts: PolicyResourceOptions;
  readonly settings: PlainMap;
}

/** Says what is wrong, as it follows the name of the resource in the message; undefined where nothing is. */
export type CheckResource = (context: ResourceContext) => string | undefined;

interface ResourcePolicy extends About {
  /** Whether a resource of a type is looked at. */
  readonly of: (type: string) => boolean;
  /** What it looks at, each by itself: one may be unknown in a preview. */
  readonly checks: readonly CheckResource[];
  /** What is written in the place of what is wrong, at the level `remediate`. */
  readonly remediate?: Remedy;
}

/** A policy on resources of some types: `Extension 'edge-0-flux': releaseTrain is …`. */
export function resourcePolicy({
  of,
  checks,
  remediate,
  ...about
}: ResourcePolicy): ResourceValidationPolicy & About {
  return {
    ...about,
    validateResource: (args, report) => {
      const { type, name, props, opts } = args;
      if (!of(type)) return;
      const context = { props, opts, settings: args.getConfig<PlainMap>() };
      const title = `${type.slice(type.lastIndexOf(":") + 1)} '${name}'`;
      checkEachKnown(
        checks.map((check) => ({
          about: title,
          check: () => {
            const fault = check(context);
            if (fault !== undefined) report(`${title}: ${fault}`);
          },
        })),
      );
    },
    ...(remediate && { remediateResource: remediation(of, remediate) }),
  };
}
