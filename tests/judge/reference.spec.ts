import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { judgementList } from "../../judge/index.ts";

const page = readFileSync(join(import.meta.dirname, "../../docs/reference/judgements.md"), "utf8");

it("the reference lists every judgement by its name, in order, in the words of the table", () => {
  const rows = [...page.matchAll(/^\| `([\w-]+)`\s*\| (error|warning)\s*\| (.*?)\s*\|$/gm)];
  expect(rows.map(([, name, severity, finds]) => ({ name, severity, finds }))).toEqual(
    judgementList.map(({ name, severity, finds }) => ({ name, severity, finds })),
  );
});
