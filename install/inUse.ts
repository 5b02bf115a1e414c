import { type ApplyWorld, atOnce, type Entry, refOf, textOf } from "../apply/index.ts";
import { inParallel, type ApiObject, Unreachable } from "../status/index.ts";
import { asList, asMap, asText } from "../values/maps.ts";

/** Objects on a cluster of kinds that go: with a kind, the API server deletes all that is of it, whoever made it. */
export async function objectsOfKinds(entries: readonly Entry[], world: ApplyWorld): Promise<ApiObject[]> {
  const { api } = world;
  const found: ApiObject[] = [];
  const kinds = entries.filter(({ kind }) => kind === "CustomResourceDefinition");
  await inParallel(kinds, atOnce, async (entry) => {
    const spec = asMap((await api.read(entry))?.["spec"]);
    const kind = asText(asMap(spec["names"])["kind"]);
    const version = asList(spec["versions"])
      .map(asMap)
      .find(({ storage }) => storage === true);
    if (kind === undefined || version === undefined) return;
    const apiVersion = `${String(spec["group"])}/${String(version["name"])}`;
    found.push(...(await listed(() => api.list(apiVersion, kind), world)));
  });
  return found.sort((one, other) => (textOf(refOf(one)) < textOf(refOf(other)) ? -1 : 1));
}

/** Milliseconds for a kind to be listed, and between two tries. */
const patience = 30_000;
const pause = 1_000;

/** Once a kind was changed, the API server lists none of it for a moment: its storage is made anew. */
async function listed<T>(list: () => Promise<T>, { now, sleep }: ApplyWorld): Promise<T> {
  const deadline = now() + patience;
  for (;;) {
    try {
      return await list();
    } catch (error) {
      if (!(error instanceof Unreachable) || now() > deadline) throw error;
      await sleep(pause);
    }
  }
}
