import type { ResourceValidationPolicy } from "@pulumi/policy";

/** What has been told in this process, so that a thousand resources do not repeat it. */
const told = new Set<string>();

/**
 * The same check, which also reports a setting that it does not have: a misspelt one would leave its default in force
 * without a word. Pulumi's schema of settings cannot say that there are no others. Told once, at the first resource.
 */
export function refuseUnknownSettings<T extends ResourceValidationPolicy>(policy: T): T {
  const known = Object.keys(policy.configSchema?.properties ?? {});
  const validate = policy.validateResource;
  if (typeof validate !== "function") throw new Error(`${policy.name} checks no resource by one function.`);
  return {
    ...policy,
    validateResource: (args, report) => {
      const unknown = Object.keys(args.getConfig<object>()).filter((name) => !known.includes(name));
      const message = `${policy.name} has no setting ${unknown.map((name) => `'${name}'`).join(", ")}; ${`it has ${known.join(", ")}`} and enforcementLevel. Correct the file that --policy-pack-config names.`;
      if (unknown.length > 0 && !told.has(message)) {
        told.add(message);
        report(message);
      }
      return validate(args, report);
    },
  };
}
