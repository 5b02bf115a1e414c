import { didYouMean, Speller } from "../../values/nearest.ts";
import { show } from "../../values/show.ts";
import { appsSet } from "../resolveSets.ts";
import { heldEntries, mapOf, namesGiven } from "./given.ts";
import { declared, type Check, type Checked } from "./report.ts";

/** Fields that say where the manifests of a set are; one with any of them was meant as a set of its own. */
const places = ["path", "source", "sourceRef"];

/**
 * A set without a place of its own whose name is nearly that of a shared one: `app-base: { window: nightly }` is a set
 * more, and takes apps-base out of no window. Names that differ in digits alone are told apart on purpose.
 */
export const checkMisspelt: Check = (checked) => {
  for (const { path, name, meant } of misspelt(checked)) {
    checked.warn(
      path,
      `is a set of its own, since no shared set is called ${show(name)}; correct the name, or write the path of its manifests.${didYouMean(meant)}`,
      "key",
    );
  }
};

interface Misspelt {
  readonly path: readonly string[];
  readonly name: string;
  readonly meant: string;
}

/** The names of sets that were probably meant as another. */
export function misspelt(checked: Checked): Misspelt[] {
  const { data } = checked;
  const known = new Set(declared(checked, "sets"));
  if (namesGiven(data, "apps").size > 0) known.add(appsSet);
  const stray: { path: readonly string[]; name: string }[] = [];
  for (const { path, value } of heldEntries(data, "sets")) {
    const name = path[3];
    if (value === null || known.has(name)) continue;
    if (places.some((field) => mapOf(value)[field] != null)) known.add(name);
    else stray.push({ path, name });
  }
  const speller = new Speller(known);
  const near = new Map<string, string | undefined>();
  return stray.flatMap(({ path, name }) => {
    if (known.has(name)) return [];
    if (!near.has(name)) near.set(name, nearly(name, speller));
    const meant = near.get(name);
    return meant === undefined ? [] : { path, name, meant };
  });
}

/** A name of five letters may have one that is wrong, one of eight two. */
function nearly(name: string, speller: Speller): string | undefined {
  if (name.length < 5) return undefined;
  const meant = speller.nearest(name, Math.floor(name.length / 4));
  const letters = (text: string): string => text.replace(/\d+/g, "");
  return meant !== undefined && letters(meant) !== letters(name) ? meant : undefined;
}
