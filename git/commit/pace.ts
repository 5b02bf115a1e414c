/** What stands at a door that is still open; times in milliseconds. */
export interface AtTheDoor {
  /** Members that are there. */
  readonly inside: number;
  /** Whether nobody else can join this group. */
  readonly full: boolean;
  /** Since the door was opened. */
  readonly open: number;
  /** Since the last one came. */
  readonly quiet: number;
}

/** For one that seems to be the only one. */
const alone = { linger: 100, longest: 500 };
/** Where several come, one after the other: an engine that saves its state at each step takes its time between them. */
const several = { linger: 400, longest: 2_000 };

/**
 * How long the groups of one branch wait for more. The engine keeps so many operations in flight and hands over the
 * next when one returns, so a group that has them all waits in vain: the size at which nobody came for long is
 * remembered, and a group that reaches it is closed soon.
 */
export class Pace {
  #groups = 0;
  /** Members at which nobody came for long. */
  #usual = Infinity;

  /** Milliseconds for which the door is to stay open for now. At 0 it is closed, and the group counts. */
  timeLeft(at: AtTheDoor): number {
    const { inside, full, open, quiet } = at;
    const stream = this.#groups > 0 || inside > 1;
    const { longest } = stream ? several : alone;
    const held = stream && !full && inside < this.#usual;
    const linger = held || inside > this.#usual ? several.linger : alone.linger;
    const left = Math.min(linger - quiet, longest - open);
    if (left > 0) return left;
    this.#groups += 1;
    if (linger === several.linger && quiet >= linger) this.#learn(inside);
    else if (inside > this.#usual) this.#usual = Infinity;
    return 0;
  }

  /** A smaller group may come of a pause in what the engine hands over: so down by one step only. */
  #learn(inside: number): void {
    this.#usual = this.#usual === Infinity ? inside : Math.max(inside, this.#usual - 1);
  }
}
