/** What a cluster is matched by: its labels, and its stage as `stage`. checks/names.ts sees to it that both agree. */
export function matchable({
  labels,
  stage,
}: {
  readonly labels?: Readonly<Record<string, string>> | undefined;
  readonly stage?: string | undefined;
}): Readonly<Record<string, string>> {
  return stage === undefined ? (labels ?? {}) : { stage, ...labels };
}

/** Whether labels have all of a match; an empty match takes every cluster. */
export function matches(
  labels: Readonly<Record<string, string>>,
  match: readonly (readonly [string, string])[],
): boolean {
  return match.every(([key, value]) => Object.hasOwn(labels, key) && labels[key] === value);
}
