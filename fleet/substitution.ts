/**
 * Names that a text refers to as `${name}` and that are defined nowhere: neither among the variables nor by a default of
 * its own (`${name:=x}`, `${name:-x}`). `$${name}` stands for itself.
 */
export function undefinedReferences(text: string, defined: Readonly<Record<string, string>>): string[] {
  const names = new Set<string>();
  for (const [whole, name = "", operator = ""] of text.matchAll(
    /\$\$|\$\{#?([_a-zA-Z][_a-zA-Z0-9]*)(:?[-=+?])?/g,
  )) {
    if (whole !== "$$" && operator === "" && !Object.hasOwn(defined, name)) names.add(name);
  }
  return [...names];
}
