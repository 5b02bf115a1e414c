import type { PolicyResource, ResourceValidationPolicy, StackValidationPolicy } from "@pulumi/policy";

import type { FleetFacts } from "../fleet/facts.ts";
import type { About } from "./about.ts";
import { checkEachKnown } from "./checkEachKnown.ts";
import { everyCluster } from "./exemptions.ts";
import { asMap, type PlainMap } from "./plainValue.ts";
import { gitFilesType, isFleet, isGitFiles } from "./resourceTypes.ts";

/** What a check of the fleet finds; `cluster` is whom an exemption may be for, all of them where it says none. */
export interface FleetFault {
  readonly message: string;
  readonly cluster?: string | undefined;
}

/** How a policy reports; the cluster is for exemptions, and Pulumi passes it over. */
export type Tell = (message: string, urn?: string, cluster?: string) => void;

/** What is known of a fleet, or of it what concerns one cluster that an update is about to write. */
export type JudgedFacts = Pick<FleetFacts, "stages" | "update"> & Partial<FleetFacts>;

interface FleetPolicy extends About {
  readonly check: (facts: JudgedFacts, settings: PlainMap) => readonly FleetFault[];
}

/**
 * A policy on what the program says of the fleet as a whole; a stack without that, of another program, is left alone. A
 * preview says it once, when all is seen and nothing done. An update would be judged when it is over, so it says it again
 * with each cluster that it reaches, whose files are then not written.
 */
export function fleetPolicy({ check, ...about }: FleetPolicy) {
  const judge = (props: PlainMap, settings: PlainMap, tell: Tell, urn?: string): void =>
    checkEachKnown([
      {
        about: "the fleet",
        check: () => {
          const facts = asMap(props["facts"]) as unknown as JudgedFacts | undefined;
          if (facts === undefined) return;
          for (const { message, cluster = everyCluster } of check(facts, settings))
            tell(message, urn, cluster);
        },
      },
    ]);
  return {
    ...about,
    onlyOf: gitFilesType,
    validateResource: (args, report) => {
      if (isGitFiles(args.type)) judge(args.props, args.getConfig<PlainMap>(), report, args.urn);
    },
    validateStack: (args, report) => {
      for (const { urn, props } of args.resources.filter(({ type }) => isFleet(type)))
        judge(props, args.getConfig<PlainMap>(), report, urn);
    },
  } as const satisfies ResourceValidationPolicy & StackValidationPolicy & About;
}

/** What the program says of each cluster, for policies that join it with resources; empty in a stack of another program. */
export function factsOfClusters(resources: readonly PolicyResource[]): FleetFacts["clusters"] {
  const all = resources
    .filter(({ type }) => isFleet(type))
    .map(({ props }) => asMap(asMap(props["facts"])?.["clusters"]) ?? {});
  return Object.assign({}, ...all) as FleetFacts["clusters"];
}
