/** One variable that a text refers to, such as `${site}` or `${site:-none}`. */
export interface Reference {
  readonly name: string;
  /** Whether it stands for something also where nothing defines it: `:-`, `:=`, `=`, `:?` and `:+`. */
  readonly optional: boolean;
}

/** What Flux would replace in a text. */
export interface Substitutions {
  readonly references: readonly Reference[];
  /** What begins like a variable and is none, so that Flux refuses the text; each at most 31 characters. */
  readonly faults: readonly string[];
}

/** A name, and what tells one function from another. `-` and `+` alone are no functions: Flux refuses them. */
const opening = /(#?)([\p{L}\p{Nd}_]+)(:[-=?+]|[=:/^,#%}])?/uy;

/**
 * Reads a text as Flux's variable substitution does: `${name}` with bash's functions, nested ones too; `$${name}` stands
 * for itself, and a dollar without a brace is only a dollar.
 */
export function substitutions(text: string): Substitutions {
  const references: Reference[] = [];
  const faults: string[] = [];
  const open = /\$\$|\$\{/g;
  for (let found = open.exec(text); found !== null; found = open.exec(text)) {
    if (found[0] === "$$") continue;
    opening.lastIndex = open.lastIndex;
    const [, length = "", name = "", operator] = opening.exec(text) ?? [];
    const closed = length === "#" ? operator === "}" : operator !== undefined;
    if (name === "" || !closed || !text.includes("}", open.lastIndex)) {
      faults.push(/^..[^}\n]{0,28}}?/.exec(text.slice(found.index))![0]);
      continue;
    }
    references.push({ name, optional: /^(:[-=?+]|=)$/.test(operator ?? "") });
    // What follows the name may hold references of its own, which the next round finds.
  }
  return { references, faults };
}
