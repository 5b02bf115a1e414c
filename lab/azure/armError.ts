/** One thing that is wrong with a request: Azure's code, where in the body, and what. */
export interface ArmFault {
  readonly code: string;
  /** Place in the request: `properties.gitRepository.url`. */
  readonly target: string;
  readonly message: string;
}

/** What a refusal may say besides its message. */
export interface ArmErrorDetails {
  readonly faults?: readonly ArmFault[];
  /** Seconds after which to ask again. */
  readonly retryAfter?: number;
}

/** A refusal, in the form in which the azure-native provider prints one of Azure's. */
export class ArmError extends Error {
  /** Of the HTTP answer. */
  readonly status: number;
  readonly code: string;
  /** Azure's sentence alone; `message` has status and code as well. */
  readonly text: string;
  readonly faults: readonly ArmFault[];
  readonly retryAfter: number | undefined;

  constructor(status: number, code: string, text: string, { faults = [], retryAfter }: ArmErrorDetails = {}) {
    super(`Status=${status} Code="${code}" Message="${text}"`);
    this.name = "ArmError";
    this.status = status;
    this.code = code;
    this.text = text;
    this.faults = faults;
    this.retryAfter = retryAfter;
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
      throw new ArmError(400, first.code, `${first.target}: ${first.message}`, { faults: this.#faults });
    }
    const lines = this.#faults.map((fault) => `${fault.code} ${fault.target}: ${fault.message}`);
    throw new ArmError(
      400,
      "MultipleErrorsOccurred",
      `${lines.length} things are wrong with the request:\n  ${lines.join("\n  ")}`,
      { faults: this.#faults },
    );
  }
}
