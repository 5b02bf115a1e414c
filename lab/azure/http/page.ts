import { ArmError } from "../armError.ts";

/**
 * A page of a list that keeps its order, and the token of the next page when there is one. The token names the last item
 * of a page, so that items which come or go between two pages make none of the others come twice.
 */
export function page<T extends { readonly resourceGroup: string; readonly name: string }>(
  all: readonly T[],
  token: string | null,
  size: number,
): { readonly items: readonly T[]; readonly next?: string } {
  const keyed = all.map((item) => ({ item, key: `${item.resourceGroup}/${item.name}`.toLowerCase() }));
  keyed.sort((a, b) => (a.key < b.key ? -1 : 1));
  const after = token === null ? "" : readToken(token);
  const rest = keyed.filter(({ key }) => key > after);
  const shown = rest.slice(0, size);
  const last = shown.at(-1);
  return {
    items: shown.map(({ item }) => item),
    ...(rest.length > shown.length && last && { next: Buffer.from(last.key).toString("base64url") }),
  };
}

function readToken(token: string): string {
  const key = Buffer.from(token, "base64url").toString();
  if (key !== "" && Buffer.from(key).toString("base64url") === token) return key;
  throw new ArmError(
    400,
    "InvalidSkipToken",
    "The $skiptoken is not one of a nextLink. Begin the list anew.",
  );
}
