import type { EnforcementLevel, PolicyConfigSchema } from "@pulumi/policy";

/** What every policy says of itself; docs/guide/policies.md is made of it. */
export interface About {
  readonly name: string;
  /** What must hold: one sentence. */
  readonly description: string;
  /** What comes of it where it does not hold: one sentence. */
  readonly why: string;
  /** Where no level is configured. Defaults to mandatory. */
  readonly enforcementLevel?: EnforcementLevel;
  /** What its exemptions have to be like. */
  readonly exemption?: { readonly mostHours?: number; readonly needsPerson?: boolean };
  /**
   * The one type of resources that it looks at, where there is but one. Pulumi's host makes the inputs of a resource anew
   * for each policy that it asks, so one that is not asked costs nothing.
   */
  readonly onlyOf?: string;
  /** Thresholds, each with its default. */
  readonly configSchema?: PolicyConfigSchema;
}

/** A setting that is a list of texts. */
export function texts(description: string, ...byDefault: string[]) {
  return { type: "array", items: { type: "string" }, default: byDefault, description } as const;
}

/** Stages that count as production, for policies that hold there alone. */
export const productionStages = texts("Stages that are production.", "prod", "production");

/** Whether a cluster of a stage is in production, as the setting `stages` has it. */
export function isProduction(stage: string | undefined, stages: unknown): boolean {
  return stage !== undefined && listed(stages, productionStages.default).includes(stage);
}

/** The texts of a setting, or its default. */
export function listed(setting: unknown, byDefault: readonly string[] = []): readonly string[] {
  return Array.isArray(setting) ? setting.filter((one) => typeof one === "string") : byDefault;
}
