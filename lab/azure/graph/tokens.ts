import { ArmError } from "../armError.ts";

/** A word, a text in quotes, or a sign of a query. */
export interface Token {
  readonly kind: "word" | "text" | "number" | "sign";
  readonly value: string;
}

const pattern = /\s+|([A-Za-z_][\w]*)|'((?:[^'\\]|\\.)*)'|(\d+)|(=~|in~|==|[|()[\],.=~])/gy;

/** Splits a query of Resource Graph; `in~` is one word. Throws an ArmError at what is none of this. */
export function tokensOf(query: string): Token[] {
  const tokens: Token[] = [];
  pattern.lastIndex = 0;
  while (pattern.lastIndex < query.length) {
    const at = pattern.lastIndex;
    const found = pattern.exec(query);
    if (found === null) throw invalidQuery(`Cannot read the query at '${query.slice(at, at + 20)}'.`);
    const [, word, text, number, sign] = found;
    if (word !== undefined) tokens.push({ kind: "word", value: word });
    else if (text !== undefined)
      tokens.push({ kind: "text", value: text.replace(/\\(.)/g, (_, char: string) => char) });
    else if (number !== undefined) tokens.push({ kind: "number", value: number });
    else if (sign === "~" && tokens.at(-1)?.value === "in")
      tokens[tokens.length - 1] = { kind: "sign", value: "in~" };
    else if (sign !== undefined) tokens.push({ kind: "sign", value: sign });
  }
  return tokens;
}

export function invalidQuery(message: string): ArmError {
  return new ArmError(400, "BadRequest", `Please provide a valid query. ${message}`);
}
