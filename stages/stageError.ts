/** A question about a stage or commit that is not there, or an act that its stage does not take. The message is complete. */
export class StageError extends Error {
  override readonly name = "StageError";
}
