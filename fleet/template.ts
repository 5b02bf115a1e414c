/** Fills {placeholders}; those without a value stay as they are, and are given to `missing`. */
export function fill(
  template: string,
  values: Readonly<Record<string, string | undefined>>,
  missing?: (name: string) => void,
): string {
  return template.replace(/\{([^{}]*)\}/g, (whole, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined) missing?.(name);
    return value ?? whole;
  });
}

/** What may stand in the templates of a cluster: its attributes, its labels, its stage and its name. */
export function placeholders(cluster: {
  readonly name: string;
  readonly stage?: string | undefined;
  readonly labels?: Readonly<Record<string, string>> | undefined;
  readonly attributes?: Readonly<Record<string, string>> | undefined;
}): Record<string, string | undefined> {
  // A label may be empty, which is not a name of a folder.
  const labels = Object.entries(cluster.labels ?? {}).filter(([, value]) => value !== "");
  return {
    ...Object.fromEntries(labels),
    stage: cluster.stage,
    ...cluster.attributes,
    cluster: cluster.name,
  };
}
