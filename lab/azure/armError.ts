/** One thing that is wrong with a request: Azure's code, where in the body, and what. */
export interface ArmFault {
  readonly code: string;
  /** Place in the request: `properties.gitRepository.url`. */
  readonly target: string;
  readonly message: string;
}

/** A refusal, in the form in which the azure-native provider prints one of Azure's. */
export class ArmError extends Error {
  readonly status: number;
  readonly code: string;
  /** What is wrong, without status and code. */
  readonly text: string;
  readonly faults: readonly ArmFault[];
  /** What a throttled caller is told to wait. */
  readonly retryAfterSeconds: number | undefined;

  constructor(
    status: number,
    code: string,
    message: string,
    faults: readonly ArmFault[] = [],
    retryAfterSeconds?: number,
  ) {
    super(`Status=${status} Code="${code}" Message="${message}"`);
    this.name = "ArmError";
    this.text = message;
    this.retryAfterSeconds = retryAfterSeconds;
    this.status = status;
    this.code = code;
    this.faults = faults;
  }
}

/** Collects what is wrong with one request, so that all of it is reported at once. */
export class FaultList {
  readonly #faults: ArmFault[] = [];

  add(target: string, message: string, code = "BadRequest"): void {
    this.#faults.push({ code, target, message });
  }

  /** Throws one error that names every fault, or does nothing when there is none. */
  throwIfAny(): void {
    const [first, ...rest] = this.#faults;
    if (first === undefined) return;
    if (rest.length === 0) {
      throw new ArmError(400, first.code, `${first.target}: ${first.message}`, this.#faults);
    }
    const lines = this.#faults.map((fault) => `${fault.code} ${fault.target}: ${fault.message}`);
    throw new ArmError(
      400,
      "MultipleErrorsOccurred",
      `${lines.length} things are wrong with the request:\n  ${lines.join("\n  ")}`,
      this.#faults,
    );
  }
}
