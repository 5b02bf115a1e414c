import type { PolicyResource, ResourceValidationPolicy, StackValidationPolicy } from "@pulumi/policy";

import type { About } from "../about.ts";
import { bootstrapTarget } from "../bootstrapTarget.ts";
import { checkEachKnown } from "../checkEachKnown.ts";
import { asMap, asText } from "../plainValue.ts";
import { inputsOf, rememberInputs } from "../registeredInputs.ts";
import { isFluxConfiguration, isGitFiles } from "../resourceTypes.ts";
import { branchFault, dependencyFault, folderFault, repositoryFault } from "../targetFaults.ts";

interface Config {
  readonly followedBranches?: readonly string[];
}

/** Otherwise everything is committed and nothing of it is ever applied, with no error anywhere. */
export const bootstrapFollowsCommittedFolder: ResourceValidationPolicy & StackValidationPolicy & About = {
  name: "bootstrap-follows-committed-folder",
  description:
    "A bootstrap follows the repository, branch and folder that the cluster's generated files are committed to.",
  why: "Otherwise everything is committed, nothing is applied, and nobody reports an error.",
  configSchema: {
    properties: {
      followedBranches: {
        type: "array",
        items: { type: "string" },
        description:
          "Branches that a cluster may follow in place of the one committed to. Without it, a cluster of a stage may follow any: its files get there by promotion.",
      },
    },
  },
  validateResource: rememberInputs,
  validateStack: (args, report) => {
    const { followedBranches } = args.getConfig<Config>();
    const configurations = args.resources.filter(({ type }) => isFluxConfiguration(type));
    const steps = configurations.flatMap((configuration) => {
      const about = `FluxConfiguration '${configuration.name}'`;
      return faultsOf(configuration, filesOf(configuration, args.resources), followedBranches).map(
        (faultOf) => ({
          about,
          check: () => {
            const fault = faultOf();
            if (fault !== undefined) report(`${about}: ${fault}`, configuration.urn);
          },
        }),
      );
    });
    checkEachKnown(steps);
  },
};

type Fault = () => string | undefined;

/**
 * The files that a configuration waits for. One that is being retired, and so is not protected, has its files and waits
 * no more: those of its cluster are meant.
 */
function filesOf(configuration: PolicyResource, all: readonly PolicyResource[]): PolicyResource[] {
  const waitedFor = configuration.dependencies.filter(({ type }) => isGitFiles(type));
  if (waitedFor.length > 0 || configuration.opts.protect) return waitedFor;
  const cluster = asText(inputsOf(configuration)["clusterName"]);
  return all.filter((one) => isGitFiles(one.type) && cluster !== undefined && clusterOf(one) === cluster);
}

function clusterOf(files: PolicyResource): string | undefined {
  return asText(asMap(inputsOf(files)["delivery"])?.["cluster"]);
}

function faultsOf(
  configuration: PolicyResource,
  [files, ...others]: readonly PolicyResource[],
  followedBranches: readonly string[] | undefined,
): Fault[] {
  if (files === undefined || others.length > 0) return [() => dependencyFault(files ? others.length + 1 : 0)];
  const target = bootstrapTarget(inputsOf(configuration));
  const committed = inputsOf(files);
  return [
    () => folderFault(target, committed),
    () => repositoryFault(target, committed),
    () => branchFault(target, committed, followedBranches),
  ];
}
