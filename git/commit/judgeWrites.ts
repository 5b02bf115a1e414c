import type { Compare } from "../../values/compareText.ts";
import type { Conflict } from "../words/errors.ts";
import type { Asked } from "./asked.ts";
import { planOnTip } from "./planOnTip.ts";
import { type PathReader, readerSource } from "./planSource.ts";

/**
 * What would stop writes on a tree as it stands, by the plan that carries them out: for a preview, and for whoever looks at a
 * folder. `digits`: of the repository's object ids, 40 or 64.
 */
export async function judgeWrites<T extends Asked>(
  requests: readonly T[],
  reader: PathReader,
  { compare, digits = 40 }: { readonly compare?: Compare; readonly digits?: number },
): Promise<ReadonlyMap<T, readonly Conflict[]>> {
  const { source, root } = readerSource(reader, digits);
  const all = requests.map((asked) => ({ asked, compare }));
  const plans = await planOnTip(source, { tree: root }, all);
  return new Map([...plans].map(([{ asked }, { conflicts }]) => [asked, conflicts]));
}
