/** One role of a caller at a scope, as Azure lists what it permits. */
export interface Permission {
  readonly actions?: readonly string[];
  readonly notActions?: readonly string[];
}

/** Those of `wanted` that no role permits: each counts for itself, less what it leaves out. */
export function missingActions(permissions: readonly Permission[], wanted: readonly string[]): string[] {
  return wanted.filter(
    (action) =>
      !permissions.some(
        ({ actions = [], notActions = [] }) =>
          actions.some((pattern) => matches(pattern, action)) &&
          !notActions.some((pattern) => matches(pattern, action)),
      ),
  );
}

/** `*` stands for anything, slashes among it; upper and lower case are one. */
function matches(pattern: string, action: string): boolean {
  const escaped = pattern.split("*").map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${escaped.join(".*")}$`, "i").test(action);
}
