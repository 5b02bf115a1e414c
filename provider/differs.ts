import { isDeepStrictEqual } from "node:util";

import { blobId } from "./blob.ts";
import { containsUnknown, unwrapOutputs } from "./markers.ts";
import type { GitFilesState } from "./state.ts";

/**
 * Whether inputs, as the engine sends them, ask for more than the state holds, or an inventory has to name another owner. A message is no difference: a commit is made
 * for content and place only. What a later delete goes by is one, though nothing is committed for it: the engine hands a
 * delete the state of the last update and no inputs.
 */
export function differs(
  state: GitFilesState,
  news: Readonly<Record<string, unknown>>,
  owner: string,
): boolean {
  const place = ["repository", "branch", "directory"] as const;
  if (place.some((name) => news[name] !== state[name])) return true;
  if ((news["followed"] ?? "") !== (state.followed ?? "")) return true;
  if (state.seen !== undefined) return true;
  // Also where there is no owner: the state of an older version, which wrote no inventory.
  if (state.owner !== owner) return true;
  const released = Object.values(Object(unwrapOutputs(news["released"]) ?? {}) as Record<string, unknown>);
  if (released.some((folder) => state.released?.includes(folder as string) !== true)) return true;
  if ((news["onDelete"] ?? "delete") !== (state.onDelete ?? "delete")) return true;
  if (
    (["author", "delivery"] as const).some(
      (name) => !isDeepStrictEqual(plain(news[name]), plain(state[name])),
    )
  ) {
    return true;
  }
  if (containsUnknown(news["files"])) return true;
  const files = news["files"] as Readonly<Record<string, string>>;
  const paths = Object.keys(files);
  if (paths.length !== Object.keys(state.blobs).length) return true;
  return paths.some((path) => {
    const written = state.adopted?.[path] ?? state.blobs[path];
    return written === undefined || blobId(files[path] ?? "", written) !== written;
  });
}

/** As it is kept in the state: absent is null, and there are no markers. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(unwrapOutputs(value) ?? null));
}
