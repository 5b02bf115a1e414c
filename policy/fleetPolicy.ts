import type { PolicyResource, ResourceValidationPolicy, StackValidationPolicy } from "@pulumi/policy";

import type { FleetFacts } from "../fleet/facts.ts";
import type { About } from "./about.ts";
import { checkEachKnown } from "./checkEachKnown.ts";
import { asMap, type PlainMap } from "./plainValue.ts";
import { rememberInputs } from "./registeredInputs.ts";
import { isFleet } from "./resourceTypes.ts";

/** What a check of the fleet finds; `cluster` is whom an exemption may be for. */
export interface FleetFault {
  readonly message: string;
  readonly cluster?: string | undefined;
}

/** How a policy of the stack reports; the cluster is for exemptions, and Pulumi passes it over. */
export type Tell = (message: string, urn?: string, cluster?: string) => void;

interface FleetPolicy extends About {
  readonly check: (facts: FleetFacts, settings: PlainMap) => readonly FleetFault[];
}

/** A policy on what the program says of the fleet as a whole; a stack without that, of another program, is left alone. */
export function fleetPolicy({ check, ...about }: FleetPolicy) {
  return {
    ...about,
    // Settings are looked at where resources are.
    validateResource: rememberInputs,
    validateStack: (args, report) => {
      const settings = args.getConfig<PlainMap>();
      const tell: Tell = report;
      checkEachKnown(
        args.resources
          .filter(({ type }) => isFleet(type))
          .map(({ urn, props }) => ({
            about: "the fleet",
            check: () => {
              const facts = asMap(props["facts"]) as unknown as FleetFacts | undefined;
              if (facts === undefined) return;
              for (const { message, cluster } of check(facts, settings)) tell(message, urn, cluster);
            },
          })),
      );
    },
  } as const satisfies ResourceValidationPolicy & StackValidationPolicy;
}

/** What the program says of each cluster, for policies that join it with resources; empty in a stack of another program. */
export function factsOfClusters(resources: readonly PolicyResource[]): FleetFacts["clusters"] {
  const all = resources
    .filter(({ type }) => isFleet(type))
    .map(({ props }) => asMap(asMap(props["facts"])?.["clusters"]) ?? {});
  return Object.assign({}, ...all) as FleetFacts["clusters"];
}
