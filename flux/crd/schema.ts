/**
 * Schema of a spec, or of a part of one: the part of JSON Schema that Flux's CRDs use, with Kubernetes' rules. It holds no
 * prose; what a field is for stands in descriptions.ts. An object with `properties` takes no other fields.
 */
export interface SpecSchema {
  readonly $comment?: string;
  readonly type: "object" | "array" | "string" | "boolean";
  readonly properties?: Readonly<Record<string, SpecSchema>>;
  readonly required?: readonly string[];
  /** Of a free-form map: what each value must be. */
  readonly additionalProperties?: SpecSchema;
  readonly items?: SpecSchema;
  readonly minItems?: number;
  readonly maxItems?: number;
  /** What the API server fills in. */
  readonly default?: string | boolean;
  readonly enum?: readonly string[];
  /** In RE2's syntax. */
  readonly pattern?: string;
  /** Lengths count Unicode code points. */
  readonly minLength?: number;
  readonly maxLength?: number;
  /** Conditions between fields, in CEL, of which rule.ts knows the part that Flux uses. */
  readonly "x-kubernetes-validations"?: readonly { readonly rule: string }[];
}
