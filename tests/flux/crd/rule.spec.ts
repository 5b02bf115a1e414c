import { describe, expect, it } from "vitest";
import { compileRule } from "../../../flux/crd/rule.ts";

function holds(rule: string, self: Record<string, unknown>): boolean {
  return compileRule(rule)((path) =>
    path.reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], self),
  );
}

describe("compileRule", () => {
  it.each([
    ["has(self.a)", { a: 1 }, true],
    ["has(self.a)", {}, false],
    ["!has(self.a)", { a: 1 }, false],
    ["!!has(self.a)", { a: 1 }, true],
    ["has(self.a.b)", { a: { b: 1 } }, true],
    ["has(self.a) != has(self.b)", { a: 1, b: 1 }, false],
    ["has(self.a) == has(self.b)", {}, true],
    ["self.a == 'x'", { a: "x" }, true],
    ["self.a != 'x'", { a: "x" }, false],
    // && binds stronger than ||, brackets stronger than both.
    ["has(self.a) || has(self.b) && has(self.c)", { a: 1 }, true],
    ["(has(self.a) || has(self.b)) && has(self.c)", { a: 1 }, false],
    // What is missing is not compared; the other side may still decide.
    ["self.a == 'x'", {}, true],
    ["self.a == 'x' && has(self.b)", {}, false],
    ["self.a == 'x' || has(self.b)", {}, true],
  ])("%s of %j is %j", (rule, self, expected) => {
    expect(holds(rule, self)).toBe(expected);
  });

  it.each([
    "size(self.a) > 1",
    "self.a ==",
    "has(self)",
    "has(self.a",
    "self.a.matches('x')",
    "",
    "self.a 'x'",
  ])("refuses %j, which it does not know", (rule) => {
    expect(() => compileRule(rule)).toThrow(/rule/);
  });
});
