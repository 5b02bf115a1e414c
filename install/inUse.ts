import { atOnce, type Entry, refOf, textOf } from "../apply/index.ts";
import { inParallel, type ApiObject, type ObjectApi } from "../status/index.ts";
import { asList, asMap, asText } from "../values/maps.ts";

/** Objects on a cluster of kinds that go: with a kind, the API server deletes all that is of it, whoever made it. */
export async function objectsOfKinds(
  entries: readonly Entry[],
  api: Pick<ObjectApi, "read" | "list">,
): Promise<ApiObject[]> {
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
    found.push(...(await api.list(apiVersion, kind)));
  });
  return found.sort((one, other) => (textOf(refOf(one)) < textOf(refOf(other)) ? -1 : 1));
}
