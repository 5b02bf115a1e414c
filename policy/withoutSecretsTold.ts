import type { ReportViolation, ResourceValidationPolicy, StackValidationPolicy } from "@pulumi/policy";

import { withoutSecrets } from "../values/secretShapes.ts";

/** The same policy, whose messages show no secret, also where one stands in a field that cannot hold one. */
export function withoutSecretsTold<T extends ResourceValidationPolicy & Partial<StackValidationPolicy>>(
  policy: T,
): T {
  const { validateResource: validate, validateStack } = policy;
  // The third argument is for exemptions.
  const hiding =
    (report: ReportViolation): ReportViolation =>
    (message: string, ...rest: readonly unknown[]) =>
      report(withoutSecrets(message), ...(rest as [string?]));
  return {
    ...policy,
    ...(typeof validate === "function" && {
      validateResource: (args, report) => validate(args, hiding(report)),
    }),
    ...(validateStack && { validateStack: (args, report) => validateStack(args, hiding(report)) }),
  };
}
