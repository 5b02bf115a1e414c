import { ArmError } from "../armError.ts";
import type { Json } from "../json.ts";

/** A failure as Azure's interface tells it. */
export function armErrorBody(error: unknown): { readonly status: number; readonly error: Json } {
  if (!(error instanceof ArmError)) {
    const message = error instanceof Error ? error.message : String(error);
    return { status: 500, error: { code: "InternalServerError", message } };
  }
  const { status, code, text, faults } = error;
  const details = faults.map((fault) => ({ ...fault }));
  return { status, error: { code, message: text, ...(details.length > 0 && { details }) } };
}
