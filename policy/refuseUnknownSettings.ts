import type { ResourceValidationPolicy } from "@pulumi/policy";

/** What has been told in this process, so that a thousand resources do not repeat it. */
const told = new Set<string>();

/** Which names of settings are none of the policy's, and which it has; undefined where all are. */
export function unknownSettings(
  { name, configSchema }: Pick<ResourceValidationPolicy, "name" | "configSchema">,
  names: readonly string[],
): string | undefined {
  const known = Object.keys(configSchema?.properties ?? {});
  const unknown = names.filter((key) => !known.includes(key));
  if (unknown.length === 0) return undefined;
  return `${name} has no setting ${unknown.map((key) => `'${key}'`).join(", ")}; it has ${known.join(", ")}`;
}

/**
 * The same check, which also reports a setting that it does not have: a misspelt one would leave its default in force
 * without a word. Pulumi's schema of settings cannot say that there are no others. Told once, at the first resource.
 */
export function refuseUnknownSettings<T extends ResourceValidationPolicy>(policy: T): T {
  const validate = policy.validateResource;
  if (typeof validate !== "function") throw new Error(`${policy.name} checks no resource by one function.`);
  return {
    ...policy,
    validateResource: (args, report) => {
      const unknown = unknownSettings(policy, Object.keys(args.getConfig<object>()));
      if (unknown !== undefined && !told.has(unknown)) {
        told.add(unknown);
        report(`${unknown} and enforcementLevel. Correct the file that --policy-pack-config names.`);
      }
      return validate(args, report);
    },
  };
}
