/** Stacks of a project, which clusters each has, and how Pulumi Deployments runs them: the only door to deployments/. */

export { placeClusters, type Placement } from "./placeClusters.ts";
export { deploymentsProgram, type DeploymentOptions } from "./program.ts";
export { readProject, type Project, type Stack } from "./readProject.ts";
export { stackPerLabel } from "./stackPerLabel.ts";
export { federatedSubjects } from "./subjects.ts";
