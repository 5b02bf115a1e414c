/** An apply that cannot be done, with every reason; nothing was changed. */
export class ApplyError extends Error {
  override readonly name = "ApplyError";

  constructor(faults: readonly string[]) {
    super(faults.join("\n"));
  }
}
