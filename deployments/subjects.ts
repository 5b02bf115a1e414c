/** What Deployments does with a stack; drift is found by a refresh. */
const operations = ["preview", "update", "refresh", "destroy"] as const;

/**
 * Subjects of the tokens that Pulumi Deployments gives a stack. Entra ID compares them letter by letter, so each needs a
 * federated credential of its own; an app registration takes twenty.
 */
export function federatedSubjects(organization: string, project: string, stack: string): string[] {
  return operations.map(
    (operation) =>
      `pulumi:deploy:org:${organization}:project:${project}:stack:${stack}:operation:${operation}:scope:write`,
  );
}
