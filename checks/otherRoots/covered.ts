import { builtObject, describe, identityOf } from "../../judge/index.ts";
import { isInside } from "../../values/path.ts";
import { showNames } from "../../values/show.ts";
import { documents } from "../documents.ts";
import { otherFolder } from "./otherFolder.ts";
import { isRootItself, isRunning, keyOf, type RootWorld, unbuiltKey } from "./rootWorld.ts";

const elsewhere = `Give the cluster another folder, such as ${otherFolder}; leave the old files where they are.`;

/** What goes wrong where a root applies the folder that files are written to; undefined where it does not. */
export function covered(world: RootWorld, written: ReadonlyMap<string, string>): string | undefined {
  const { root, before, after, deleted } = world;
  const [ours] = after.sets
    .filter(isRunning)
    .flatMap((set) =>
      set.objects.filter(({ file }) => written.has(file)).map(({ file }) => ({ file, set: keyOf(set) })),
    );
  const many = root.covers.length > 1 ? ` (for ${root.covers.length} clusters)` : "";
  const who = `${root.label}${many} applies ${root.folder || "the root"}`;
  const [was, is] = [before, after].map(({ unbuilt }) =>
    root.isSuspended ? undefined : unbuilt.find((each) => isRootItself(each, root)),
  );
  // What fails today and builds after the update does nothing now that it could stop doing.
  if (was !== undefined && (is !== undefined || was.kind !== "fault"))
    return `${who}, and nobody could see what that is: ${was.message}. Mend that, or suspend it (suspend: true in that file)`;
  const known = new Set(before.unbuilt.map(unbuiltKey));
  const broken = after.unbuilt.find(
    (each) => each.kind === "fault" && !isRootItself(each, root) && !known.has(unbuiltKey(each)),
  );
  if (broken !== undefined && is === undefined)
    return `${who}, which brings ${unbuiltKey(broken)}, and that would fail: ${broken.message}. ${elsewhere}`;
  if (root.covers.length === 0 && ours === undefined) return undefined;
  if (is !== undefined)
    return `${who}, and ${twice(world, written) ?? `would fail: ${is.message}`}. ${elsewhere}`;
  if (deleted.length > 0) {
    const what = showNames(
      deleted.map((each) => `${each.file} (${describe(each)})`),
      6,
    );
    return `${who} now, and would leave out ${what}, so Flux deletes that. ${elsewhere}`;
  }
  if (ours === undefined) return undefined;
  const by = ours.set === keyOf(root) ? "" : ` by ${ours.set}`;
  return `${who}, and with it${by} the generated ${ours.file}, which the bootstrap applies too: two owners of one object. ${elsewhere}`;
}

/** The object that a generated file and one of others both define, which kustomize refuses. */
function twice({ root, before }: RootWorld, written: ReadonlyMap<string, string>): string | undefined {
  const theirs = new Map(
    before.sets.flatMap(({ objects }) =>
      objects.map(({ object, file }) => [identityOf(builtObject(object)), file] as const),
    ),
  );
  const ours = [...written].flatMap(([file, text]) =>
    isInside(file, root.folder) && /\.ya?ml$/.test(file)
      ? (documents(text) ?? []).map((value) => builtObject(value, file))
      : [],
  );
  const both = ours.filter((object) => theirs.has(identityOf(object)));
  const [first] = both;
  if (first === undefined) return undefined;
  const more = both.length > 1 ? ` and ${both.length - 1} more` : "";
  return `both ${theirs.get(identityOf(first))} and the generated ${first.file} in it would define ${describe(first)}${more}, so it fails for good`;
}
