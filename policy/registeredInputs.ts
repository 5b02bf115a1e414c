import type { PolicyResource, ResourceValidation } from "@pulumi/policy";

import { isExtension, isFluxConfiguration, isGitFiles } from "./resourceTypes.ts";
import type { PlainMap } from "./plainValue.ts";

/**
 * A check of the stack is given outputs, but what the program asks for stands in the inputs: the content of committed
 * files is no output at all, and Azure answers in its own words. So the inputs that pass by when each resource is
 * registered are kept until the stack is checked, a moment later in this same process.
 */
const inputs = new Map<string, PlainMap>();

/** To be the `validateResource` of a check of the stack that calls {@link inputsOf}. */
export const rememberInputs: ResourceValidation = ({ type, urn, props }) => {
  if (isFluxConfiguration(type) || isExtension(type) || isGitFiles(type)) inputs.set(urn, props);
};

/** Inputs of a resource; its outputs when it was not registered in this operation, so that only the state tells of it. */
export function inputsOf(resource: PolicyResource): PlainMap {
  return inputs.get(resource.urn) ?? resource.props;
}
