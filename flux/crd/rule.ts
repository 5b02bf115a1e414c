/** Value of a field below `self`, with the API server's defaults; undefined when there is none. */
export type Lookup = (path: readonly string[]) => unknown;

/** False when the rule is broken. A rule about a value that is missing holds: what is missing is a fault of its own. */
export type Rule = (lookup: Lookup) => boolean;

type Expression = (lookup: Lookup) => unknown;

/**
 * Reads a rule of a CRD (`x-kubernetes-validations`). Of CEL it knows what Flux uses: `has(self.a.b)`, fields, texts,
 * `==`, `!=`, `!`, `&&`, `||` and brackets. Throws on anything else, so that no rule is passed over in silence.
 */
export function compileRule(text: string): Rule {
  const tokens = tokenise(text);
  let next = 0;

  const take = (token: string) => tokens[next] === token && ++next > 0;
  const unknown = () =>
    new Error(`the rule ${text} holds ${tokens[next] ?? "no more"} where rule.ts expects another token`);
  const field = (): string[] => {
    const token = tokens[next++];
    if (token === undefined || !/^self(\.\w+)+$/.test(token)) {
      next--;
      throw unknown();
    }
    return token.split(".").slice(1);
  };
  const close = (expression: Expression): Expression => {
    if (!take(")")) throw unknown();
    return expression;
  };

  const primary = (): Expression => {
    if (take("!")) {
      const inner = primary();
      return (lookup) => not(inner(lookup));
    }
    if (take("(")) return close(either());
    if (take("has")) {
      if (!take("(")) throw unknown();
      const path = field();
      return close((lookup) => lookup(path) !== undefined);
    }
    const literal = /^'([^'\\]*)'$/.exec(tokens[next] ?? "")?.[1];
    if (literal !== undefined) {
      next++;
      return () => literal;
    }
    const path = field();
    return (lookup) => lookup(path);
  };
  const comparison = (): Expression => {
    const left = primary();
    const equal = take("==");
    if (!equal && !take("!=")) return left;
    const right = primary();
    return (lookup) => {
      const [a, b] = [left(lookup), right(lookup)];
      return a === undefined || b === undefined ? undefined : (a === b) === equal;
    };
  };
  const both = (): Expression => {
    let left = comparison();
    while (take("&&")) left = joined(left, comparison(), false);
    return left;
  };
  const either = (): Expression => {
    let left = both();
    while (take("||")) left = joined(left, both(), true);
    return left;
  };

  const rule = either();
  if (next < tokens.length) throw unknown();
  return (lookup) => rule(lookup) !== false;
}

function tokenise(text: string): string[] {
  const tokens = text.match(/self(?:\.\w+)+|\w+|'[^'\\]*'|[=!]=|&&|\|\||[!()]|\S/g);
  return tokens ?? [];
}

function not(value: unknown): boolean | undefined {
  return typeof value === "boolean" ? !value : undefined;
}

/** As in CEL, one side that decides is enough, even when the other cannot be told. */
function joined(left: Expression, right: Expression, decisive: boolean): Expression {
  return (lookup) => {
    const a = left(lookup);
    if (a === decisive) return decisive;
    const b = right(lookup);
    if (b === decisive) return decisive;
    return a === undefined || b === undefined ? undefined : !decisive;
  };
}
