import { readJson, writeJsonAtomic } from "../atomicFile.ts";
import type { Json } from "../azure/json.ts";
import { asObject, isObject } from "../azure/json.ts";
import { redactValues } from "./redactValues.ts";
import type { CheckFailure, Outcome } from "./standIn.ts";
import { isUnknown, type ValuePath } from "./values.ts";

export const secretType = "kubernetes:core/v1:Secret";

const name = /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/;
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** What Kubernetes would refuse in a Secret. Values are not shown. */
export function secretFaults(inputs: Json): CheckFailure[] {
  const metadata = asObject(inputs["metadata"]);
  const { data } = inputs;
  return [
    ...["name", "namespace"]
      .filter((key) => !isUnknown(metadata[key]) && !isName(metadata[key]))
      .map((key) => ({
        property: `metadata.${key}`,
        reason: "must be lower-case letters, digits, '-' and '.'.",
      })),
    ...Object.entries(isObject(data) ? data : {})
      .filter(([, value]) => !isUnknown(value) && (typeof value !== "string" || !base64.test(value)))
      .map(([key]) => ({ property: `data.${key}`, reason: "is not base64." })),
  ];
}

export function secretId(inputs: Json): string {
  const { namespace = "default", name = "" } = asObject(inputs["metadata"]);
  return `${String(namespace)}/${String(name)}`;
}

/** Notes a Secret with every value that is marked as one, and what its name gives away, replaced. */
export function noteSecret(file: string, id: string, inputs: Json, secrets: readonly ValuePath[]): Outcome {
  writeJsonAtomic(file, redactValues(inputs, secrets));
  return { id, outputs: inputs };
}

/** As the API server does: a Secret is created once. */
export function refuseExisting(file: string, id: string): void {
  if (readJson(file) !== undefined) throw new Error(`secrets "${id.split("/")[1] ?? ""}" already exists`);
}

function isName(value: unknown): boolean {
  return typeof value === "string" && name.test(value);
}
