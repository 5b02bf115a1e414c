import { randomUUID } from "node:crypto";
import type { ArmError } from "../armError.ts";
import type { ArmId } from "../armId.ts";
import { formatArmId } from "../armId.ts";

export type OperationKind = "Creating" | "Updating" | "Deleting";

/** Something that Azure has begun to do with a resource. */
export interface Operation {
  readonly id: string;
  readonly target: ArmId;
  readonly kind: OperationKind;
  readonly startTime: string;
  status: "InProgress" | "Succeeded" | "Failed";
  endTime?: string;
  error?: ArmError;
  /** Resolves when it has succeeded or failed. */
  readonly ended: Promise<void>;
}

/** Operations that are over and may still be asked for. */
const remembered = 10_000;

/** The operations of a running emulator, in memory: those of an emulator that has ended are over. */
export class Operations {
  readonly #all = new Map<string, Operation>();
  readonly #running = new Map<string, Operation>();
  readonly #resolvers = new Map<string, () => void>();

  start(target: ArmId, kind: OperationKind, id: string = randomUUID()): Operation {
    const { promise, resolve } = Promise.withResolvers<void>();
    const operation: Operation = {
      id,
      target,
      kind,
      startTime: new Date().toISOString(),
      status: "InProgress",
      ended: promise,
    };
    this.#all.set(id, operation);
    this.#running.set(keyOf(target), operation);
    this.#resolvers.set(id, resolve);
    const [oldest] = this.#all.keys();
    if (this.#all.size > remembered && oldest !== undefined && !this.#resolvers.has(oldest)) {
      this.#all.delete(oldest);
    }
    return operation;
  }

  end(operation: Operation, error?: ArmError): void {
    if (operation.status !== "InProgress") return;
    operation.status = error === undefined ? "Succeeded" : "Failed";
    operation.endTime = new Date().toISOString();
    if (error !== undefined) operation.error = error;
    this.#running.delete(keyOf(operation.target));
    this.#resolvers.get(operation.id)?.();
    this.#resolvers.delete(operation.id);
  }

  find(id: string): Operation | undefined {
    return this.#all.get(id);
  }

  /** The one that is in progress on a resource. */
  on(target: ArmId): Operation | undefined {
    return this.#running.get(keyOf(target));
  }

  /** One that is in progress on something below a resource. */
  below(target: ArmId): Operation | undefined {
    const prefix = `${keyOf(target)}/`;
    for (const [key, operation] of this.#running) if (key.startsWith(prefix)) return operation;
    return undefined;
  }
}

/** A resource as a key: Azure takes two ids that differ only in case for the same. */
export function keyOf(id: ArmId): string {
  return formatArmId(id).toLowerCase();
}
