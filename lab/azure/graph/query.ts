import type { Json } from "../json.ts";
import { asObject } from "../json.ts";
import { invalidQuery, type Token, tokensOf } from "./tokens.ts";

/** The tables by their names in lower case. */
export type Tables = Readonly<Record<string, readonly Json[]>>;

type Expression = (row: Json) => unknown;

/**
 * Answers the part of Kusto that Arcflux asks in, over plain rows: `where`, `project`, `join kind=leftouter (…) on key`,
 * `order by … asc`, with `=~`, `in~`, `or`, paths, `[n]`, tolower, tostring, split and coalesce. The fields are the ones
 * that the query names. Throws an ArmError at anything else, as Azure does at what it does not know.
 */
export function runQuery(query: string, tables: Tables): Json[] {
  const reader = new Reader(tokensOf(query), tables);
  const rows = reader.pipeline();
  if (!reader.done) throw invalidQuery(`It goes on with '${reader.next().value}'.`);
  return rows;
}

class Reader {
  readonly #tokens: readonly Token[];
  readonly #tables: Tables;
  #at = 0;

  constructor(tokens: readonly Token[], tables: Tables) {
    this.#tokens = tokens;
    this.#tables = tables;
  }

  get done(): boolean {
    return this.#at >= this.#tokens.length;
  }

  next(): Token {
    const token = this.#tokens[this.#at++];
    if (token === undefined) throw invalidQuery("It ends too early.");
    return token;
  }

  pipeline(): Json[] {
    const name = this.next().value.toLowerCase();
    let rows: Json[] = [...(this.#tables[name] ?? [])];
    if (!Object.hasOwn(this.#tables, name)) throw invalidQuery(`There is no table '${name}'.`);
    while (this.#take("|")) rows = this.#operator(rows);
    return rows;
  }

  #operator(rows: Json[]): Json[] {
    const name = this.next().value;
    switch (name) {
      case "where": {
        const condition = this.#condition();
        return rows.filter((row) => condition(row) === true);
      }
      case "project": {
        const fields = this.#list(() => this.#field());
        return rows.map((row) => Object.fromEntries(fields.map(([key, value]) => [key, value(row) ?? null])));
      }
      case "join":
        return this.#join(rows);
      case "order": {
        this.#want("by");
        const key = this.next().value;
        this.#want("asc");
        return rows.toSorted((a, b) => (asText(a[key]) < asText(b[key]) ? -1 : 1));
      }
      default:
        throw invalidQuery(`The operator '${name}' is not one of the lab's.`);
    }
  }

  /** Columns of the right side that the left has too get a 1 at their end, as in Kusto. */
  #join(rows: Json[]): Json[] {
    for (const word of ["kind", "=", "leftouter", "("]) this.#want(word);
    const right = this.pipeline();
    this.#want(")");
    this.#want("on");
    const key = this.next().value;
    const columns = Object.keys(right[0] ?? {});
    const byKey = Map.groupBy(right, (row) => row[key]);
    return rows.flatMap((row) => {
      const found = byKey.get(row[key]) ?? [];
      const partners =
        found.length > 0 ? found : [Object.fromEntries(columns.map((column) => [column, null]))];
      return partners.map((partner) => ({
        ...row,
        ...Object.fromEntries(
          Object.entries(partner).map(([column, value]) => [column in row ? `${column}1` : column, value]),
        ),
      }));
    });
  }

  #field(): readonly [string, Expression] {
    const first = this.next();
    if (this.#take("=")) return [first.value, this.#expression()];
    this.#at -= 1;
    const value = this.#expression();
    return [first.value, value];
  }

  #condition(): Expression {
    const left = this.#comparison();
    if (!this.#take("or")) return left;
    const right = this.#condition();
    return (row) => left(row) === true || right(row) === true;
  }

  #comparison(): Expression {
    const left = this.#expression();
    const { value: sign } = this.next();
    const lower = (value: unknown): string => asText(value).toLowerCase();
    if (sign === "=~") {
      const right = this.#expression();
      return (row) => lower(left(row)) === lower(right(row));
    }
    if (sign === "==") {
      const right = this.#expression();
      return (row) => left(row) === right(row);
    }
    if (sign !== "in~") throw invalidQuery(`The comparison '${sign}' is not one of the lab's.`);
    this.#want("(");
    const all = this.#list(() => this.#expression());
    this.#want(")");
    return (row) => all.some((one) => lower(one(row)) === lower(left(row)));
  }

  #expression(): Expression {
    const token = this.next();
    if (token.kind === "text") return () => token.value;
    if (token.kind !== "word") throw invalidQuery(`'${token.value}' is no field.`);
    let value: Expression = this.#take("(") ? this.#call(token.value) : (row) => row[token.value];
    for (;;) {
      const before = value;
      if (this.#take(".")) {
        const { value: key } = this.next();
        value = (row) => asObject(before(row))[key];
      } else if (this.#take("[")) {
        const index = Number(this.next().value);
        this.#want("]");
        value = (row) => (before(row) as unknown[] | undefined)?.[index];
      } else return value;
    }
  }

  #call(name: string): Expression {
    const args = this.#list(() => this.#expression());
    this.#want(")");
    const [first = () => undefined, second = () => ""] = args;
    switch (name) {
      case "tolower":
        return (row) => asText(first(row)).toLowerCase();
      case "tostring":
        return (row) => asText(first(row));
      case "split":
        return (row) => asText(first(row)).split(asText(second(row)));
      // An empty text counts as nothing there.
      case "coalesce":
        return (row) =>
          args.map((arg) => arg(row)).find((value) => value !== undefined && value !== "") ?? "";
      default:
        throw invalidQuery(`The function '${name}' is not one of the lab's.`);
    }
  }

  #list<T>(one: () => T): T[] {
    const all = [one()];
    while (this.#take(",")) all.push(one());
    return all;
  }

  #take(value: string): boolean {
    const token = this.#tokens[this.#at];
    if (token === undefined || token.kind === "text" || token.value !== value) return false;
    this.#at += 1;
    return true;
  }

  #want(value: string): void {
    if (!this.#take(value)) throw invalidQuery(`'${value}' is missing before '${this.next().value}'.`);
  }
}

function asText(value: unknown): string {
  return typeof value === "string"
    ? value
    : value === null || value === undefined
      ? ""
      : JSON.stringify(value);
}
