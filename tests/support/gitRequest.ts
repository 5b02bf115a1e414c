import type { Before, WriteRequest, WriteResult } from "../../git/index.ts";
import { fullPath } from "../../values/path.ts";

/** Who writes in the specs of git/, unless they say otherwise. */
export const owner = "arcflux/dev/edge-1";

/** As an older version of the state told of what it wrote: path below the directory to blob, without serials. */
interface Owned {
  readonly owned?: Readonly<Record<string, string>>;
}

/** What a spec may say of a write. */
export type Overrides = Partial<WriteRequest> & Owned;

/** A write of one file to the folder of one cluster, with anything overridden. One without files takes everything out. */
export function writeRequest({ owned, ...overrides }: Overrides & { readonly url: string }): WriteRequest {
  const directory = overrides.directory ?? "clusters/edge-1/flux";
  const files = overrides.files ?? { "web.yaml": "kind: Kustomization\n" };
  return {
    branch: "main",
    directory,
    files,
    owner,
    message: "Update edge-1",
    author: { name: "Arcflux", email: "arcflux@example.com" },
    ...(owned && { before: ownedBefore(directory, owned) }),
    ...(Object.keys(files).length === 0 && { remove: true }),
    ...overrides,
  };
}

function ownedBefore(directory: string, owned: Readonly<Record<string, string>>): Before {
  const files = Object.entries(owned).map(([path, blob]) => [fullPath(directory, path), [{ blob }]]);
  return { folder: directory, files: Object.fromEntries(files) as Before["files"] };
}

/** What a state remembers of a write that it could save. */
export function beforeOf(
  { blobs, serials, serial, adopted = {}, left, commit }: WriteResult,
  directory = "clusters/edge-1/flux",
): Before {
  const full = <T>(record: Readonly<Record<string, T>>): Record<string, T> =>
    Object.fromEntries(Object.entries(record).map(([path, value]) => [fullPath(directory, path), value]));
  const files = Object.entries(blobs).map(([path, blob]) => [path, [{ blob, serial: serials[path] }]]);
  return {
    folder: directory,
    files: full(Object.fromEntries(files) as Before["files"]),
    adopted: full(adopted),
    ...{ serial, owner, left, commit },
  };
}
