import { atOnce, readInventory, textOf } from "../apply/index.ts";
import { inParallel, type ObjectApi } from "../status/index.ts";

/** What of an installed Flux a cluster has no more, sorted; undefined where nobody says that it was ever installed. */
export async function missingOfFlux(
  owner: string,
  api: Pick<ObjectApi, "read">,
): Promise<readonly string[] | undefined> {
  const entries = [...(await readInventory(api, owner)).values()].flat();
  if (entries.length === 0) return undefined;
  const missing: string[] = [];
  await inParallel(entries, atOnce, async (entry) => {
    if ((await api.read(entry)) === undefined) missing.push(textOf(entry));
  });
  return missing.sort();
}
