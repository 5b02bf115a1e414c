import { leftText } from "./assertFree.ts";
import type { Writes } from "./writes.ts";

/** Tells, before anything is written, which resources of a run come to where others leave: an update refuses that. */
export class Meetings {
  readonly #writes: Writes;
  /** Pairs of which it was told. */
  readonly #told = new Set<string>();

  constructor(writes: Writes) {
    this.#writes = writes;
  }

  /** To be called when something was learned of a resource: either of two may be the later one. */
  async warnOf(urn: string): Promise<void> {
    const { claims, warn } = this.#writes;
    for (const [comer, found] of Map.groupBy(claims.meetings(urn), (meeting) => meeting.comer)) {
      const fresh = found.filter(({ leaver }) => !this.#told.has(`${comer} ${leaver.urn}`));
      if (fresh.length === 0) continue;
      for (const { leaver } of fresh) this.#told.add(`${comer} ${leaver.urn}`);
      await warn(comer, `An update stops here. ${leftText(fresh)}`);
    }
  }
}
