/** Milliseconds after which the engine, having come to one resource, has come to the next if it can. */
const quiet = 200;

/** Milliseconds that all who wait for the engine to settle may take together: a thousand that move are worth no more. */
const settling = 5000;

/** Which resources the engine has come to in a run, by name. It checks one after the other, and writes some meanwhile. */
export class Sightings {
  readonly #seen = new Set<string>();
  #noted = Promise.withResolvers<void>();
  /** Milliseconds. */
  #patience = 2000;
  /** Until when there is any waiting for it to settle; set with the first. */
  #settled: number | undefined;

  add(name: string): void {
    if (this.#seen.has(name)) return;
    this.#seen.add(name);
    this.#noted.resolve();
    this.#noted = Promise.withResolvers();
  }

  has(name: string): boolean {
    return this.#seen.has(name);
  }

  /**
   * Waits for resources of these names, since the engine may be about to come to them. Not for ever: it never does to one
   * that is no part of the program any more.
   */
  async waitFor(names: readonly string[]): Promise<void> {
    const over = after(this.#patience);
    while (!names.every((name) => this.has(name))) {
      if ((await Promise.race([this.#noted.promise, over])) !== false) continue;
      // A thousand renamed resources must not wait one after the other.
      this.#patience = 50;
      return;
    }
  }

  /** Waits until nothing new has come for a moment: the engine has come to all then that it can come to. */
  async settle(): Promise<void> {
    this.#settled ??= Date.now() + settling;
    while (Date.now() < this.#settled) {
      if ((await Promise.race([this.#noted.promise, after(quiet)])) === false) return;
    }
  }
}

function after(milliseconds: number): Promise<false> {
  return new Promise((resolve) => setTimeout(() => resolve(false), milliseconds).unref());
}
