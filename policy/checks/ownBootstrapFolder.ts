import type { ResourceValidationPolicy, StackValidationPolicy } from "@pulumi/policy";

import type { About } from "../about.ts";
import { bootstrapTarget } from "../bootstrapTarget.ts";
import { checkEachKnown } from "../checkEachKnown.ts";
import { inputsOf, rememberInputs } from "../registeredInputs.ts";
import { repositoryPath, writtenPath } from "../repositoryPath.ts";
import { repositoryIdentity } from "../repositoryUrl.ts";
import { isFluxConfiguration } from "../resourceTypes.ts";

/** Two clusters on one folder get each other's sets, windows and suspensions. */
export const ownBootstrapFolder: ResourceValidationPolicy & StackValidationPolicy & About = {
  name: "own-bootstrap-folder",
  description: "No two Flux configurations bootstrap from the same folder of the same branch.",
  why: "Two clusters would get each other's sets.",
  validateResource: rememberInputs,
  validateStack: ({ resources }, report) => {
    const owners = new Map<string, string>();
    const configurations = resources.filter(({ type }) => isFluxConfiguration(type));
    checkEachKnown(
      configurations.map((configuration) => ({
        about: `FluxConfiguration '${configuration.name}'`,
        check: () => {
          const target = bootstrapTarget(inputsOf(configuration));
          const [url, branch, path] = [target.url(), target.branch(), target.path()];
          // What is missing is reported by bootstrap-follows-committed-folder.
          if (url === undefined || branch === undefined || path === undefined) return;
          const folder = repositoryPath(path);
          const place = JSON.stringify([repositoryIdentity(url), branch, folder]);
          const owner = owners.get(place);
          if (owner === undefined) {
            owners.set(place, configuration.name);
            return;
          }
          report(
            `FluxConfiguration '${configuration.name}' and FluxConfiguration '${owner}' both bootstrap from ` +
              `'${writtenPath(folder)}' on branch '${branch}'. Give each cluster a folder of its own.`,
            configuration.urn,
          );
        },
      })),
    );
  },
};
