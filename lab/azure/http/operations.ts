import { randomUUID } from "node:crypto";
import type { Json } from "../json.ts";

/** A request that Azure goes on with after it has answered. */
export interface Operation {
  readonly name: string;
  readonly resourceId: string;
  /** What a resource says of itself meanwhile. */
  readonly provisioningState: "Creating" | "Updating" | "Deleting";
  status: "InProgress" | "Succeeded" | "Failed";
  error?: Json;
}

/** Oldest finished operations go when there are more than this. */
const kept = 2000;

/** The operations of one emulator, and which resource is busy with one. */
export class Operations {
  readonly #all = new Map<string, Operation>();
  readonly #busy = new Map<string, Operation>();

  /** Begins one that ends when `work` does; what it throws is told by `describe`. */
  begin(
    resourceId: string,
    provisioningState: Operation["provisioningState"],
    work: () => Promise<void>,
    describe: (error: unknown) => Json,
  ): Operation {
    const operation: Operation = {
      ...{ name: randomUUID(), resourceId, provisioningState },
      status: "InProgress",
    };
    const key = resourceId.toLowerCase();
    this.#all.set(operation.name, operation);
    this.#busy.set(key, operation);
    void work()
      .then(
        () => (operation.status = "Succeeded"),
        (error: unknown) => {
          operation.error = describe(error);
          operation.status = "Failed";
        },
      )
      .finally(() => {
        if (this.#busy.get(key) === operation) this.#busy.delete(key);
        this.#forgetOldest();
      });
    return operation;
  }

  find(name: string): Operation | undefined {
    return this.#all.get(name);
  }

  /** What a resource is busy with. */
  of(resourceId: string): Operation | undefined {
    return this.#busy.get(resourceId.toLowerCase());
  }

  #forgetOldest(): void {
    for (const [name, { status }] of this.#all) {
      if (this.#all.size <= kept) return;
      if (status !== "InProgress") this.#all.delete(name);
    }
  }
}
